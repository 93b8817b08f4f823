"""Parts of the body that rest besides feet, in the report: rows of text, JSON and findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...findings import Finding, Severity
from ..transforms import Floats
from .foot_table import millimetres

if TYPE_CHECKING:  # scipy: Blender's startup does not wait for it
    from ...motion.measure.rest_quality import RestQuality

# More than this is a fault, metres for a person: what slides, floats or sinks.
SLIDES, FLOATS = 0.005, 0.01
# As feet, a part is worth a look above these shares of a fault.
LOOK = 0.2


class PartReport(NamedTuple):
    """A part of the body that rests.

    Attributes:
        name: What it is called.
        quality: How well it rests.
        is_limb: Whether it is of a limb: a straight back does not touch the ground everywhere.
    """

    name: str
    quality: RestQuality
    is_limb: bool = True

    def sentence(self) -> str:
        """Its numbers as a sentence without a period."""
        quality = self.quality
        slides, floats, sinks = (
            millimetres(float(values.max(initial=0.0)))
            for values in (quality.drift, quality.floating, quality.sinking)
        )
        if quality.held:
            return (
                f"{self.name} rests in {quality.frames} frames, in {quality.held} of them on "
                f"something above the floor: it slides by {slides} mm, floats by {floats} mm and "
                f"sinks by {sinks} mm at most"
            )
        return (
            f"{self.name} rests in {quality.frames} frames: it slides by {slides} mm, floats by "
            f"{floats} mm and sinks by {sinks} mm at most"
        )

    def to_json(self, frames: Floats) -> dict[str, Any]:
        """As plain numbers, millimetres."""
        made: dict[str, Any] = {"name": self.name, "frames": self.quality.frames}
        made["held"] = self.quality.held
        for name, values in vars(self.quality).items():
            if name not in made:
                made[f"{name}_worst_mm"] = 1e3 * float(values.max(initial=0.0))
                made[f"{name}_worst_frame"] = float(frames[int(values.argmax())])
        return made

    def findings(self, scale: float) -> Iterator[Finding]:
        """What is wrong with it, or worth a look."""
        quality = self.quality
        slides, floats, sinks = (
            _Peak(values, limit * scale)
            for values, limit in (
                (quality.drift, SLIDES),
                (quality.floating, FLOATS),
                (quality.sinking, FLOATS),
            )
        )
        found = (
            Finding(
                f"{self.name} slides by {slides} mm while it rests", "part_drift", *slides.finding
            ),
            Finding(
                f"{self.name} floats {floats} mm above its place on the ground",
                "part_floating",
                *floats.finding,
            ),
            Finding(
                f"{self.name} is {sinks} mm below its place on the ground",
                "part_sinking",
                *sinks.finding,
            ),
        )
        return (finding for finding in found if finding.excess > LOOK and self.is_limb)


class _Peak:
    """The largest of some values (f,), against a limit, metres."""

    def __init__(self, values: Floats, limit: float) -> None:
        self._row = int(values.argmax()) if len(values) else 0
        self._worst = float(values.max(initial=0.0))
        self._excess = self._worst / limit

    def __str__(self) -> str:
        return millimetres(self._worst)

    @property
    def finding(self) -> tuple[Severity, float, int]:
        """Severity, excess and row of what it means."""
        severity = Severity.FAULT if self._excess > 1.0 else Severity.DETAIL
        return severity, self._excess, self._row


def part_findings(parts: Sequence[PartReport], scale: float) -> list[Finding]:
    """Findings about all parts."""
    return [finding for part in parts for finding in part.findings(scale)]
