"""Why a bake, foot placement, live solving or a re-bake is not possible, and how to fix it.

Operators use these sentences as poll messages, and panels draw them.
"""

from __future__ import annotations

import bpy

from .. import warm_up_note
from ..rig.blender.ground_items import ground_items
from ..rig.clip.animation import animation_problem, goals_animation_problem
from ..rig.errors import RigError
from ..rig.keys.results import source_problem
from ..rig.live.sessions import live_session
from ..rig.record.bake_record import rebake_problem
from ..rig.watch.change_watch import known_change
from .characters import problem_of_all
from .chosen_armature import chosen_armature, problem_with
from .result_state import has_placed_feet
from .running import work_problem
from .shown_mapping import shown_summary

NO_GOALS = "Add a goal to the armature first"
NO_GROUND = "Add an object or collection to Ground first"


def goals_problem(armature: bpy.types.Object | None) -> str:
    """Why there are no goals to solve and how to fix it; empty if there are some."""
    if problem := problem_with(armature):
        return problem
    if armature is None or not _has_goals(armature):
        return NO_GOALS
    return ""


def bake_problem(context: bpy.types.Context) -> str:
    """Why goals cannot be baked and how to fix it; empty if those of a character can."""
    return problem_of_all(context, lambda armature: baking_problem(context, armature))


def baking_problem(context: bpy.types.Context, armature: bpy.types.Object | None) -> str:
    """Why goals of an armature cannot be baked and how to fix it; empty if they can."""
    if problem := goals_problem(armature):
        return problem
    assert armature is not None
    if has_placed_feet(armature):
        return placing_problem(context, armature)
    return source_problem(armature) or goals_animation_problem(context.scene, armature)


def _has_goals(armature: bpy.types.Object) -> bool:
    rig = armature.bioik
    return rig.solver.read_constraints or any(goal.enabled for goal in rig.goals)


def placement_problem(context: bpy.types.Context) -> str:
    """Why feet cannot be placed and how to fix it; empty if those of a character can."""
    return problem_of_all(context, lambda armature: placing_problem(context, armature))


def placing_problem(context: bpy.types.Context, armature: bpy.types.Object | None) -> str:
    """Why feet of an armature cannot be placed and how to fix it; empty if they can."""
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    if problem := source_problem(armature):
        return problem
    grounds = ground_items(armature, context.scene)
    if not any(ground.object or ground.collection for ground in grounds):
        return NO_GROUND
    return legs_problem(armature) or animation_problem(context.scene, armature)


def legs_problem(armature: bpy.types.Object | None) -> str:
    """Why the legs of an armature have to be confirmed first; empty if they are sure enough."""
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
    if problem := goals_problem(chosen_armature(context)):
        return problem
    if warm_up_note.is_compiling():
        return "The solver is still compiling: wait until the status bar says it is ready"
    return ""


def rebaking_problem(context: bpy.types.Context) -> str:
    """Why a re-bake is not possible and how to fix it; empty if that of a character is."""
    return problem_of_all(context, update_problem)


def update_problem(armature: bpy.types.Object | None) -> str:
    """Why the last bake of an armature cannot be updated and how to fix it; empty if it can."""
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    if problem := rebake_problem(armature):
        return problem
    change = known_change(armature)
    unchanged = change is not None and change.first is None
    return "Nothing has changed since the last bake" if unchanged else ""
