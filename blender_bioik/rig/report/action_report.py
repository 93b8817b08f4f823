"""The report of an action that is there, against its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...findings import Finding, is_good, ranked, told, verdict
from ..transforms import Floats
from .body_report import BodyReport

SCHEMA = "bioik.action_report"
SCHEMA_VERSION = 1


@dataclass(frozen=True, eq=False)
class ActionReport:
    """What is measured of an action against its source, whatever made it.

    Attributes:
        source: Name of the source.
        result: Name of the action.
        frames: The frames; (f,).
        scale: Size of the character; 1 for a person.
        body: Measures of the whole body.
        findings: What they say, the worst first.
    """

    source: str
    result: str
    frames: Floats
    scale: float
    body: BodyReport
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether nothing is wrong or in doubt."""
        return is_good(self.findings)

    def summary(self) -> str:
        """The verdict."""
        return verdict(self.findings, self.frames)

    def lines(self) -> list[str]:
        """The verdict, and a sentence for each finding."""
        return [self.summary(), *told(ranked(self.findings), self.frames)]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain numbers, texts, lists and dicts."""
        return {
            "schema": SCHEMA,
            "version": SCHEMA_VERSION,
            "source": self.source,
            "written": self.result,
            "frames": len(self.frames),
            "first_frame": float(self.frames[0]),
            "last_frame": float(self.frames[-1]),
            "scale": self.scale,
            "good": self.good,
            "verdict": self.summary(),
            "findings": [finding.to_json(self.frames) for finding in self.findings],
            "body": self.body.to_json(self.frames),
        }
