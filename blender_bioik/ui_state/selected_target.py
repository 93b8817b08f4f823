"""The objects selected together with an armature, used as targets for its goals."""

from __future__ import annotations

import bpy


def selected_target(
    context: bpy.types.Context, armature: bpy.types.Object
) -> bpy.types.Object | None:
    """The one selected object that is neither the armature nor deformed by it."""
    others = selected_targets(context, armature)
    return others[0] if len(others) == 1 else None


def selected_targets(
    context: bpy.types.Context, armature: bpy.types.Object
) -> list[bpy.types.Object]:
    """All selected objects that are neither the armature nor deformed by it."""
    return [
        selected
        for selected in context.selected_objects
        if selected != armature and selected.find_armature() != armature
    ]
