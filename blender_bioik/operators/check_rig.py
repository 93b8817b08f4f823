"""Checking a rig for unsupported constraints and limits."""

import bpy

from ..ui_state.chosen_armature import chosen_armature, poll_armature


class BIOIK_OT_check_rig(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """List the armature's constraints and limits that the solver does not support"""  # noqa: D415

    bl_idname = "bioik.check_rig"
    bl_label = "Check Constraints"
    # No undo step: the file is not changed.
    bl_options = {"REGISTER"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Look at all bones."""
        from ..rig.goals.unsupported import constraints_mark, find_unsupported

        armature = chosen_armature(context)
        assert armature is not None
        check = context.window_manager.bioik_rig_check
        check.unsupported.clear()
        for missing in find_unsupported(armature):
            item = check.unsupported.add()
            item.name, item.constraint, item.reason = missing
        check.active = 0
        check.armature = armature.name_full
        check.mark = constraints_mark(armature)
        return {"FINISHED"}
