"""The joints that foot placement moves, and the goals solved together with it."""

from __future__ import annotations

from ...solver import Displacement, Goal, Track
from ..goals.setup_joints import setup_model
from ..goals.tracks import solver_tracks
from ..joints.joints import JointModel
from ..joints.zero_scale import refuse_sizeless_bones
from ..legs.goal_stages import GoalStages
from ..legs.leg_joints import turn_axes
from ..source.source import Source
from ..source.without_scipy import possible_settings
from .goals_problem import model_notes
from .own_goal_errors import goal_of


def feet_model(source: Source, stages: GoalStages) -> JointModel:
    """The joints that foot placement moves.

    Raises:
        RigError: The rig cannot be solved; says why.
    """
    legs = stages.legs
    model = setup_model(
        stages.feet_setup(),
        source.skeleton,
        source.clip,
        source.tracks,
        tips=tuple(legs.tips()),
        sliding=[legs.root],
        turn_axes=turn_axes(legs, source.skeleton, source.clip),
        turn_bounds=legs.turn_bounds(),
        attached=legs.attached,
    )
    refuse_sizeless_bones(source.skeleton, source.clip, legs.leg_bones)
    return model


def feet_notes(source: Source, model: JointModel) -> list[str]:
    """Notes about joints and settings that cannot be used as set."""
    _, unsmoothed = possible_settings(source.settings)
    return [*model_notes(source, model), *unsmoothed]


def feet_goals(
    source: Source, stages: GoalStages, model: JointModel
) -> tuple[tuple[int, Goal | Track], ...]:
    """Goals that are solved together with foot placement, with their numbers.

    Goals of staying as animated are excluded, because foot placement includes them.
    """
    asked = [source.goals[number] for number in stages.with_feet]
    tracks = solver_tracks(model, source.clip, asked)
    return tuple(
        (number, track)
        for number, track in zip(stages.with_feet, tracks, strict=True)
        if not isinstance(goal_of(track), Displacement)
    )
