"""Lengths of foot placement that follow the size of the character."""

import bpy
from bpy.props import EnumProperty

from ...ui_state.chosen_armature import chosen_armature, poll_armature

LENGTHS = (
    ("step_up", "Max Step Height", "The highest step that feet do not avoid"),
    ("pelvis_sideways", "Pelvis Sideways", "Sideways pelvis movement allowed for comfort"),
)


class BIOIK_OT_fit_length(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Set the length in proportion to the character's legs again"""  # noqa: D415

    bl_idname = "bioik.fit_length"
    bl_label = "Fit to Character"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # noqa: RUF012 (Blender reads it as it is)

    length: EnumProperty(name="Length", description="Which length", items=LENGTHS)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Unset it."""
        armature = chosen_armature(context)
        assert armature is not None
        armature.bioik.feet.property_unset(self.length)
        return {"FINISHED"}
