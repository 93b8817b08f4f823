"""Deleting the keyframes of bakes."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...rig.keys.results import played_result
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from ...ui_state.result_state import removing_problem
from .frame_range import FrameRange

# What a clip's own range means here: keyframes may be outside of the source's frames.
EVERY_FRAME = -1048574, 1048574
NO_ACTION = "The armature has no action: assign one first"


class BIOIK_OT_delete_generated_keys(FrameRange, bpy.types.Operator):  # noqa: N801
    """Delete generated keyframes in the range; the source's keyframes come back there"""  # noqa: D415

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
        if armature is None or data is None:
            return poll_problem(cls, NO_ACTION)
        result = played_result(armature)
        action = result.action if result is not None else data.action
        if action is None:
            return poll_problem(cls, NO_ACTION)
        if action.library is not None:
            return poll_problem(cls, "The action is linked: make it local first")
        if data.use_tweak_mode:
            return poll_problem(cls, "An NLA strip is being tweaked: exit Tweak Mode first")
        if result is not None:
            return poll_problem(cls, removing_problem(armature))
        return True

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the options in the Adjust Last Operation panel."""
        self.layout.use_property_split = True
        self.draw_frames(self.layout)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Delete them; the source's keyframes come back."""
        from ...rig.result.delete_generated import delete_generated

        armature = chosen_armature(context)
        assert armature is not None
        self.take_settings(armature)
        start, end = self.chosen_frames(context, armature)
        if self.range == "ACTION":
            start, end = EVERY_FRAME
        try:
            count = delete_generated(context.scene, armature, start, end)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        if not count:
            problem = rpt_("No generated keyframes between frames {} and {}").format(start, end)
            if self.range == "ACTION":
                problem = rpt_("No generated keyframes")
            self.report({"WARNING"}, problem)
            return {"CANCELLED"}
        self.report({"INFO"}, rpt_("Deleted {} generated keyframes").format(count))
        return {"FINISHED"}
