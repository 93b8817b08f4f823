"""The joints of a setup, the same for bakes and live solving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...solver import Displacement, Goal, KinematicTree, Track
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..joints.joints import JointModel, TipPlace, build_joints
from ..joints.level_bones import level_bones, level_tips, staying_level
from ..joints.moving_bones import hinge_axes
from ..keys.keys import BoneTracks
from .solve_setup import SolveSetup
from .tracks import tip_places


def setup_model(
    setup: SolveSetup,
    skeleton: Skeleton,
    clip: Clip,
    tracks: BoneTracks,
    *,
    tips: Sequence[TipPlace] = (),
    sliding: Sequence[str] = (),
    turn_axes: Mapping[str, Any] | None = None,
    turn_bounds: Mapping[str, float] | None = None,
    attached: Mapping[str, str] | None = None,
    like: KinematicTree | None = None,
) -> JointModel:
    """The joints of a setup for a clip; see `build_joints`.

    Args:
        setup: The setup.
        skeleton: The bones of the armature.
        clip: Its source animation.
        tracks: Channels that give its poses without constraints.
        tips: Additional points on bones.
        sliding: Additional bones that may change their location.
        turn_axes: See `build_joints`.
        turn_bounds: See `build_joints`.
        attached: See `build_joints`.
        like: See `build_joints`.
    """
    absolute = [getattr(goal, bone) for goal in setup.goals for bone, _ in goal.kind.channels]
    level = {
        bone: carrier
        for bone, carrier in level_bones(skeleton, setup.moving, setup.limits.bones).items()
        if bone not in absolute
    }
    return build_joints(
        skeleton,
        clip,
        tracks,
        setup.moving,
        [*tip_places(skeleton, setup.goals), *level_tips(level), *tips],
        setup.limits.bones,
        sliding=[*setup.sliding, *sliding],
        absolute=absolute,
        turn_axes=hinge_axes(skeleton, setup.goals) | dict(turn_axes or {}),
        turn_bounds=turn_bounds,
        attached=level | dict(attached or {}),
        like=like,
    )


def staying(weight: float, model: JointModel) -> list[Goal | Track]:
    """The goal of staying as animated, with its weight."""
    if weight <= 0.0:
        return []
    return [Displacement("source", weight=weight), *staying_level(model, weight)]
