"""Other poses for the current frame."""

from __future__ import annotations

import bpy

from ..ui_state.browsed import browsed_solutions, solution_text
from ..ui_state.problems import live_problem
from .progress import draw_progress
from .sidebar import Sidebar, show_problem, show_text


class BIOIK_PT_solutions(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Browse alternative poses that meet the goals at the current frame"""  # noqa: D415

    bl_label = "Solutions"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the search button, or the buttons to browse the solutions."""
        layout, solutions = self.layout, browsed_solutions()
        if solutions is not None:
            missed = solutions.poses[solutions.shown or 0].missed
            show_text(layout, solution_text(solutions), "ERROR" if missed else "CHECKMARK")
        elif not draw_progress(layout):
            show_problem(layout, live_problem(context))
        layout.operator("bioik.browse_solutions", icon="ARMATURE_DATA")
        column = layout.column(align=True)
        row = column.row(align=True)
        row.operator("bioik.step_solution", text="Previous", icon="TRIA_LEFT").by = -1
        row.operator("bioik.step_solution", text="Next", icon="TRIA_RIGHT").by = 1
        row = column.row(align=True)
        keep = row.operator("bioik.end_solutions", text="Keyframe", icon="KEY_HLT")
        keep.keep = keep.key = True
        apply = row.operator("bioik.end_solutions", text="Apply", icon="CHECKMARK")
        apply.keep, apply.key = True, False
        column.operator("bioik.end_solutions", text="Restore", icon="LOOP_BACK").keep = False
