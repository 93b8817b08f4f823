"""Hand-tuned numbers of `motion.ground`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from ..tuned import tuned


@dataclass(frozen=True)
class UnderfootTuning:
    """Numbers of the ground that a character walks on."""

    hole_depth: float = tuned(
        2.0, "knees", "Ground deeper than this many heights of the knee is a hole.", "height"
    )
    headroom: float = tuned(
        3.0, "knees", "Height of the lowest ceiling in heights of the knee.", "height"
    )


UNDERFOOT = UnderfootTuning()
