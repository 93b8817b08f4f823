"""The objects selected together with an armature, used as targets for its goals."""

from __future__ import annotations

import bpy


def selected_target(
    context: bpy.types.Context, armature: bpy.types.Object
) -> bpy.types.Object | None:
    """The one selected object that is neither the armature nor deformed by it.

    Of several, the one that is no character: all of these are acted on.
    """
    others = selected_targets(context, armature)
    return others[0] if len(others) == 1 else None


def selected_targets(
    context: bpy.types.Context, armature: bpy.types.Object
) -> list[bpy.types.Object]:
    """All selected objects that are neither the armature nor deformed by it.

    Of several, those that are no characters: all of these are acted on.
    """
    others = [
        selected
        for selected in context.selected_objects
        if selected != armature and selected.find_armature() != armature
    ]
    if len(others) > 1:
        others = [
            other for other in others if other.type != "ARMATURE" and not other.find_armature()
        ]
    return others
