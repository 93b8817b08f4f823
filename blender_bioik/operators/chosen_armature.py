"""Which armature an operator is about, and why there may be none."""

from __future__ import annotations

import bpy


def chosen_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active armature, or the one that the active object is deformed by."""
    active = context.object
    if active is None:
        return None
    if active.type == "ARMATURE":
        return active
    found = active.find_armature() if hasattr(active, "find_armature") else None
    return found


def armature_problem(context: bpy.types.Context) -> str:
    """Why there is no armature to work on, with the way out; nothing if there is one."""
    armature = chosen_armature(context)
    if armature is None:
        return "Select an armature"
    if armature.mode == "EDIT":
        return "Leave Edit Mode first"
    if armature.library is not None:
        return "The armature is linked: make a library override of it first"
    return ""


def poll_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether there is an armature to work on; the button says why not."""
    return poll_problem(cls, armature_problem(context))


def poll_problem(cls: type[bpy.types.Operator], problem: str) -> bool:
    """Whether there is no problem; the button says which one there is."""
    if problem:
        cls.poll_message_set(problem)
    return not problem
