"""Hand-tuned numbers of `rig.problem`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from ...motion.tuned import tuned


@dataclass(frozen=True)
class InertiaTuning:
    """Sigmas of the corrections of joints and of their accelerations, for a character of 1.6 m."""

    joint_stay: float = tuned(
        0.3, "rad", "Correction of a joint: hips, knees, spine and others.", "jerk_legs, legs"
    )
    twist_stay: float = tuned(0.07, "rad", "Correction of a leg's twist.", "yaw, jerk_legs")
    loose_stay: float = tuned(2.0, "rad", "Correction of a foot or an arm.", "height, yaw")
    free_stay: float = tuned(
        10.0,
        "rad",
        "Correction of what other wishes hold, and way of the pelvis in metres.",
        "upper, pelvis",
    )
    toe_stay: float = tuned(0.2, "rad", "Correction of a toe.", "height, jerk_legs")
    leg_bend: float = tuned(
        20.0, "rad/s^2", "Acceleration of the correction of a hip or a knee.", "knee, jerk_legs"
    )
    foot_bend: float = tuned(
        26.0,
        "rad/s^2",
        "Acceleration of the correction of a foot, a toe or an arm.",
        "jerk_legs, yaw",
    )
    other_bend: float = tuned(10.0, "rad/s^2", "Acceleration of any other correction.", "jerk")
    pelvis_bend: float = tuned(3.0, "rad/s^2", "Acceleration of a pelvis' turn.", "upper, jerk")
    trunk_bend: float = tuned(0.5, "rad/s^2", "Acceleration of a trunk's turn.", "jerk")
    free_bend: float = tuned(
        1e3, "rad/s^2", "Acceleration of bones that other wishes hold.", "upper"
    )
    slide_bend: float = tuned(0.5, "m/s^2", "Acceleration of that way.", "jerk, pelvis")
    brisk: float = tuned(
        4.2,
        "m/s^2",
        "Acceleration of the pelvis in a walk; above it the pelvis may be moved more briskly.",
        "jerk, pelvis",
    )
    most_brisk: float = tuned(2.0, "ratio", "Factor of that, at most.", "jerk, pelvis")
    tilt_stay: float = tuned(0.5, "ratio", "Tilt of the pelvis as a share of its bound.", "upper")
    kept_turn: float = tuned(2e-4, "rad", "Turn of bones above a pelvis that tilts.", "upper")
    aimed_turn: float = tuned(
        0.3, "rad", "The same for bones that goals of the animator move as well.", "upper"
    )
    head_turn: float = tuned(0.1, "rad", "Turn of the head on more than two legs.", "upper")

    @property
    def stays(self) -> dict[str, float]:
        """Sigmas of corrections by the role of a bone."""
        return {
            **dict.fromkeys(("hip", "knee", "other", "spine"), self.joint_stay),
            **dict.fromkeys(("foot", "arm"), self.loose_stay),
            **dict.fromkeys(("trunk", "kept"), self.free_stay),
            "twist": self.twist_stay,
            "toe": self.toe_stay,
        }

    @property
    def bends(self) -> dict[str, float]:
        """Sigmas of their accelerations by the role of a bone."""
        return {
            **dict.fromkeys(("hip", "twist", "knee"), self.leg_bend),
            **dict.fromkeys(("foot", "toe", "arm"), self.foot_bend),
            **dict.fromkeys(("kept", "spine"), self.free_bend),
            "other": self.other_bend,
            "pelvis": self.pelvis_bend,
            "trunk": self.trunk_bend,
        }


INERTIA = InertiaTuning()
