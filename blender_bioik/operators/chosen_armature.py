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


def poll_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether there is an armature to work on; the button says why not."""
    armature = chosen_armature(context)
    if armature is None:
        cls.poll_message_set("Select an armature")
        return False
    if armature.mode == "EDIT":
        cls.poll_message_set("Leave Edit Mode first")
        return False
    if armature.library is not None:
        cls.poll_message_set("The armature is linked: make a library override of it first")
        return False
    return True
