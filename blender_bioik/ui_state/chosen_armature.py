"""The armature that the sidebar and its operators work on, and why there may be none."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_tip

from ..rig.blender.ground_items import ground_items
from .running import work_problem
from .scene_armatures import is_in_view_layer, scene_armatures


def chosen_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The pinned armature, or the one related to the active object.

    That is the active armature itself, the one that deforms the active object, the one that uses
    the active object as a target or ground, or the only one in the scene: the sidebar keeps
    showing the goals while their targets are moved.
    """
    picked = picked_armature(context)
    if picked is not None:
        return picked
    active = context.object
    if active is not None and active.type == "ARMATURE":
        return active
    deforms = active.find_armature() if active is not None else None
    return deforms or _related_armature(context, active)


def picked_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The armature pinned in the scene, None if there is none or it was deleted."""
    picked = context.scene.bioik.armature
    if picked is None or picked.type != "ARMATURE" or not is_in_view_layer(context, picked):
        return None
    return picked


def armature_problem(context: bpy.types.Context) -> str:
    """Why there is no armature to work on and how to fix it; empty if there is one."""
    return problem_with(chosen_armature(context))


def problem_with(armature: bpy.types.Object | None) -> str:
    """Why the armature cannot be worked on; empty if it can."""
    if problem := work_problem():
        return problem
    if armature is None:
        return "Select an armature"
    if armature.mode == "EDIT":
        return "Exit Edit Mode first"
    if armature.library is not None:
        return "The armature is linked: make a Library Override first"
    override = armature.override_library
    if override is not None and override.is_system_override:
        return "The Library Override is not editable: make it editable in the Outliner first"
    return ""


def poll_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether there is an armature to work on; sets the button's poll message if not."""
    return poll_problem(cls, armature_problem(context))


def poll_problem(cls: type[bpy.types.Operator], problem: str) -> bool:
    """Whether there is no problem; sets the button's poll message if there is."""
    if problem:
        cls.poll_message_set(pgettext_tip(problem))
    return not problem


def _related_armature(
    context: bpy.types.Context, active: bpy.types.Object | None
) -> bpy.types.Object | None:
    armatures = scene_armatures(context)
    if active is not None:
        related = next((found for found in armatures if _works_with(found, active)), None)
        if related is not None:
            return related
    return armatures[0] if len(armatures) == 1 else None


def _works_with(armature: bpy.types.Object, active: bpy.types.Object) -> bool:
    """Whether an object is a target of the armature's goals or part of its ground."""
    rig = armature.bioik
    return any(goal.target == active for goal in rig.goals) or any(
        ground.object == active for ground in ground_items(armature)
    )
