"""A goal for the centre of mass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .goal_type import AT_TARGET, BonePoint, GoalType
from .rotations import at_target

if TYPE_CHECKING:
    from ..solver import Track
    from ..solver.kernels.compiled import Floats
    from .views import GoalBones, GoalInClip


def _points(bones: GoalBones) -> Iterable[BonePoint]:
    for bone, share in bones.masses().items():
        middle = (0.0, 0.5 * bones.length(bone), 0.0)
        if share > 0.0:
            yield BonePoint(bone, bone, middle, has_mass=True)


def _support_problem(bones: GoalBones) -> str:
    if bones.goal.target is not None or bones.standing_bones():
        return ""
    return (
        f'The goal "{bones.label}" has no target, and no feet were detected to balance over: '
        "choose a target."
    )


def _balance(m: GoalInClip) -> Track:
    from ..solver import Balance

    shares = {bone: share for bone, share in m.masses().items() if share > 0.0}
    masses = {m.mass_joint(bone): share for bone, share in shares.items()}
    centre = sum(share * m.bone_points(bone, 0.5) for bone, share in shares.items())
    centre = np.asarray(centre) / sum(shares.values())
    goal = Balance(masses, tolerance=m.tolerance)
    return m.track(goal, point=centre + m.influence[:, None] * (_support(m) - centre))


def _support(m: GoalInClip) -> Floats:
    """What to balance over: the target, or the middle of the feet as animated; (f, 3)."""
    if m.goal.target is not None:
        return m.target_point()
    feet = [m.bone_points(bone, 0.5) for bone in m.standing_bones()]
    return np.asarray(np.mean(feet, axis=0) + np.array(m.goal.point))


TYPES = (
    GoalType(
        identifier="BALANCE",
        number=13,
        label="Balance",
        description="Keep the center of mass over the target, or over the middle of the feet",
        icon="CON_PIVOT",
        properties=AT_TARGET,
        points=_points,
        track=_balance,
        problem=_support_problem,
        ends=at_target,
        all_bones=True,
    ),
)
