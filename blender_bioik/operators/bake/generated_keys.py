"""Deleting the keyframes of bakes."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.blender import fcurves
from ...rig.record.bake_record import forget_frames
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from .frame_range import FrameRange


class BIOIK_OT_delete_generated_keys(FrameRange, bpy.types.Operator):  # noqa: N801
    """Delete the keyframes that bakes have generated in the armature's action"""  # noqa: D415

    bl_idname = "bioik.delete_generated_keys"
    bl_label = "Delete Generated Keyframes"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an action to delete from."""
        if not poll_armature(cls, context):
            return False
        armature = chosen_armature(context)
        data = armature.animation_data if armature else None
        if data is None or data.action is None:
            return poll_problem(cls, "The armature has no action: assign one first")
        if data.action.library is not None:
            return poll_problem(cls, "The action is linked: make it local first")
        if data.use_tweak_mode:
            return poll_problem(cls, "An NLA strip is being tweaked: exit Tweak Mode first")
        return True

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the options in the Adjust Last Operation panel."""
        self.layout.use_property_split = True
        self.draw_frames(self.layout)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Delete the keys and the F-curves that become empty."""
        armature = chosen_armature(context)
        assert armature is not None
        self.take_settings(armature)
        container = fcurves.assigned_container(armature)
        start, end = self.chosen_frames(context, armature)
        count = fcurves.delete_generated_keys(container, start, end) if container else 0
        if not count:
            problem = rpt_("No generated keyframes between frames {} and {}")
            self.report({"WARNING"}, problem.format(start, end))
            return {"CANCELLED"}
        if armature.animation_data.action == armature.bioik.baked.result:
            forget_frames(armature, start, end)
        self.report({"INFO"}, rpt_("Deleted {} generated keyframes").format(count))
        return {"FINISHED"}
