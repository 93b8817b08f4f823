"""Shapes on the GPU: uploaded once, drawn on every redraw."""

from __future__ import annotations

from collections.abc import Iterator

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from .colours import OUTLINE
from .elements import Layer
from .shapes import Lines, Points

# Extra width of lines for the dark outlines on both sides, pixels.
OUTLINE_WIDTH = 2.0
# Width of bold lines relative to others.
BOLD = 2.0
# Opacity of occluded parts.
HIDDEN = 0.25
# Wide lines need a polyline shader: Vulkan and Metal draw others one pixel wide.
LINE_SHADER, FILL_SHADER = "POLYLINE_SMOOTH_COLOR", "SMOOTH_COLOR"


class Batch:
    """Shapes of one kind and width."""

    def __init__(self, kind: str, points: Points, colours: Points, width: float, extra: float = 0):
        """Upload them to the GPU.

        Args:
            kind: "LINES" or "TRIS".
            points: Corners of the shapes; (n, corners, 3).
            colours: Their colours; (n, corners, 4).
            width: Width of lines, as a factor of the setting.
            extra: Pixels added to it.
        """
        self._shader = gpu.shader.from_builtin(LINE_SHADER if kind == "LINES" else FILL_SHADER)
        self._is_lines, self._width, self._extra = kind == "LINES", width, extra
        self._batch = batch_for_shader(
            self._shader,
            kind,
            {
                "pos": np.ascontiguousarray(points, np.float32).reshape(-1, 3),
                "color": np.ascontiguousarray(colours, np.float32).reshape(-1, 4),
            },
        )

    def draw(self, line_width: float) -> None:
        """Draw with the current GPU state."""
        if self._is_lines:
            self._shader.bind()
            self._shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
            self._shader.uniform_float("lineWidth", line_width * self._width + self._extra)
        self._batch.draw(self._shader)


class GroundBatches:
    """A layer with depth test, faint where it is occluded."""

    def __init__(self, layer: Layer):
        """Upload it to the GPU."""
        self._seen = list(_seen(layer))
        self._hidden = list(_hidden(layer.faint))

    def draw(self, line_width: float) -> None:
        """Draw both parts."""
        for test, batches in (("GREATER", self._hidden), ("LESS_EQUAL", self._seen)):
            gpu.state.depth_test_set(test)
            for batch in batches:
                batch.draw(line_width)
        gpu.state.depth_test_set("NONE")


class FrontBatches:
    """Lines in front of everything."""

    def __init__(self, drawn: Lines):
        """Upload them to the GPU."""
        self._batches = list(_outlined(drawn, 1.0))

    def draw(self, line_width: float) -> None:
        """Draw them."""
        gpu.state.depth_test_set("NONE")
        for batch in self._batches:
            batch.draw(line_width)


def _seen(layer: Layer) -> Iterator[Batch]:
    if len(layer.fills.points):
        yield Batch("TRIS", *layer.fills, 1.0)
    yield from _outlined(layer.lines, 1.0)
    yield from _outlined(layer.bold, BOLD)


def _hidden(drawn: Lines) -> Iterator[Batch]:
    if len(drawn.points):
        colours = np.array(drawn.colours)
        colours[..., 3] *= HIDDEN
        yield Batch("LINES", drawn.points, colours, 1.0)


def _outlined(drawn: Lines, width: float) -> Iterator[Batch]:
    """Lines over their outlines, for readability on any background."""
    if not len(drawn.points):
        return
    dark = np.empty_like(drawn.colours)
    dark[..., :3] = OUTLINE[:3]
    dark[..., 3] = OUTLINE[3] * drawn.colours[..., 3]
    yield Batch("LINES", drawn.points, dark, width, OUTLINE_WIDTH)
    yield Batch("LINES", *drawn, width)
