"""A goal for where a knee or an elbow bends to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .goal_type import AT_TARGET, BonePoint, Ends, GoalType
from .vectors import across, turned_towards, unit

if TYPE_CHECKING:
    from ..solver import Track
    from .views import GoalBones, GoalInClip, GoalInPose


def _points(bones: GoalBones) -> Iterable[BonePoint]:
    bone = bones.goal.bone
    yield BonePoint("root", bones.parent(bone))
    yield BonePoint("middle", bone)
    yield BonePoint("end", bone, (0.0, bones.length(bone), 0.0))


def _parent_problem(bones: GoalBones) -> str:
    if bones.parent(bones.goal.bone):
        return ""
    return (
        f'The bone "{bones.goal.bone}" of the goal "{bones.label}" has no parent to bend against: '
        "choose the lower bone of the limb."
    )


def _pole(m: GoalInClip) -> Track:
    from ..solver import Pole

    root, middle, end = (m.tip_of(part) for part in ("root", "middle", "end"))
    goal = Pole(root, middle, end, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    hip, knee, ankle = (
        m.bone_points(m.parent(m.goal.bone), 0.0),
        m.bone_points(m.goal.bone, 0.0),
        m.bone_points(m.goal.bone, 1.0),
    )
    along = unit(ankle - hip)
    bend, wanted = across(knee - hip, along), across(m.target_point() - hip, along)
    reach = np.linalg.norm(wanted, axis=-1, keepdims=True)
    part = hip + reach * turned_towards(unit(bend), unit(wanted), m.influence)
    return m.track(goal, point=np.where(m.influence[:, None] >= 1.0, m.target_point(), part))


def _bend(p: GoalInPose) -> Ends:
    return p.head, p.target_point()


TYPES = (
    GoalType(
        identifier="POLE",
        number=12,
        label="Pole",
        description="Bend the knee or elbow at a bone's head towards the target",
        icon="CON_KINEMATIC",
        properties=("bone", *AT_TARGET),
        angle=True,
        soft=True,
        points=_points,
        track=_pole,
        problem=_parent_problem,
        ends=_bend,
        new_target="OBJECT",
        target_at="BEND",
    ),
)
