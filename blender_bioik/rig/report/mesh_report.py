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
        feet: The meshes of each foot.
        stood: What else the body stands on, such as hooves that no leg of the mapping has.
        body: The rest of the body.
        stood_bones: The bone that carries the deepest point of `stood` in each frame.
        bones: The same for `body`.
        bare: Whether there is no mesh, and the ends of bones stand for it.
    """

    feet: tuple[Depths, ...]
    stood: Depths
    body: Depths
    stood_bones: tuple[str, ...]
    bones: tuple[str, ...]
    bare: bool = False

    @property
    def deepest(self) -> float:
        """The largest depth of all, metres."""
        return max(float(part.depth.max(initial=0.0)) for part in self._parts)

    @property
    def before(self) -> float:
        """How deep the source is in its own floor, metres."""
        return max(float(part.before.max(initial=0.0)) for part in self._parts)

    @property
    def _parts(self) -> tuple[Depths, ...]:
        return (*self.feet, self.stood, self.body)

    def findings(self, feet: Sequence[str], scale: float) -> tuple[Finding, ...]:
        """What the depths say.

        Args:
            feet: Names of the feet.
            scale: Size of the character; 1 for a person.
        """
        return tuple(self._findings(feet, scale))

    def curves(self) -> dict[str, Floats]:
        """Depth of the deepest foot and of the rest of the body in each frame, metres."""
        feet = [part.depth for part in (*self.feet, self.stood)]
        return {"mesh_depth": np.max(feet, axis=0), "body_depth": self.body.depth}

    def to_json(self, feet: Sequence[str], frames: Floats) -> dict[str, Any]:
        """As plain numbers, millimetres."""
        return {
            "feet": [
                {"name": name} | _depths_json(part, frames)
                for name, part in zip(feet, self.feet, strict=True)
            ],
            "stood": _depths_json(self.stood, frames),
            "body": _depths_json(self.body, frames),
        }

    def _findings(self, feet: Sequence[str], scale: float) -> Iterator[Finding]:
        for name, part in zip(feet, self.feet, strict=True):
            what = name if self.bare else f"the mesh of {name}"
            excess = np.minimum(part.depth / FOOT, part.excess / FOOT_MORE) / scale
            yield from _found(part, excess, what, "mesh_depth", scale)
        for part, bones, limits in (
            (self.stood, self.stood_bones, (FOOT, FOOT_MORE)),
            (self.body, self.bones, (BODY_MORE, BODY_MORE)),
        ):
            excess = np.minimum(part.depth / limits[0], part.excess / limits[1]) / scale
            what = f"the body at {bones[_row_to_show(part, excess)]}"
            yield from _found(part, excess, what, "body_depth", scale)


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


def _found(part: Depths, excess: Floats, what: str, kind: str, scale: float) -> Iterator[Finding]:
    """The finding about a part, if it is in the ground at all."""
    row = _row_to_show(part, excess)
    depth, more = _told(part, row, scale)
    text = f"{what} is {depth} mm in the ground"
    if more:
        text = f"{what} is {depth} mm in the ground and {more} mm deeper than in the source"
    deep = float(part.depth[row]) if len(part.depth) else 0.0
    if excess.max(initial=0.0) > 1.0:
        yield Finding(text, kind, Severity.FAULT, float(excess[row]), row)
    elif deep > LITTLE * scale:
        # As deep as the source is in its own floor: no fault, but never to be hidden.
        severity = Severity.NOTE if deep > FOOT * scale else Severity.DETAIL
        yield Finding(text, kind, severity, deep / (FOOT * scale), row)


def _depths_json(part: Depths, frames: Floats) -> dict[str, Any]:
    row = int(part.depth.argmax()) if len(part.depth) else 0
    return {
        "depth_worst_mm": 1e3 * float(part.depth.max(initial=0.0)),
        "depth_worst_frame": float(frames[row]) if len(frames) else None,
        "excess_worst_mm": 1e3 * float(part.excess.max(initial=0.0)),
        "source_worst_mm": 1e3 * float(part.before.max(initial=0.0)),
    }
