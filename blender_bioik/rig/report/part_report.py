"""Parts of the body that rest besides feet, in the report: rows of text, JSON and findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...findings import Finding, Severity
from ...motion.measure.rest_quality import RestQuality
from ..transforms import Floats
from .foot_table import millimetres

# More than this is a fault, metres for a person: what slides, floats or sinks.
SLIDES, FLOATS = 0.005, 0.01
# As feet, a part is worth a look above these shares of a fault.
LOOK = 0.2


class PartReport(NamedTuple):
    """A part of the body that rests: its name, and how well it does."""

    name: str
    quality: RestQuality

    def line(self) -> str:
        """Its numbers as a sentence without a period."""
        worst = (millimetres(float(values.max(initial=0.0))) for _, values in self._values())
        slides, floats, sinks = worst
        return (
            f"{self.name} rests in {self.quality.frames} frames: it slides by {slides} mm, floats "
            f"by {floats} mm and sinks by {sinks} mm at most"
        )

    def to_json(self, frames: Floats) -> dict[str, Any]:
        """As plain numbers, millimetres."""
        made: dict[str, Any] = {"name": self.name, "frames": self.quality.frames}
        for key, values in self._values():
            made[f"{key}_worst_mm"] = 1e3 * float(values.max(initial=0.0))
            made[f"{key}_worst_frame"] = float(frames[int(values.argmax())])
        return made

    def findings(self, scale: float) -> Iterator[Finding]:
        """What is wrong with it, or worth a look."""
        texts = {
            "drift": f"{self.name} slides by {{}} mm while it rests",
            "floating": f"{self.name} floats {{}} mm above its place on the ground",
            "sinking": f"{self.name} is {{}} mm below its place on the ground",
        }
        for key, values in self._values():
            limit = (SLIDES if key == "drift" else FLOATS) * scale
            row = int(values.argmax())
            worst = float(values[row])
            if worst > LOOK * limit:
                severity = Severity.FAULT if worst > limit else Severity.DETAIL
                text = texts[key].format(millimetres(worst))
                yield Finding(text, f"part_{key}", severity, worst / limit, row)

    def _values(self) -> tuple[tuple[str, Floats], ...]:
        quality = self.quality
        return (
            ("drift", quality.drift),
            ("floating", quality.floating),
            ("sinking", quality.sinking),
        )


def part_findings(parts: Sequence[PartReport], scale: float) -> list[Finding]:
    """Findings about all parts."""
    return [finding for part in parts for finding in part.findings(scale)]
