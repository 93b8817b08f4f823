"""Hand-tuned numbers of `motion.tuning.py`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from .tuned import tuned


@dataclass(frozen=True)
class HeadingTuning:
    """Numbers of the headings of feet."""

    no_heading: float = tuned(
        0.2,
        "ratio",
        "Feet whose level way is less than this share of their length have no heading.",
        "yaw",
    )
    most_pitch: float = tuned(
        0.5, "tangent", "Pitch up to which a foot keeps its heading exactly.", "yaw"
    )


HEADINGS = HeadingTuning()
