"""Goals as keys."""

from __future__ import annotations

import bpy

from ..operators.bake import bake_problem
from .sidebar import Sidebar, show_problem


class BIOIK_PT_bake(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Solve the goals and write keys"""  # noqa: D415

    bl_label = "Bake"

    def draw(self, context: bpy.types.Context) -> None:
        """Show the buttons, and why one cannot be pressed."""
        layout = self.layout
        show_problem(layout, bake_problem(context))
        layout.operator("bioik.bake", icon="REC")
        layout.operator("bioik.delete_generated_keys", icon="TRASH")
