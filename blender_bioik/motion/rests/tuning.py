"""Hand-tuned numbers of `motion.rests`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from ..tuned import tuned


@dataclass(frozen=True)
class HoldTuning:
    """Numbers of what rests on things above the floor, for a character of 1.6 m."""

    reach: float = tuned(
        0.12, "m", "How far from its place in the clip a hand finds what it rests on.", "hands"
    )
    stretched: float = tuned(
        0.98, "ratio", "Share of its length to which an arm is stretched at most.", "hands"
    )
    hangs: float = tuned(
        0.9, "ratio", "Cosine to the vertical above which an arm that stays only hangs.", "hands"
    )
    closed: float = tuned(
        0.6,
        "ratio",
        "Thickness of a hand whose fingers are closed, as a share of its width.",
        "hands",
    )


HOLDS = HoldTuning()
