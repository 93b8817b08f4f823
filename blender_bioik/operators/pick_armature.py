"""Pinning an armature in the sidebar."""

import bpy

from ..ui_state.chosen_armature import chosen_armature, poll_problem


class BIOIK_OT_pick_armature(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Keep the active armature in the sidebar while other objects are selected"""  # noqa: D415

    bl_idname = "bioik.pick_armature"
    bl_label = "Pin Armature"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature to pin, and the scene is editable."""
        if context.scene.library is not None:
            return poll_problem(cls, "The scene is linked: select the armature instead")
        if _wanted(context) is None:
            return poll_problem(cls, "Select an armature")
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store it in the scene."""
        context.scene.bioik.armature = _wanted(context)
        return {"FINISHED"}


def _wanted(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active armature, or the one in the sidebar."""
    active = context.object
    if active is not None and active.type == "ARMATURE":
        return active
    return chosen_armature(context)
