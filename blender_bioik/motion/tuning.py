"""Hand-tuned numbers that several stages of foot placement share; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from .tuned import tuned


@dataclass(frozen=True)
class BodyTuning:
    """Numbers of a walking body of 1.6 m and of the ground that it can walk on."""

    step_seconds: float = tuned(
        0.6, "s", "Time of a step: what happens within it belongs together.", "height, jerk"
    )
    roll_share: float = tuned(
        0.15, "ratio", "Share of a stand at both ends in which the foot rolls.", "height"
    )
    shoe_end: float = tuned(
        1.25, "ratio", "Where a shoe ends, in ways from the ball to heel or tip.", "mesh"
    )
    half_width: float = tuned(0.04, "m", "Half the width of a foot.", "mesh")
    edge: float = tuned(0.01, "m", "Jump of the ground that is an edge.", "height, penetration")
    wall: float = tuned(0.05, "m", "Rise of the ground that is a wall.", "mesh, acceleration")
    steepest: float = tuned(0.7, "tangent", "Slope of the steepest ground to walk on.", "mesh")
    no_heading: float = tuned(
        0.2,
        "ratio",
        "Feet and bones that lead ahead by a smaller share of their length lead nowhere.",
        "yaw",
    )
    most_pitch: float = tuned(
        0.5, "tangent", "Pitch up to which a foot keeps its heading exactly.", "yaw"
    )
    rounds: int = tuned(
        4, "count", "Rounds of anything that is repeated until it fits, at most.", "height, mesh"
    )


BODY = BodyTuning()
