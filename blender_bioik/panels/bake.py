"""The panel for baking goals."""

from __future__ import annotations

import bpy

from ..translations import OWN
from ..ui_state.chosen_armature import chosen_armature
from ..ui_state.frame_range import draw_frames
from ..ui_state.problems import bake_problem
from ..ui_state.rebaking import rebaking_text
from .progress import draw_progress
from .result import draw_result
from .sidebar import Sidebar, SubPanel, chosen_rig, show_problem, split_column


class BIOIK_PT_bake(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Solve the goals and insert keyframes"""  # noqa: D415

    bl_label = "Bake"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw range, output and buttons, and why a button is disabled."""
        layout, armature = self.layout, chosen_armature(context)
        assert armature is not None
        settings = armature.bioik.bake
        column = split_column(layout)
        draw_frames(column, settings)
        column.prop(settings, "output")
        layout.separator()
        if not draw_progress(layout):
            show_problem(layout, bake_problem(context))
        layout.operator("bioik.bake", icon="REC")
        draw_result(layout, armature)
        text = rebaking_text(armature)
        layout.operator("bioik.rebake", text=text, icon="FILE_REFRESH", translate=False)
        layout.operator("bioik.delete_generated_keys", icon="TRASH")


class BIOIK_PT_bake_keys(SubPanel, bpy.types.Panel):  # noqa: N801
    """Additional keyframe settings"""  # noqa: D415

    bl_label = "Keyframes"
    bl_parent_id = "BIOIK_PT_bake"

    def draw(self, context: bpy.types.Context) -> None:
        """Show step, blends and constraints."""
        settings = chosen_rig(context).bake
        column = split_column(self.layout)
        column.prop(settings, "step")
        blend = column.column(align=True)
        blend.prop(settings, "blend_in")
        blend.prop(settings, "blend_out", text="Out", text_ctxt=OWN)
        column.prop(settings, "mute_constraints")
        column.prop(settings, "rebake_blend", text="Re-Bake Blend")
        column.prop(settings, "keys")
        few = column.column(align=True)
        few.active = settings.keys == "FEW"
        few.prop(settings, "tolerance")
        few.prop(settings, "tolerance_angle", text="Angle")
