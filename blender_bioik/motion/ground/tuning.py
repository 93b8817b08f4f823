"""Hand-tuned numbers of `motion.ground`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from ..tuned import tuned


@dataclass(frozen=True)
class UnderfootTuning:
    """Numbers of the ground that a character walks on."""

    body: float = tuned(
        3.0,
        "knees",
        "Body in heights of its knee: ceilings are not lower, and ground that is deeper is a hole.",
        "height",
    )


UNDERFOOT = UnderfootTuning()
