"""Hand-tuned numbers of `motion.solve`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tuned import tuned
from ..tuning import BODY


@dataclass(frozen=True)
class WeightTuning:
    """Sigmas for a character of 1.6 m: such an error, for a thirtieth of a second, costs one."""

    lock: float = tuned(5e-5, "m", "Planted ball or other part, in plan view.", "drift")
    lock_height: float = tuned(8e-5, "m", "Planted ball, in height.", "knee, yaw")
    end_plan: float = tuned(0.007, "m", "Planted heel or tip, in plan view.", "yaw, jerk_legs")
    end_height: float = tuned(0.0018, "m", "Planted heel, tip or other part, in height.", "height")
    penetration: float = tuned(4e-4, "m", "Depth of a sole point in the ground.", "penetration")
    swing: float = tuned(
        0.02, "m", "Missing height of a swinging point over the ground or below its path.", "swing"
    )
    swing_path: float = tuned(
        0.03, "m", "Distance of a swinging ball from its path, in plan view.", "jerk_legs, pelvis"
    )
    firm: float = tuned(
        0.002,
        "m",
        "Point past its wall, hand that stays in the world, foot led along a path.",
        "mesh, penetration",
    )
    slide_turn: float = tuned(0.13, "rad", "Turn of such a foot.", "height, yaw")
    slide_pelvis: float = tuned(
        4.0, "ratio", "Firmness of a pelvis whose feet only slide.", "pelvis"
    )
    foot_turn: float = tuned(
        0.2, "rad", "Turn of a foot against the animation on the slope.", "jerk_legs, yaw"
    )
    heading: float = tuned(
        0.018, "rad", "Heading of a planted foot, turn of a hand that stays.", "yaw, hands"
    )
    rolling_heading: float = tuned(
        0.04,
        "rad",
        "Heading of a planted foot with known sides; turn of other parts that rest.",
        "yaw, mesh",
    )
    swing_heading: float = tuned(0.1, "rad", "Heading of a swinging foot.", "yaw, jerk_legs")
    firm_turn: float = tuned(
        0.005,
        "rad",
        "Knee or elbow straightened too far, turn of bones above a pelvis that tilts.",
        "knee, upper",
    )
    pelvis_plan: float = tuned(0.014, "m", "Pelvis, in plan view.", "pelvis")
    pelvis_height: float = tuned(0.024, "m", "Pelvis, in height.", "jerk, pelvis")
    straight_degrees: float = tuned(
        8.0,
        "deg",
        "Legs and arms are not straightened beyond this, or beyond the source.",
        "knee, jerk_legs",
    )
    hand_near: float = tuned(
        0.85,
        "ratio",
        "Share of the arm's length beyond which a hand falls short of its place.",
        "hands",
    )

    @property
    def holds(self) -> tuple[tuple[float, float], ...]:
        """Sigmas of planted heel, ball and tip, in plan view and in height, metres."""
        end = (self.end_plan, self.end_height)
        return (end, (self.lock, self.lock_height), end)

    @property
    def straight(self) -> float:
        """`straight_degrees` as radians."""
        return float(np.radians(self.straight_degrees))


WEIGHTS = WeightTuning()


@dataclass(frozen=True)
class DescentTuning:
    """Numbers of the descent to a solution."""

    softer: float = tuned(
        5.0,
        "ratio",
        "Softness of locks and the ground in a stage against the next one, of three.",
        "jerk, jerk_legs",
    )
    led: float = tuned(
        16.0, "ratio", "Firmness of the paths of swings in these stages.", "jerk_legs"
    )
    soft_steps: int = tuned(5, "count", "Steps of a stage, at most.", "time")
    most_parts: float = tuned(
        0.6, "ratio", "Share of the clip from which all of it is solved.", "time"
    )
    spacing: float = tuned(
        2.0, "ratio", "Spacing of the step lengths, in times of the above.", "time"
    )
    stiffer: float = tuned(
        10.0,
        "ratio",
        "Factor by which a missed goal, or a pressed point, becomes stiffer.",
        "goals",
    )
    helped: float = tuned(
        0.7,
        "ratio",
        "A step has helped if it leaves less, or loses less elsewhere, than this share.",
        "goals",
    )
    least_gain: float = tuned(
        1e-3,
        "ratio",
        "A clip has settled when a step gains less than this share of the cost.",
        "jerk, time",
    )
    longest_step: float = tuned(0.5, "rad", "Change of a joint in a step, at most.", "jerk")
    least_part: float = tuned(0.1, "ratio", "Smallest part of a step that is tried next.", "time")
    most_part: float = tuned(0.5, "ratio", "Largest part of a step that is tried next.", "time")
    step_parts: int = tuned(4, "count", "Parts of a step that are tried, at most.", "time")

    @property
    def stiffest(self) -> float:
        """Factor of the weight of what is demanded: as stiff as it gets in all rounds."""
        return self.stiffer**BODY.rounds

    @property
    def stages(self) -> tuple[float, ...]:
        """Softness of locks by stages; the last one is as stiff as locks are."""
        return (self.softer**2, self.softer, 1.0)


DESCENT = DescentTuning()


@dataclass(frozen=True)
class ContactGroundTuning:
    """Numbers of the ground below sole points while feet are solved, for a character of 1.6 m."""

    edge_reach: float = tuned(
        0.02, "m", "Distance from its upper side at which an edge is forgotten.", "jerk_legs"
    )
    body_depth: float = tuned(
        0.004,
        "m",
        "Depth of the body in the ground, beyond the source's in its floor, that is pushed out.",
        "body, jerk",
    )


GROUND = ContactGroundTuning()


@dataclass(frozen=True)
class JoltTuning:
    """Numbers of jolts and how they are calmed, for a character of 1.6 m."""

    most: float = tuned(
        1.1,
        "ratio",
        "Acceleration of a leg or a knee against the largest in the source that is a jolt.",
        "acceleration",
    )
    percentile: float = tuned(
        99.0, "%", "Percentile of the acceleration that tells trembling.", "acceleration_legs"
    )
    usual: float = tuned(
        1.03, "ratio", "A leg trembles above this ratio to the source.", "acceleration_legs"
    )
    dearer: float = tuned(
        4.0,
        "ratio",
        "Factor of the cost of acceleration in each round of calming.",
        "acceleration, jerk_legs",
    )
    firmer: float = tuned(3.0, "ratio", "Factor of the firmness of a led foot's turn.", "yaw")
    lead: float = tuned(0.002, "m", "Sigma of the path of a trembling foot.", "acceleration_legs")
    even_seconds: float = tuned(0.035, "s", "Smoothing of that path.", "acceleration_legs")


JOLTS = JoltTuning()


@dataclass(frozen=True)
class LoopTuning:
    """Numbers of clips that repeat, for a character of 1.6 m."""

    back: float = tuned(
        0.01, "m", "Distance within which joints are back where they began.", "loop"
    )
    steps_apart: float = tuned(
        2.0, "ratio", "Largest way over the seam in steps; one over it is the shortest.", "loop"
    )


LOOPS = LoopTuning()
