"""The goals of a source over its frames, read with its clip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ..clip.sampling import Clip, sampling
from ..goals.constraint_goals import followed_influence
from ..goals.goal_copies import copied_goal
from ..goals.tracks import PlannedGoal, plan_goals, targets_of
from ..keys.influence import sample_influence
from ..reading import Reading
from ..transforms import Floats


def goal_influence(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    goals: Sequence[Any],
    frames: Floats,
) -> Reading[Sequence[Floats]]:
    """Influence of goals, those of constraints included, frame by frame; arrays (f,)."""
    influence = yield from sample_influence(scene, armature_object, goals, frames)
    return followed_influence(goals, influence)


def clip_and_goals(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    goals: Sequence[Any],
    frames: Floats,
    influence: Sequence[Floats],
) -> Reading[tuple[Clip, tuple[PlannedGoal, ...]]]:
    """The clip of an armature, and its goals with their targets, frame by frame.

    The goals are copies, so that they cannot change or be removed while they are solved.
    """
    clip, targets = yield from sampling(scene, armature_object, frames, targets_of(goals))
    planned = plan_goals(goals, frames, targets, influence)
    return clip, tuple(copied_goal(goal) for goal in planned)
