"""Goals for how a bone is turned: as a target is, or with one of its axes aimed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .goal_type import AT_TARGET, ON_BONE, Ends, GoalType
from .places import to_point
from .setting import GoalSetting
from .vectors import SHORT, across, turned_towards, unit

if TYPE_CHECKING:
    from ..solver import Track
    from .views import GoalBones, GoalInClip, GoalInPose

LOCK_AXIS = GoalSetting(
    name="lock_axis",
    label="Lock Axis",
    description="Local axis that the bone turns about while it aims",
    default=(0.0, 0.0, 1.0),
    quantity="DIRECTION",
    axes="BONE",
    decides_joints=True,
    own_word=True,
)
ANGLE = GoalSetting(
    name="angle",
    label="Angle",
    description="Half the opening angle of the cone",
    default=math.radians(30.0),
    lowest=0.0,
    highest=math.pi,
    quantity="ANGLE",
)


def _orientation(m: GoalInClip) -> Track:
    from ..solver import Orientation

    goal = Orientation(m.tip, (1.0, 0.0, 0.0, 0.0), tolerance=m.tolerance)
    return m.track(goal, quaternion_wxyz=m.blended_rotation())


def _look_at(m: GoalInClip) -> Track:
    from ..solver import LookAt

    eye, target = m.source_point(), m.target_point()
    line = target - eye
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    wanted = line / np.maximum(distance, SHORT)
    point = target
    if (m.influence < 1.0).any():
        point = np.where(m.influence[:, None] >= 1.0, target, eye + distance * m.aimed(wanted))
    goal = LookAt(m.tip, (0.0, 0.0, 0.0), axis=tuple(m.goal.axis), tolerance=m.tolerance)
    return m.track(goal, point=point)


def _locked_look_at(m: GoalInClip) -> Track:
    from ..solver import LockedLookAt

    axis, lock = tuple(m.goal.axis), tuple(m.goal.lock_axis)
    eye, target = m.source_point(), m.target_point()
    along = m.bone_axis(unit(np.array([lock]))[0])
    aimed = unit(across(m.bone_axis(axis), along))
    aside, height = across(target - eye, along), np.sum((target - eye) * along, axis=-1)
    reach = np.linalg.norm(aside, axis=-1, keepdims=True)
    part = reach * turned_towards(aimed, unit(aside), m.influence) + height[:, None] * along
    goal = LockedLookAt(m.tip, (0.0, 0.0, 0.0), axis, lock, tolerance=m.tolerance)
    return m.track(goal, point=np.where(m.influence[:, None] >= 1.0, target, eye + part))


def _lock_problem(bones: GoalBones) -> str:
    if np.linalg.norm(np.cross(bones.goal.axis, bones.goal.lock_axis)) >= SHORT:
        return ""
    return (
        f'The axis and the lock axis of the goal "{bones.label}" are parallel: choose another '
        "lock axis."
    )


def _direction(m: GoalInClip) -> Track:
    from ..solver import Direction

    goal = Direction(m.tip, (0.0, 0.0, 1.0), axis=tuple(m.goal.axis), tolerance=m.tolerance)
    return m.track(goal, direction=m.aimed(m.direction()))


def _cone(m: GoalInClip) -> Track:
    from ..solver import Cone

    goal = Cone(
        m.tip,
        (0.0, 0.0, 1.0),
        float(m.goal.angle),
        axis=tuple(m.goal.axis),
        tolerance=m.tolerance,
    )
    direction, narrow = m.direction(), float(m.goal.angle)
    cosine = np.clip(np.sum(m.source_axis() * direction, axis=-1), -1.0, 1.0)
    angle = m.part_way(np.maximum(np.arccos(cosine), narrow), narrow)
    return m.track(goal, direction=direction, angle=angle)


def at_target(p: GoalInPose) -> Ends | None:
    """The target alone: the goal is about no single point of the body."""
    return (None, p.target_point()) if p.follows else None


def _along(p: GoalInPose) -> Ends:
    """A direction, as long as the bone."""
    return p.head, p.head + p.direction() * (p.tail - p.head).length


TYPES = (
    GoalType(
        identifier="ORIENTATION",
        number=1,
        label="Orientation",
        description="Match the target's rotation",
        icon="ORIENTATION_GIMBAL",
        properties=("bone", "target", "subtarget", "rotation"),
        angle=True,
        track=_orientation,
        ends=at_target,
        new_target="OBJECT",
        decides="turn",
        replaces=True,
    ),
    GoalType(
        identifier="LOOK_AT",
        number=2,
        label="Look At",
        description="Point a bone's axis at the target",
        icon="HIDE_OFF",
        properties=(*ON_BONE, "axis", *AT_TARGET),
        angle=True,
        track=_look_at,
        ends=to_point,
        new_target="OBJECT",
        target_at="AHEAD",
        decides="turn",
        replaces=True,
    ),
    GoalType(
        identifier="LOCKED_LOOK_AT",
        number=3,
        label="Locked Look At",
        description="Point a bone's axis at the target by turning about another of its axes only",
        icon="CON_LOCKTRACK",
        properties=(*ON_BONE, "axis", LOCK_AXIS, *AT_TARGET),
        angle=True,
        track=_locked_look_at,
        problem=_lock_problem,
        ends=to_point,
        new_target="OBJECT",
        target_at="AHEAD",
        hinge="lock_axis",
        decides="turn",
        replaces=True,
    ),
    GoalType(
        identifier="DIRECTION",
        number=4,
        label="Direction",
        description="Align a bone's axis with a direction",
        icon="EMPTY_SINGLE_ARROW",
        properties=("bone", "axis", "target", "subtarget", "direction"),
        angle=True,
        track=_direction,
        ends=_along,
    ),
    GoalType(
        identifier="CONE",
        number=5,
        label="Cone",
        description="Keep a bone's axis within an angle of a direction",
        icon="CONE",
        properties=("bone", "axis", "target", "subtarget", "direction", ANGLE),
        angle=True,
        track=_cone,
        ends=_along,
    ),
)
