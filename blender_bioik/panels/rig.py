"""Which armature the sidebar is about."""

from __future__ import annotations

import bpy

from ..operators.chosen_armature import armature_problem, chosen_armature
from ..warm_up_note import NOTE
from .sidebar import Sidebar, show_problem


class BIOIK_PT_rig(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """The armature, or why there is none"""  # noqa: D415

    bl_label = "Rig"
    bl_options = {"HIDE_HEADER"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Always: without an armature it says so."""
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """Show its name, what hinders, and what the solver has to tell."""
        column = self.layout.column(align=True)
        armature = chosen_armature(context)
        if armature is not None:
            column.label(text=armature.name, icon="ARMATURE_DATA", translate=False)
        show_problem(column, armature_problem(context))
        show_problem(column, getattr(context.window_manager, NOTE, ""))
