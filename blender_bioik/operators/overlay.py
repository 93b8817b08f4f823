"""Updating the overlay's paths."""

import bpy

from ..rig.errors import RigError
from ..translations.sentences import translated
from ..ui_state.chosen_armature import chosen_armature, poll_problem


class BIOIK_OT_update_overlay(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Recalculate the paths of the pelvis and feet from the armature's animation"""  # noqa: D415

    bl_idname = "bioik.update_overlay"
    bl_label = "Update Paths"
    bl_options = {"REGISTER"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature with paths to read."""
        return poll_problem(cls, path_problem(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read them."""
        from ..overlay.handler import redraw_views
        from ..rig.trace.read_trace import read_trace
        from ..rig.trace.trace import keep_trace

        armature = chosen_armature(context)
        assert armature is not None
        try:
            keep_trace(armature, read_trace(context.scene, armature))
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        redraw_views()
        return {"FINISHED"}


def path_problem(context: bpy.types.Context) -> str:
    """Why there are no paths to read and how to fix it; empty if there are."""
    armature = chosen_armature(context)
    if armature is None:
        return "Select an armature"
    return "Exit Edit Mode first" if armature.mode == "EDIT" else ""
