"""Hand-tuned numbers of `rig.problem`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...motion.tuned import tuned


@dataclass(frozen=True)
class InertiaTuning:
    """Sigmas of the corrections of joints and of their accelerations, for a character of 1.6 m."""

    joint_stay: float = tuned(
        0.3, "rad", "Correction of a joint: hips, knees, spine and others.", "jerk_legs, legs"
    )
    twist_stay: float = tuned(0.07, "rad", "Correction of a leg's twist.", "yaw, jerk_legs")
    loose_stay: float = tuned(
        2.0,
        "rad",
        "Correction of a foot, an arm, what other wishes hold, and way of the pelvis in metres.",
        "height, yaw",
    )
    toe_stay: float = tuned(0.2, "rad", "Correction of a toe.", "height, jerk_legs")
    leg_bend: float = tuned(
        20.0, "rad/s^2", "Acceleration of any other correction.", "knee, jerk_legs"
    )
    foot_bend: float = tuned(
        26.0,
        "rad/s^2",
        "Acceleration of the correction of a foot, a toe or an arm.",
        "jerk_legs, yaw",
    )
    pelvis_bend: float = tuned(
        0.5, "rad/s^2", "Acceleration of a pelvis' or a trunk's turn.", "upper, jerk"
    )
    slide_bend: float = tuned(0.5, "m/s^2", "Acceleration of the pelvis' way.", "jerk, pelvis")
    brisk: float = tuned(
        4.2,
        "m/s^2",
        "Acceleration of the pelvis in a walk; above it the pelvis may be moved more briskly.",
        "jerk, pelvis",
    )
    most_brisk: float = tuned(2.0, "ratio", "Factor of that, at most.", "jerk, pelvis")
    tilt_stay: float = tuned(0.5, "ratio", "Tilt of the pelvis as a share of its bound.", "upper")
    head_turn: float = tuned(0.1, "rad", "Turn of the head on more than two legs.", "upper")

    @property
    def stays(self) -> dict[str, float]:
        """Sigmas of corrections by the role of a bone."""
        return {
            **dict.fromkeys(("hip", "knee", "other", "spine"), self.joint_stay),
            **dict.fromkeys(("foot", "arm", "trunk", "kept"), self.loose_stay),
            "twist": self.twist_stay,
            "toe": self.toe_stay,
        }

    @property
    def bends(self) -> dict[str, float]:
        """Sigmas of their accelerations by the role of a bone: none for those that others hold."""
        return {
            **dict.fromkeys(("hip", "twist", "knee", "other"), self.leg_bend),
            **dict.fromkeys(("foot", "toe", "arm"), self.foot_bend),
            **dict.fromkeys(("kept", "spine"), np.inf),
            **dict.fromkeys(("pelvis", "trunk"), self.pelvis_bend),
        }


INERTIA = InertiaTuning()
