"""The armature's goals as tracks of the solver: where each goal's target is in every frame.

A goal's influence blends its target between where the animation has the bone and where the target
is, so that half influence is half way. For preferences, such as staying near the animation,
influence scales the weight instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...goal_types.vectors import SHORT
from ...motion.easing import smoothstep
from ...properties.goal_names import goal_label
from ...solver import Goal, Track
from ..clip.sampling import Clip, Target
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..joints.joint_model import JointModel, TipPlace
from ..transforms import Floats
from .goal_bones import SkeletonOfGoal
from .goal_in_clip import ClipOfGoal, tip_name

if TYPE_CHECKING:
    from ...properties.goal import BioIKGoal


@dataclass(frozen=True, eq=False)
class PlannedGoal:
    """A goal with its sampled data.

    Attributes:
        goal: The goal on the armature.
        label: Its name for reports.
        influence: How far it is followed in each frame, 0 to 1; (f,).
        target: World matrix of its target in each frame; (f, 4, 4).
    """

    goal: BioIKGoal
    label: str
    influence: Floats
    target: Floats


def enabled_goals(goals: Iterable[BioIKGoal]) -> list[BioIKGoal]:
    """Goals that are enabled and have a weight."""
    return [goal for goal in goals if goal.enabled and goal.weight > 0.0]


def check_goals(skeleton: Skeleton, goals: Sequence[BioIKGoal]) -> None:
    """Refuse goals that cannot be solved.

    Raises:
        RigError: Names the goal and the way to fix it.
    """
    for goal in goals:
        uses, label = goal.kind.uses, goal_label(goal)
        if "bone" in uses and goal.bone not in skeleton.index:
            if not goal.bone:
                raise RigError(f'The goal "{label}" has no bone: choose a bone of the armature.')
            raise RigError(
                f'The goal "{label}" refers to the bone "{goal.bone}", which does not exist: '
                "choose a bone of the armature."
            )
        if "other_bone" in uses and goal.other_bone and goal.other_bone not in skeleton.index:
            raise RigError(
                f'The goal "{label}" refers to the other bone "{goal.other_bone}", which does not '
                "exist: choose a bone of the armature."
            )
        for name in goal.kind.directions:
            if np.linalg.norm(getattr(goal, name)) < SHORT:
                shown = name.replace("_", " ").title()
                raise RigError(f'The {shown} of the goal "{label}" is a zero vector: set it.')
        if goal.use_frame_range and goal.frame_end < goal.frame_start:
            raise RigError(
                f'The goal "{label}" ends at frame {goal.frame_end}, before it starts at frame '
                f"{goal.frame_start}: choose a later end frame."
            )
        problem = goal.kind.problem and goal.kind.problem(SkeletonOfGoal(skeleton, goal))
        if problem:
            raise RigError(problem)


def targets_of(goals: Sequence[BioIKGoal]) -> list[Target]:
    """Targets to sample for goals, in their order."""
    return [(goal.target, goal.subtarget or None) for goal in goals if _has_target(goal)]


def plan_goals(
    goals: Sequence[BioIKGoal], frames: Floats, targets: Floats, influence: Sequence[Floats]
) -> list[PlannedGoal]:
    """Join goals with their sampled targets (k, f, 4, 4) and animated influences (f,)."""
    matrices = iter(targets)
    return [
        PlannedGoal(
            goal,
            goal_label(goal),
            values * range_weights(goal, frames),
            _target_frames(goal, next(matrices)) if _has_target(goal) else _world_frames(frames),
        )
        for goal, values in zip(goals, influence, strict=True)
    ]


def _target_frames(goal: BioIKGoal, matrices: Floats) -> Floats:
    """The matrices that a goal follows, from its target's world matrices (f, 4, 4)."""
    if goal.use_target_rotation or "use_target_rotation" not in goal.kind.uses:
        return matrices
    placed = np.tile(np.eye(4), (len(matrices), 1, 1))
    placed[:, :3, 3] = matrices[:, :3, 3]
    return placed


def _world_frames(frames: Floats) -> Floats:
    return np.tile(np.eye(4), (len(frames), 1, 1))


def range_weights(goal: BioIKGoal, frames: Floats) -> Floats:
    """1 inside a goal's frame range, falling to 0 over its blend frames on either side; (f,)."""
    if not goal.use_frame_range:
        return np.ones(len(frames))
    before = (frames - (goal.frame_start - goal.blend_in)) / max(goal.blend_in, 1e-9)
    after = ((goal.frame_end + goal.blend_out) - frames) / max(goal.blend_out, 1e-9)
    ramp = np.clip(np.minimum(before, after), 0.0, 1.0)
    inside = (frames >= goal.frame_start) & (frames <= goal.frame_end)
    ramp[inside] = 1.0
    return smoothstep(ramp)


def tip_places(skeleton: Skeleton, goals: Sequence[BioIKGoal]) -> list[TipPlace]:
    """The points on bones that goals control."""
    return [
        TipPlace(tip_name(number, point.part), point.bone, point.offset, point.has_mass)
        for number, goal in enumerate(goals)
        for point in goal.kind.points(SkeletonOfGoal(skeleton, goal))
    ]


def solver_tracks(
    model: JointModel, clip: Clip, planned: Sequence[PlannedGoal]
) -> list[Goal | Track]:
    """One track for each goal, in their order."""
    return [
        plan.goal.kind.track(ClipOfGoal(model, clip, plan, number))
        for number, plan in enumerate(planned)
    ]


def _has_target(goal: BioIKGoal) -> bool:
    return "target" in goal.kind.uses and goal.target is not None
