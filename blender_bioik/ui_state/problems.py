"""Why a bake, foot placement, live solving or a re-bake is not possible, and how to fix it.

Operators use these sentences as poll messages, and panels draw them.
"""

from __future__ import annotations

import bpy

from .. import warm_up_note
from ..rig.clip.animation import animation_problem, goals_animation_problem
from ..rig.errors import RigError
from ..rig.keys.results import source_problem
from ..rig.live.sessions import live_session
from ..rig.record.bake_record import rebake_problem
from ..rig.watch.change_watch import known_change
from .chosen_armature import chosen_armature, problem_with
from .result_state import has_placed_feet
from .running import work_problem
from .shown_mapping import shown_summary

NO_GOALS = "Add a goal to the armature first"


def goals_problem(context: bpy.types.Context) -> str:
    """Why there are no goals to solve and how to fix it; empty if there are some."""
    armature = chosen_armature(context)
    if problem := problem_with(armature):
        return problem
    if armature is None or not _has_goals(armature):
        return NO_GOALS
    return ""


def bake_problem(context: bpy.types.Context) -> str:
    """Why goals cannot be baked and how to fix it; empty if they can."""
    if problem := goals_problem(context):
        return problem
    armature = chosen_armature(context)
    assert armature is not None
    if has_placed_feet(armature):
        return placement_problem(context)
    return source_problem(armature) or goals_animation_problem(context.scene, armature)


def _has_goals(armature: bpy.types.Object) -> bool:
    rig = armature.bioik
    return rig.solver.read_constraints or any(goal.enabled for goal in rig.goals)


def placement_problem(context: bpy.types.Context) -> str:
    """Why feet cannot be placed and how to fix it; empty if they can."""
    armature = chosen_armature(context)
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    if problem := source_problem(armature):
        return problem
    grounds = armature.bioik.feet.grounds
    if not any(ground.object or ground.collection for ground in grounds):
        return "Add an object or collection to Ground first"
    return legs_problem(context) or animation_problem(context.scene, armature)


def legs_problem(context: bpy.types.Context) -> str:
    """Why the legs of the armature have to be confirmed first; empty if they are sure enough."""
    armature = chosen_armature(context)
    if armature is None or not len(armature.data.bones):
        return ""
    try:
        return shown_summary(armature).problem
    except RigError as error:
        return str(error)


def live_problem(context: bpy.types.Context) -> str:
    """Why an armature cannot be solved live and how to fix it; empty if it can or is."""
    if problem := work_problem():
        return problem
    if live_session(chosen_armature(context)) is not None:
        return ""
    if problem := goals_problem(context):
        return problem
    if warm_up_note.is_compiling():
        return "The solver is still compiling: wait until the status bar says it is ready"
    return ""


def rebaking_problem(context: bpy.types.Context) -> str:
    """Why a re-bake is not possible and how to fix it; empty if it is."""
    armature = chosen_armature(context)
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    if problem := rebake_problem(armature):
        return problem
    change = known_change(armature)
    unchanged = change is not None and change.first is None
    return "Nothing has changed since the last bake" if unchanged else ""
