"""How deep meshes are in the ground, and what that says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...findings import Finding, Severity
from ...motion.measure.mesh_depth import Depths
from ..transforms import Floats
from .foot_table import millimetres

# A foot's mesh is a fault if it is deeper than the first number and, by the second, deeper than in
# the source; the rest of the body if it is deeper than in the source by the third. Metres for a
# person of 1.6 m.
FOOT, FOOT_MORE, BODY_MORE = 0.005, 0.004, 0.010
# Less is not worth a look.
LITTLE = 0.001


@dataclass(frozen=True, eq=False)
class MeshReport:
    """How deep a character's meshes are in the ground.

    Attributes:
        feet: Soles of the meshes of each foot.
        body: The rest of the body.
        bones: The bone that carries the deepest point of the body in each frame.
    """

    feet: tuple[Depths, ...]
    body: Depths
    bones: tuple[str, ...]

    @property
    def deepest(self) -> float:
        """The largest depth of all, metres."""
        return max(float(part.depth.max(initial=0.0)) for part in (*self.feet, self.body))

    @property
    def before(self) -> float:
        """How deep the source is in its own floor, metres."""
        return max(float(part.before.max(initial=0.0)) for part in (*self.feet, self.body))

    def findings(self, feet: Sequence[str], scale: float) -> tuple[Finding, ...]:
        """What the depths say.

        Args:
            feet: Names of the feet.
            scale: Size of the character; 1 for a person.
        """
        return tuple(self._findings(feet, scale))

    def curves(self) -> dict[str, Floats]:
        """Depth of the deepest foot and of the rest of the body in each frame, metres."""
        feet = [part.depth for part in self.feet]
        return {"mesh_depth": np.max(feet, axis=0), "body_depth": self.body.depth}

    def to_json(self, feet: Sequence[str], frames: Floats) -> dict[str, Any]:
        """As plain numbers, millimetres."""
        return {
            "feet": [
                {"name": name} | _depths_json(part, frames)
                for name, part in zip(feet, self.feet, strict=True)
            ],
            "body": _depths_json(self.body, frames),
        }

    def _findings(self, feet: Sequence[str], scale: float) -> Iterator[Finding]:
        for name, part in zip(feet, self.feet, strict=True):
            excess = np.minimum(part.depth / FOOT, part.excess / FOOT_MORE) / scale
            row = _row_to_show(part, excess)
            depth, more = _told(part, row, scale)
            text = f"the mesh of {name} is {depth} mm in the ground"
            if more:
                text = (
                    f"the mesh of {name} is {depth} mm in the ground and {more} mm deeper than in "
                    "the source"
                )
            yield from _found(part, excess, row, text, "mesh_depth", scale)
        excess = self.body.excess / (BODY_MORE * scale)
        row = _row_to_show(self.body, excess)
        name = self.bones[row] if self.bones else ""
        depth, more = _told(self.body, row, scale)
        text = f"the body at {name} is {depth} mm in the ground"
        if more:
            text = (
                f"the body at {name} is {depth} mm in the ground and {more} mm deeper than in the "
                "source"
            )
        yield from _found(self.body, excess, row, text, "body_depth", scale)


def _row_to_show(part: Depths, excess: Floats) -> int:
    """The row that is wrong, or else the deepest."""
    if excess.max(initial=0.0) > 1.0:
        return int(excess.argmax())
    return int(part.depth.argmax()) if len(part.depth) else 0


def _told(part: Depths, row: int, scale: float) -> tuple[str, str]:
    """Millimetres of a depth, and more than in the source, if the source is in its floor too."""
    more = ""
    if part.before[row] > LITTLE * scale:
        more = millimetres(float(part.excess[row]))
    return millimetres(float(part.depth[row])), more


def _found(
    part: Depths, excess: Floats, row: int, text: str, kind: str, scale: float
) -> Iterator[Finding]:
    """The finding about a part, if it is in the ground at all."""
    depth = float(part.depth[row]) if len(part.depth) else 0.0
    if excess.max(initial=0.0) > 1.0:
        yield Finding(text, kind, Severity.FAULT, float(excess[row]), row)
    elif depth > LITTLE * scale:
        # As deep as the source is in its own floor: no fault, but never to be hidden.
        severity = Severity.NOTE if depth > FOOT * scale else Severity.DETAIL
        yield Finding(text, kind, severity, depth / (FOOT * scale), row)


def _depths_json(part: Depths, frames: Floats) -> dict[str, Any]:
    row = int(part.depth.argmax()) if len(part.depth) else 0
    return {
        "depth_worst_mm": 1e3 * float(part.depth.max(initial=0.0)),
        "depth_worst_frame": float(frames[row]) if len(frames) else None,
        "excess_worst_mm": 1e3 * float(part.excess.max(initial=0.0)),
        "source_worst_mm": 1e3 * float(part.before.max(initial=0.0)),
    }
