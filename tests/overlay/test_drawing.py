"""Pixels of the overlay, where bpy can draw without a window (from Blender 5.2 on).

Tests of: batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import bpy
import gpu
import numpy as np
import pytest
from mathutils import Matrix

from blender_bioik.overlay import drawing
from blender_bioik.overlay.elements import Look
from blender_bioik.rig.report.goal_errors import GoalError, forget_errors, keep_errors
from blender_bioik.rig.trace.read_trace import read_trace
from blender_bioik.rig.trace.trace import keep_trace

from ..builders.rigs import humanoid

pytestmark = pytest.mark.skipif(
    bpy.app.background and not hasattr(gpu, "init"),
    reason="this bpy cannot draw without a window: from Blender 5.2 on it can",
)
SIZE = 256
NOTHING: dict[str, Any] = dict.fromkeys(
    ("goals", "soles", "footprints", "spans", "pelvis", "ghost"), False
)


@pytest.fixture(scope="module", autouse=True)
def drawing_without_a_window(registered: None) -> Iterator[None]:
    if bpy.app.background:
        gpu.init()
    yield
    drawing.forget_drawn()
    forget_errors()


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person with a path along X, seen from above, that stands on its left foot at first."""
    made = humanoid()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 9
    for frame, along in ((1, -1.0), (9, 1.0)):
        made.location.x = along
        made.keyframe_insert("location", frame=frame)
    contact = made.bioik.feet.contacts.add()
    contact.foot, contact.frame_start, contact.frame_end = "leg.L", 1, 4
    bpy.context.scene.frame_set(1)
    keep_trace(made, read_trace(bpy.context.scene, made))
    return made


def picture(rig: bpy.types.Object, look: Look, frame: float = 1) -> np.ndarray:
    """The drawing, two metres to each side seen from above; (rows, columns, 4) of 0 to 255."""
    screen = gpu.types.GPUOffScreen(SIZE, SIZE)
    with screen.bind():
        buffer = gpu.state.active_framebuffer_get()
        buffer.clear(color=(0.0, 0.0, 0.0, 1.0), depth=1.0)
        gpu.matrix.load_matrix(Matrix.Translation((0.0, 0.0, -5.0)))
        gpu.matrix.load_projection_matrix(Matrix.Diagonal((0.5, 0.5, -0.1, 1.0)))
        drawing.draw_armatures([rig], frame, look, 2.0)
        pixels = buffer.read_color(0, 0, SIZE, SIZE, 4, 0, "UBYTE")
    screen.free()
    pixels.dimensions = SIZE * SIZE * 4
    return np.array(pixels, np.uint8).reshape(SIZE, SIZE, 4)


def lit(drawn: np.ndarray) -> np.ndarray:
    """Places (n, 2) in metres, x and y, that are not black."""
    rows, columns = np.nonzero(drawn[..., :3].max(axis=-1) > 60)
    return np.stack([columns, rows], axis=1) / SIZE * 4.0 - 2.0


@pytest.fixture
def shown(rig: bpy.types.Object) -> Callable[..., np.ndarray]:
    def show(*names: str, frame: float = 1) -> np.ndarray:
        return picture(rig, Look(**(NOTHING | dict.fromkeys(names, True))), frame)

    return show


def test_nothing_is_drawn_of_nothing(shown: Callable[..., np.ndarray]) -> None:
    assert len(lit(shown())) == 0


def test_the_pelvis_path_spans_the_whole_clip(
    shown: Callable[..., np.ndarray],
) -> None:
    places = lit(shown("pelvis"))

    np.testing.assert_allclose([places[:, 0].min(), places[:, 0].max()], [-1.0, 1.0], atol=0.05)
    assert np.abs(places[:, 1]).max() < 0.05


def test_the_footprint_is_under_the_left_foot(
    rig: bpy.types.Object, shown: Callable[..., np.ndarray]
) -> None:
    places = lit(shown("footprints"))

    assert len(places) > 20
    bpy.context.scene.frame_set(2)  # in the middle of its contact
    foot = rig.matrix_world @ rig.pose.bones["foot.L"].head
    assert places[:, 0].mean() == pytest.approx(foot.x, abs=0.03)
    assert -0.2 < places[:, 1].min() < places[:, 1].max() < 0.05


def test_current_stands_are_drawn_more_boldly(shown: Callable[..., np.ndarray]) -> None:
    now, later = (shown("footprints", frame=frame) for frame in (3, 8))

    assert now[..., :3].astype(int).sum() > 1.5 * later[..., :3].astype(int).sum()


def test_goals_are_red_where_they_are_missed(
    rig: bpy.types.Object, shown: Callable[..., np.ndarray]
) -> None:
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.name, goal.point = "POSITION", "head", "Nod", (0.5, 1.0, 1.5)

    def colour() -> np.ndarray:
        drawn = shown("goals")
        return np.asarray(drawn[drawn[..., :3].max(axis=-1) > 60].astype(float).mean(axis=0))

    keep_errors(rig, [("Nod", GoalError(50.0, "mm", False))])
    red = colour()
    keep_errors(rig, [("Nod", GoalError(0.01, "mm", True))])
    green = colour()

    assert red[0] > 2.0 * red[1]
    assert green[1] > 2.0 * green[0]


def test_shapes_are_made_only_when_their_data_change(
    rig: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    for name in ("still_elements", "current_elements", "ghost_elements"):
        real = getattr(drawing, name)

        def counted(*given: Any, name: str = name, real: Any = real) -> Any:
            made.append(name)
            return real(*given)

        monkeypatch.setattr(drawing, name, counted)
    drawing.forget_drawn()
    everything = Look()

    picture(rig, everything)
    assert sorted(made) == ["current_elements", "ghost_elements", "still_elements"]
    made.clear()
    picture(rig, everything)
    assert made == []
    picture(rig, everything, frame=2)
    assert sorted(made) == ["current_elements", "ghost_elements"]
    made.clear()
    rig.bioik.feet.contacts[0].frame_end = 5
    picture(rig, everything, frame=2)
    assert "still_elements" in made
