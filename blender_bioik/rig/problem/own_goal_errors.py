"""Errors of the user's goals where feet are placed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...solver import Clip as JointClip
from ...solver import Displacement, Goal, Track
from ...solver.clips.open_clip import clip_errors
from ...solver.errors import SolverError
from ..errors import RigError
from ..goals.tracks import PlannedGoal
from ..joints.joint_model import JointModel
from ..report.report import GoalReport, goal_report
from ..source.source import Source
from ..transforms import Floats


class GoalErrors(NamedTuple):
    """Errors of a goal.

    Attributes:
        planned: The goal.
        errors: In the result, metres or degrees; (f,).
        within: Whether these are within its tolerance; (f,).
        before: In the source, metres or degrees; (f,).
    """

    planned: PlannedGoal
    errors: Floats
    within: NDArray[np.bool_]
    before: Floats


def goal_reports(errors: Iterable[GoalErrors], frames: Floats) -> Iterator[GoalReport]:
    """Reports of goal errors."""
    for planned, after, within, before in errors:
        yield goal_report(planned, frames, after, within, before)


def feet_errors(
    source: Source,
    model: JointModel,
    goals: Sequence[tuple[int, Goal | Track]],
    errors: Floats,
) -> dict[int, GoalErrors]:
    """Errors of the goals that were solved with foot placement.

    Args:
        source: What was read.
        model: The joints that foot placement moves.
        goals: The goals, with their numbers.
        errors: Their errors, metres or radians; (f, goals).
    """
    if not goals:
        return {}
    before = clip_errors(model.tree, [track for _, track in goals], model.clip)
    found = {}
    for k, (number, track) in enumerate(goals):
        goal = goal_of(track)
        shown = np.degrees(errors[:, k]) if _is_angle(goal, model) else errors[:, k]
        within = errors[:, k] <= _tolerance(goal)
        found[number] = GoalErrors(source.goals[number], shown, within, before[:, k])
    return found


def clip_goal_errors(
    goals: Sequence[tuple[int, PlannedGoal, Goal | Track]],
    model: JointModel,
    values: Floats,
    source: JointModel,
) -> dict[int, GoalErrors]:
    """Errors of goals at joint values, by their numbers.

    Args:
        goals: Their numbers, the goals, and the solver's goals.
        model: The joints.
        values: Their values; (f, joints).
        source: The joints in the source.

    Raises:
        RigError: The solver cannot work with the goals.
    """
    tracks, settled = [track for _, _, track in goals], model.settled(values).rest
    try:
        before = clip_errors(source.tree, tracks, source.clip)
        after = clip_errors(model.tree, tracks, JointClip(values, settled))
    except SolverError as error:
        raise RigError(str(error)) from error
    found = {}
    for k, (number, planned, track) in enumerate(goals):
        goal = goal_of(track)
        if isinstance(goal, Displacement):
            continue
        tolerance = _tolerance(goal)
        if _is_angle(goal, model):
            tolerance = np.degrees(tolerance)
        within = after[:, k] <= tolerance
        found[number] = GoalErrors(planned, after[:, k], within, before[:, k])
    return found


def goal_of(track: Goal | Track) -> Goal:
    """The solver's goal, over frames or not."""
    return track.goal if isinstance(track, Track) else track


def _tolerance(goal: Goal) -> float:
    """Error up to which a goal counts as reached, metres or radians."""
    return np.inf if goal.tolerance is None else float(goal.tolerance)


def _is_angle(goal: Goal, model: JointModel) -> bool:
    return goal.unit_on(model.tree) == "rad"
