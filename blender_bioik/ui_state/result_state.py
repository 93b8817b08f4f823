"""What an armature plays: a source, or the result of one; and what can be done with it."""

from __future__ import annotations

from typing import NamedTuple

import bpy

from ..rig.keys.results import hidden_result, own_strips, played_result, source_problem
from .chosen_armature import problem_with

NO_RESULT = "The armature plays no result: bake goals or place feet first"

NOTHING_TO_COMPARE = "There is no result to compare with its source: bake goals or place feet first"
IN_PLACE = "Results written in place cannot be compared: write to a new action or a layer"


class ResultState(NamedTuple):
    """What an armature plays.

    Attributes:
        source: Name of the source's action; empty if there is none.
        result: Name of the result's action; empty if the source plays.
        feet: Whether the result has placed feet.
        problem: Why the source is not known; empty if it is.
        hidden: Name of the result that is kept while the source plays; empty for none.
    """

    source: str
    result: str
    feet: bool
    problem: str
    hidden: str = ""


def result_state(armature: bpy.types.Object) -> ResultState:
    """What an armature plays now; cheap enough for every redraw."""
    result, problem = played_result(armature), source_problem(armature)
    hidden = hidden_result(armature)
    if hidden is not None:
        return ResultState(hidden.name, "", False, problem, hidden.action.name)
    if result is not None:
        return ResultState(result.name, result.action.name, result.feet, problem)
    data = armature.animation_data
    action = data.action if data is not None else None
    return ResultState(action.name if action is not None else "", "", False, problem)


def has_placed_feet(armature: bpy.types.Object) -> bool:
    """Whether an armature plays a result with placed feet, which a bake of goals has to keep."""
    result = played_result(armature)
    return result is not None and result.feet


def comparing_problem(armature: bpy.types.Object | None) -> str:
    """Why the result of an armature cannot be compared with its source; empty if it can."""
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    result = played_result(armature) or hidden_result(armature)
    if result is None:
        return NOTHING_TO_COMPARE
    return IN_PLACE if result.output == "IN_PLACE" else source_problem(armature)


def removing_problem(armature: bpy.types.Object | None) -> str:
    """Why the result of an armature cannot be removed and what to do; empty if it can."""
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    return source_problem(armature) or ("" if played_result(armature) else NO_RESULT)


def keeping_problem(armature: bpy.types.Object | None) -> str:
    """Why an armature plays no result that could be kept; empty if it does."""
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    data = armature.animation_data
    strips = own_strips(data) if data is not None else ()
    marked = any(strip.action is not None and strip.action.bioik.output for _, strip in strips)
    return "" if marked or played_result(armature) else NO_RESULT
