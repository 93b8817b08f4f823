"""A hand-tuned number as a field of a dataclass: its value, unit, reason and effect."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def tuned(value: float, unit: str, reason: str, moves: str) -> Any:
    """A field for a hand-tuned number.

    Args:
        value: The number.
        unit: Its unit; "ratio" for shares and factors, "tangent" for slopes.
        reason: What it is, in a line.
        moves: The measured quantities that it affects, by their names in docs/tuning.md.
    """
    return field(default=value, metadata={"unit": unit, "reason": reason, "moves": moves})
