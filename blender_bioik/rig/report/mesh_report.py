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
            yield from _finding(part, excess, f"the mesh of {name}", "mesh_depth", scale)
        row = int(self.body.excess.argmax()) if len(self.bones) else 0
        name = self.bones[row] if self.bones else ""
        excess = self.body.excess / (BODY_MORE * scale)
        yield from _finding(self.body, excess, f"the body at {name}", "body_depth", scale)


def _finding(part: Depths, excess: Floats, what: str, kind: str, scale: float) -> Iterator[Finding]:
    """The finding about a part, if it is in the ground at all."""
    deepest = float(part.depth.max(initial=0.0))
    if deepest <= LITTLE * scale:
        return
    row = int(excess.argmax()) if excess.max() > 1.0 else int(part.depth.argmax())
    depth, more = float(part.depth[row]), float(part.excess[row])
    text = f"{what} is {millimetres(depth)} mm in the ground"
    if part.before[row] > LITTLE * scale:
        text += f", {millimetres(more)} mm more than in the source"
    if excess[row] > 1.0:
        yield Finding(text, kind, Severity.FAULT, float(excess[row]), row)
        return
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
