"""Hand-tuned numbers of `rig.feet`, with their units and effects; see docs/tuning.md."""

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
    foot_stay: float = tuned(2.0, "rad", "Correction of a foot.", "height, yaw")
    toe_stay: float = tuned(0.2, "rad", "Correction of a toe.", "height, jerk_legs")
    trunk_stay: float = tuned(10.0, "rad", "Correction of a trunk on more than two legs.", "pelvis")
    kept_stay: float = tuned(
        100.0, "rad", "Correction of a bone that keeps its orientation.", "upper"
    )
    arm_stay: float = tuned(1.0, "rad", "Correction of an arm.", "hands")
    hip_bend: float = tuned(
        22.0, "rad/s^2", "Acceleration of a hip's correction.", "jerk_legs, acceleration"
    )
    twist_bend: float = tuned(20.0, "rad/s^2", "Acceleration of a leg's twist.", "yaw, jerk_legs")
    knee_bend: float = tuned(
        18.0, "rad/s^2", "Acceleration of a knee's correction.", "knee, jerk_legs"
    )
    foot_bend: float = tuned(
        26.0, "rad/s^2", "Acceleration of a foot's correction.", "jerk_legs, yaw"
    )
    toe_bend: float = tuned(30.0, "rad/s^2", "Acceleration of a toe's correction.", "jerk_legs")
    other_bend: float = tuned(10.0, "rad/s^2", "Acceleration of any other correction.", "jerk")
    pelvis_bend: float = tuned(3.0, "rad/s^2", "Acceleration of a pelvis' turn.", "upper, jerk")
    trunk_bend: float = tuned(0.5, "rad/s^2", "Acceleration of a trunk's turn.", "jerk")
    kept_bend: float = tuned(
        1e4, "rad/s^2", "Acceleration of a bone that keeps its orientation.", "upper"
    )
    spine_bend: float = tuned(
        1e3, "rad/s^2", "Acceleration of a spine that shares the tilt.", "upper"
    )
    arm_bend: float = tuned(30.0, "rad/s^2", "Acceleration of an arm's correction.", "hands")
    slide_stay: float = tuned(10.0, "m", "Way of the pelvis.", "pelvis")
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
            "twist": self.twist_stay,
            "foot": self.foot_stay,
            "toe": self.toe_stay,
            "trunk": self.trunk_stay,
            "kept": self.kept_stay,
            "arm": self.arm_stay,
        }

    @property
    def bends(self) -> dict[str, float]:
        """Sigmas of their accelerations by the role of a bone."""
        return {
            "hip": self.hip_bend,
            "twist": self.twist_bend,
            "knee": self.knee_bend,
            "foot": self.foot_bend,
            "toe": self.toe_bend,
            "other": self.other_bend,
            "pelvis": self.pelvis_bend,
            "trunk": self.trunk_bend,
            "kept": self.kept_bend,
            "spine": self.spine_bend,
            "arm": self.arm_bend,
        }


INERTIA = InertiaTuning()
