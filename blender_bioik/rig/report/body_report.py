"""What is measured on a whole body, whatever was planned, and what that says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...findings import Finding, Severity
from ...motion.measure.joint_jerk import JointJerk
from ...motion.measure.rest_change import RestChange
from ...motion.measure.ties import Stretch
from ..transforms import Floats
from .foot_table import millimetres
from .mesh_report import MeshReport

# What is more is a fault; metres for a person.
FLOATS, STRETCHES, RISES = 0.01, 0.001, 0.05
# The mean over all that rests, and the largest of it; metres for a person.
SLIDES_MEAN, SLIDES = 0.001, 0.005
# What slides by less more than in the source slides as in the source, metres for a person.
AS_BEFORE = 0.0005
# The largest jerk of a joint against its limb's in the source, and the mean of all.
JERKS, JERKS_MEAN = 1.5, 1.15


@dataclass(frozen=True, eq=False)
class BodyReport:
    """Measures of a whole body.

    Attributes:
        meshes: How deep meshes are in the ground.
        rests: What becomes of all that rests in the source.
        stretch: The bones that are torn apart the most; None if none are tied.
        rise: How much higher the body is than the ground asks for in each frame; metres; (f,).
        jerk: The joint with the largest jerk against the source; None in clips that are too short.
        names: Names of the bones.
        feet: Names of feet by their bones.
    """

    meshes: MeshReport
    rests: tuple[RestChange, ...]
    stretch: Stretch | None
    rise: Floats
    jerk: JointJerk | None
    names: tuple[str, ...]
    feet: Mapping[tuple[int, ...], str]

    def findings(self, scale: float) -> tuple[Finding, ...]:
        """What the measures say.

        Args:
            scale: Size of the character; 1 for a person.
        """
        feet = tuple(self.feet.values())
        return (
            *self.meshes.findings(feet, scale),
            *self._floats(scale),
            *self._slides(scale),
            *self._stretches(scale),
            *self._rises(scale),
            *self._jerks(),
        )

    def to_json(self, frames: Floats) -> dict[str, Any]:
        """As plain numbers, millimetres."""
        worst = self._most_floating
        return {
            "meshes": self.meshes.to_json(tuple(self.feet.values()), frames),
            "floats_worst_mm": 1e3 * (float(worst.floats.max()) if worst else 0.0),
            "slides_mean_mm": 1e3 * _mean(self.rests),
            "slides_worst_mm": 1e3 * max((rest.slides for rest in self.rests), default=0.0),
            "stretch_worst_mm": 1e3 * (float(self.stretch.change.max()) if self.stretch else 0.0),
            "rise_worst_mm": 1e3 * float(np.abs(self.rise).max(initial=0.0)),
            "jerk_worst_ratio": self.jerk.ratio if self.jerk else 1.0,
            "jerk_legs_mean_ratio": self.jerk.mean if self.jerk else 1.0,
        }

    def part(self, bones: tuple[int, ...]) -> str:
        """What a part of the body that rests is called."""
        return self.feet.get(bones) or self.names[bones[0]]

    @property
    def _most_floating(self) -> RestChange | None:
        some = [rest for rest in self.rests if len(rest.floats)]
        return max(some, key=lambda rest: float(rest.floats.max()), default=None)

    def _floats(self, scale: float) -> Iterator[Finding]:
        worst = self._most_floating
        if worst is None or (height := float(worst.floats.max())) <= FLOATS * scale:
            return
        yield Finding(
            f"{self.part(worst.rest.bones)} floats {millimetres(height)} mm above the ground",
            "rest_floats",
            Severity.FAULT,
            height / (FLOATS * scale),
            worst.rest.first + int(worst.floats.argmax()),
        )

    def _slides(self, scale: float) -> Iterator[Finding]:
        """What slides although it rests; a warning if it does so in the source."""
        if not self.rests:
            return
        worst = max(self.rests, key=lambda rest: rest.slides)
        mean = _mean(self.rests)
        excess = max(mean / (SLIDES_MEAN * scale), worst.slides / (SLIDES * scale))
        if excess <= 1.0:
            return
        more = [rest for rest in self.rests if rest.slides > rest.slid + AS_BEFORE * scale]
        new = max(
            sum(rest.slides for rest in more) / len(self.rests) / (SLIDES_MEAN * scale),
            max((rest.slides for rest in more), default=0.0) / (SLIDES * scale),
        )
        name, way = self.part(worst.rest.bones), millimetres(worst.slides)
        if new <= 1.0:
            text = f"{name} slides by {way} mm while it rests, as in the source"
            yield Finding(text, "rest_slides", Severity.WARNING, excess, worst.row)
            return
        worst = max(more, key=lambda rest: rest.slides)
        name, way = self.part(worst.rest.bones), millimetres(worst.slides)
        text = f"{name} slides by {way} mm while it rests"
        yield Finding(text, "rest_slides", Severity.FAULT, new, worst.row)

    def _stretches(self, scale: float) -> Iterator[Finding]:
        if self.stretch is None:
            return
        change = float(self.stretch.change.max(initial=0.0))
        if change > STRETCHES * scale:
            one, other = (self.names[bone] for bone in self.stretch.bones)
            text = f"{one} and {other} are torn apart by {millimetres(change)} mm"
            row = int(self.stretch.change.argmax())
            yield Finding(text, "stretch", Severity.FAULT, change / (STRETCHES * scale), row)

    def _rises(self, scale: float) -> Iterator[Finding]:
        row = int(np.abs(self.rise).argmax()) if len(self.rise) else 0
        change = float(self.rise[row]) if len(self.rise) else 0.0
        if abs(change) > RISES * scale:
            size = millimetres(abs(change))
            text = f"the body's height above the ground is {size} mm more than in the source"
            if change < 0.0:
                text = f"the body's height above the ground is {size} mm less than in the source"
            yield Finding(text, "height", Severity.FAULT, abs(change) / (RISES * scale), row)

    def _jerks(self) -> Iterator[Finding]:
        if self.jerk is None:
            return
        mean = self.jerk.mean
        if mean > JERKS_MEAN:
            text = f"the jerk of the legs is {mean:.2f} times the source's on average"
            yield Finding(text, "jerk_mean", Severity.FAULT, mean / JERKS_MEAN)
        if self.jerk.ratio <= JERKS:
            return
        name, ratio = self.names[self.jerk.bone], self.jerk.ratio
        text = f"the jerk of {name} is {ratio:.1f} times the largest in the source"
        yield Finding(text, "joint_jerk", Severity.FAULT, ratio / JERKS, self.jerk.row)


def _mean(rests: Sequence[RestChange]) -> float:
    """Mean of how far each part slides while it rests, metres."""
    return float(np.mean([rest.slides for rest in rests])) if rests else 0.0
