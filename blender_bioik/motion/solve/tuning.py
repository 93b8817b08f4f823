"""Hand-tuned numbers of `motion.solve`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tuned import tuned


@dataclass(frozen=True)
class WeightTuning:
    """Sigmas for a character of 1.6 m: such an error, for a thirtieth of a second, costs one."""

    lock_plan: float = tuned(5e-5, "m", "Planted ball, in plan view.", "drift")
    lock_height: float = tuned(8e-5, "m", "Planted ball, in height.", "height, goals")
    end_plan: float = tuned(0.007, "m", "Planted heel or tip, in plan view.", "yaw, jerk_legs")
    end_height: float = tuned(0.0018, "m", "Planted heel or tip, in height.", "height")
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
    heading: float = tuned(0.018, "rad", "Heading of a planted foot.", "yaw")
    rolling_heading: float = tuned(
        0.04, "rad", "The same with known sides, which roll the foot onto the ground.", "yaw, mesh"
    )
    swing_heading: float = tuned(0.1, "rad", "Heading of a swinging foot.", "yaw, jerk_legs")
    straight_hinge: float = tuned(
        0.005, "rad", "Knee or elbow straightened beyond the limit below.", "knee"
    )
    pelvis_plan: float = tuned(0.014, "m", "Pelvis, in plan view.", "pelvis")
    pelvis_height: float = tuned(0.024, "m", "Pelvis, in height.", "jerk, pelvis")
    hand_turn_degrees: float = tuned(1.0, "deg", "Turn of a hand that stays in the world.", "hands")
    straight_degrees: float = tuned(
        8.0,
        "deg",
        "Legs and arms are not straightened beyond this, or beyond the source.",
        "knee, jerk_legs",
    )
    hand_reach: float = tuned(
        0.97, "ratio", "Share of the arm's length beyond which a hand is not placed.", "hands"
    )
    hand_near: float = tuned(
        0.85, "ratio", "Share of the arm's length at which the approach to that begins.", "hands"
    )

    @property
    def holds(self) -> tuple[tuple[float, float], ...]:
        """Sigmas of planted heel, ball and tip, in plan view and in height, metres."""
        end = (self.end_plan, self.end_height)
        return (end, (self.lock_plan, self.lock_height), end)

    @property
    def hand_turn(self) -> float:
        """`hand_turn_degrees` as radians."""
        return float(np.radians(self.hand_turn_degrees))

    @property
    def straight(self) -> float:
        """`straight_degrees` as radians."""
        return float(np.radians(self.straight_degrees))


WEIGHTS = WeightTuning()


@dataclass(frozen=True)
class DescentTuning:
    """Numbers of the descent to a solution."""

    first_stage: float = tuned(
        30.0, "ratio", "Softness of locks in the first stage.", "jerk, jerk_legs"
    )
    second_stage: float = tuned(
        5.0, "ratio", "Softness of locks and the ground in the second stage.", "jerk, jerk_legs"
    )
    led: float = tuned(
        16.0, "ratio", "Firmness of the paths of swings in these stages.", "jerk_legs"
    )
    soft_steps: int = tuned(5, "count", "Steps of a stage, at most.", "time")
    fewest_steps: int = tuned(80, "count", "Steps of a long clip, at most.", "time")
    most_steps: int = tuned(240, "count", "Steps of a short clip, at most.", "goals, time")
    rows_stepped: int = tuned(
        100_000, "rows", "Rows that are stepped, at most, between these two.", "time"
    )
    rounds: int = tuned(
        6, "count", "Rounds of pressing, lifting and calming, at most.", "penetration"
    )
    most_parts: float = tuned(
        0.6, "ratio", "Share of the clip from which all of it is solved.", "time"
    )
    spacing: float = tuned(
        2.0, "ratio", "Spacing of the step lengths, in times of the above.", "time"
    )
    demand: float = tuned(1e4, "ratio", "Weight of the animator's goals.", "goals")
    stiffer: float = tuned(10.0, "ratio", "Factor by which a missed goal becomes stiffer.", "goals")
    stiffenings: int = tuned(
        4, "count", "Rounds in which missed goals become stiffer, at most.", "goals"
    )
    within: float = tuned(
        0.8, "ratio", "Share of its tolerance within which a goal is safely reached.", "goals"
    )
    helped: float = tuned(
        0.7, "ratio", "A step or a measure has helped if it leaves less than this share.", "goals"
    )
    least_gain: float = tuned(
        1e-3,
        "ratio",
        "A clip has settled when a step gains less than this share of the cost.",
        "jerk, time",
    )
    least_change: float = tuned(
        2e-4, "rad", "A clip has settled when no joint changes by more.", "jerk, time"
    )
    longest_step: float = tuned(0.5, "rad", "Change of a joint in a step, at most.", "jerk")
    least_part: float = tuned(0.1, "ratio", "Smallest part of a step that is tried next.", "time")
    most_part: float = tuned(0.5, "ratio", "Largest part of a step that is tried next.", "time")
    step_parts: int = tuned(4, "count", "Parts of a step that are tried, at most.", "time")
    tolerated: float = tuned(
        0.6, "ratio", "Loss of a step in some rows as a share of its gain in all.", "time"
    )
    damping: float = tuned(1e-6, "1", "Damping of the Gauss-Newton system.", "jerk")

    @property
    def stages(self) -> tuple[float, ...]:
        """Softness of locks by stages; the last one is as stiff as locks are."""
        return (self.first_stage, self.second_stage, 1.0)


DESCENT = DescentTuning()


@dataclass(frozen=True)
class ContactGroundTuning:
    """Numbers of the ground below sole points while feet are solved, for a character of 1.6 m."""

    edge_reach: float = tuned(
        0.02, "m", "Distance from its upper side at which an edge is forgotten.", "jerk_legs"
    )
    cliff: float = tuned(
        1.5, "tangent", "Slopes steeper than this count as level.", "mesh, penetration"
    )
    press: float = tuned(6.0, "ratio", "Factor of a pressed point's weight.", "penetration")
    most_press: float = tuned(
        200.0, "ratio", "Factor of a pressed point's weight, at most.", "penetration"
    )
    steep_margin: float = tuned(
        0.005,
        "m",
        "Distance that swinging feet without known sides keep from steep ground.",
        "mesh",
    )
    steep: float = tuned(0.5, "tangent", "Slope of steep ground.", "mesh")
    uneven: float = tuned(
        0.003,
        "m",
        "Deviation of the ground from its slope between two points that is looked at.",
        "mesh, time",
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
    lead_seconds: float = tuned(
        0.08, "s", "Time before and after trembling in which a foot is led.", "acceleration_legs"
    )
    even_seconds: float = tuned(0.035, "s", "Smoothing of that path.", "acceleration_legs")


JOLTS = JoltTuning()


@dataclass(frozen=True)
class LoopTuning:
    """Numbers of clips that repeat, for a character of 1.6 m."""

    back: float = tuned(
        0.01, "m", "Distance within which joints are back where they began.", "loop"
    )
    shortest: int = tuned(8, "frames", "Shortest clip that is taken for a loop.", "loop")
    same_share: float = tuned(
        0.5, "ratio", "Share of a step within which the last frame is the first again.", "loop"
    )
    same: float = tuned(1e-4, "m", "Distance within which it always is.", "loop")
    most_steps: float = tuned(
        2.0, "ratio", "Way from the last frame to the first in largest steps, at most.", "loop"
    )
    around_seconds: float = tuned(
        1.5, "s", "Part of the repeated clip before and after it that is planned with it.", "loop"
    )


LOOPS = LoopTuning()
