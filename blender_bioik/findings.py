"""Findings about a clip and its result, and the verdict they make: the one place for both.

Whoever detects something that the user has to know makes a `Finding`: the mapping, the soles, the
floors and the contacts before a bake, the planner and the measures after it. Reports, panels and
the command line show them as sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

# Kinds of findings about the same: a verdict names the worst of them and counts the others.
TOPICS = {
    "penetration": "in the ground",
    "mesh_depth": "in the ground",
    "body_depth": "in the ground",
    "floating": "floating",
    "rest_floats": "floating",
    "drift": "sliding",
    "drift_mean": "sliding",
    "rest_slides": "sliding",
    "jerk": "jolts",
    "acceleration": "jolts",
    "joint_jerk": "jolts",
    "foot_twist": "turned feet",
    "foot_tilt": "turned feet",
    "slope_error": "turned feet",
}
# Kinds of findings that say what a setting decided for the user: a part of every verdict.
CLIMB, IN_PLACE = DECISIONS = "climb", "in_place"


class Severity(IntEnum):
    """What a finding means for the result.

    Attributes:
        DETAIL: It is good enough, but worth a look: a foot floats by 4 mm. Only lists have it.
        NOTE: It is as it should be, but good to know: the clip climbs to 2 m.
        WARNING: The result may be wrong, which cannot be measured: the mapping is a guess.
        FAULT: The result is wrong, as measured: a mesh is in the ground.
    """

    DETAIL = 0
    NOTE = 1
    WARNING = 2
    FAULT = 3


@dataclass(frozen=True)
class Finding:
    """Something that the user has to know about a clip or its result.

    Attributes:
        text: What is the case, in words that begin in lower case and end without a period:
            "the mesh of leg.L is 14 mm in the ground". The frames are added to it.
        kind: What it is about, for programs: "mesh_depth".
        severity: What it means for the result.
        excess: The measured value as a multiple of its limit; larger ones are named first.
        row: Row of the frame to look at; None if it is about the whole clip.
        last: Last row, if the finding is about all rows from `row` on.
    """

    text: str
    kind: str
    severity: Severity = Severity.NOTE
    excess: float = 1.0
    row: int | None = None
    last: int | None = None

    def sentence(self, frames: ArrayLike) -> str:
        """The text with its frame numbers, without a period.

        Args:
            frames: The frames of the rows; (f,).
        """
        at = _frames(self, frames)
        if not at:
            return self.text
        if len(at) == 1:
            return f"{self.text} (at frame {at[0]:g})"
        return f"{self.text} (frames {at[0]:g} to {at[1]:g})"

    def to_json(self, frames: ArrayLike) -> dict[str, Any]:
        """As plain numbers and texts; `frame` is the one to look at."""
        at = _frames(self, frames)
        return {
            "kind": self.kind,
            "severity": self.severity.name.lower(),
            "text": self.text,
            "sentence": self.sentence(frames),
            "excess": self.excess,
            "frame": at[0] if at else None,
            "last_frame": at[1] if len(at) == 2 else None,
        }


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in the order in which they matter, the worst first."""
    return sorted(findings, key=lambda finding: (-finding.severity, -finding.excess))


def verdict(findings: Iterable[Finding], frames: ArrayLike) -> str:
    """One sentence: good, or everything that is wrong, worst first; and what was decided.

    Args:
        findings: All findings about a result.
        frames: The frames of the rows; (f,).
    """
    found = ranked(findings)
    faults = [finding for finding in found if finding.severity == Severity.FAULT]
    warnings = [finding for finding in found if finding.severity == Severity.WARNING]
    decided = [_decided(finding, frames) for finding in found if finding.kind in DECISIONS]
    parts = ["Good"]
    if faults:
        parts = [f"Problems found: {_listed([*faults, *warnings], frames)}"]
    elif warnings:
        parts = [f"Good, but {_listed(warnings, frames)}"]
    return f"{'; '.join([*parts, *decided])}."


def is_good(findings: Iterable[Finding]) -> bool:
    """Whether there is neither a fault nor a warning."""
    return all(finding.severity < Severity.WARNING for finding in findings)


def told(findings: Iterable[Finding], frames: ArrayLike) -> list[str]:
    """A sentence for each finding but details, the worst first."""
    found = [finding for finding in ranked(findings) if finding.severity > Severity.DETAIL]
    return [_told(finding, frames) for finding in found]


def _told(finding: Finding, frames: ArrayLike) -> str:
    text = finding.sentence(frames)
    return (
        f"Good to know: {text}." if finding.severity == Severity.NOTE else f"To be checked: {text}."
    )


def _decided(finding: Finding, frames: ArrayLike) -> str:
    """What was decided, after the name of the setting."""
    if finding.kind == CLIMB:
        return f"Levels: {finding.sentence(frames)}"
    return f"Planted Feet: {finding.sentence(frames)}"


def _listed(findings: Sequence[Finding], frames: ArrayLike) -> str:
    """The first of the findings of each topic, and how many others there are."""
    named: dict[str, Finding] = {}
    for finding in findings:
        named.setdefault(TOPICS.get(finding.kind, finding.kind), finding)
    texts = [finding.sentence(frames) for finding in named.values()]
    others = len(findings) - len(named)
    return "; ".join([*texts, f"more problems: {others}"] if others > 0 else texts)


def _frames(finding: Finding, frames: ArrayLike) -> list[float]:
    """The frames of a finding: none, one, or the first and the last."""
    if finding.row is None:
        return []
    rows = [finding.row]
    if finding.last is not None and finding.last > finding.row:
        rows.append(finding.last)
    return [float(number) for number in np.asarray(frames, float)[rows]]
