"""Goals for rotation channels of bones: at an angle, or following another bone's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .goal_type import GoalType
from .setting import GoalSetting

if TYPE_CHECKING:
    from ..solver import Track
    from ..solver.kernels.compiled import Floats
    from .views import GoalBones, GoalInClip, MirroredGoal

AXES = (("X", "X", "The bone's X axis"), ("Y", "Y", "Along the bone"), ("Z", "Z", "The Z axis"))

CHANNEL = GoalSetting(
    name="joint_axis",
    label="Channel",
    description="Rotation channel of the bone",
    default="X",
    items=AXES,
    decides_joints=True,
)
OTHER_CHANNEL = GoalSetting(
    name="other_axis",
    label="Other Channel",
    description="Rotation channel of the other bone",
    default="X",
    items=AXES,
    decides_joints=True,
)
VALUE = GoalSetting(
    name="angle_value",
    label="Value",
    description="Angle of the channel; for a coupling, the angle added to it",
    default=0.0,
    soft_lowest=-math.pi,
    soft_highest=math.pi,
    quantity="ANGLE",
)
RATIO = GoalSetting(
    name="ratio",
    label="Ratio",
    description="Rotation of the channel for each rotation of the other one",
    default=1.0,
    soft_lowest=-2.0,
    soft_highest=2.0,
)


def _joint_value(m: GoalInClip) -> Track:
    from ..solver import JointValue

    bone, axis = m.goal.bone, m.goal.joint_axis
    goal = JointValue(m.channel_joint(bone, axis), 0.0, tolerance=m.tolerance)
    source, wanted = m.channel(bone, axis), float(m.goal.angle_value)
    return m.track(goal, value=m.part_way(source, wanted + _turns_to(source, wanted)))


def _joint_function(m: GoalInClip) -> Track:
    from ..solver import JointFunction

    joint = m.channel_joint(m.goal.bone, m.goal.joint_axis)
    other = m.channel_joint(m.goal.other_bone, m.goal.other_axis)
    goal = JointFunction(joint, {other: float(m.goal.ratio)}, tolerance=m.tolerance)
    source = m.channel(m.goal.bone, m.goal.joint_axis)
    followed = m.goal.ratio * m.channel(m.goal.other_bone, m.goal.other_axis)
    # What the source is off the coupling goes away by the influence.
    off, wanted = source - followed, float(m.goal.angle_value)
    return m.track(goal, offset=m.part_way(off, wanted + _turns_to(off, wanted)))


def _turns_to(source: Floats, wanted: Floats | float) -> Floats:
    """Whole turns that bring angles nearest to the source's; (f,)."""
    return np.asarray(2.0 * np.pi * np.round((source - wanted) / (2.0 * np.pi)))


def _other_bone_problem(bones: GoalBones) -> str:
    if bones.goal.other_bone:
        return ""
    return f'The goal "{bones.label}" has no other bone: choose the bone to follow.'


def _mirror_value(m: MirroredGoal) -> None:
    m.goal.joint_axis, sign = m.channel("bone", m.source.joint_axis)
    m.goal.angle_value = sign * m.source.angle_value


def _mirror_function(m: MirroredGoal) -> None:
    _mirror_value(m)
    if not m.source.other_bone:
        return
    _, sign = m.channel("bone", m.source.joint_axis)
    m.goal.other_axis, other_sign = m.channel("other_bone", m.source.other_axis)
    m.goal.ratio = sign * other_sign * m.source.ratio


TYPES = (
    GoalType(
        identifier="JOINT_VALUE",
        number=14,
        label="Joint Value",
        description="Keep one rotation channel of a bone at an angle",
        icon="DRIVER_ROTATIONAL_DIFFERENCE",
        properties=("bone", CHANNEL, VALUE),
        angle=True,
        channels=(("bone", "joint_axis"),),
        track=_joint_value,
        mirror=_mirror_value,
    ),
    GoalType(
        identifier="JOINT_FUNCTION",
        number=15,
        label="Joint Coupling",
        description="Make one rotation channel of a bone follow another bone's",
        icon="LINKED",
        properties=("bone", CHANNEL, "other_bone", OTHER_CHANNEL, RATIO, VALUE),
        angle=True,
        channels=(("bone", "joint_axis"), ("other_bone", "other_axis")),
        track=_joint_function,
        problem=_other_bone_problem,
        mirror=_mirror_function,
    ),
)
