"""Overlay settings: in the sidebar, and in the Overlays popover of the 3D Viewport."""

from __future__ import annotations

from typing import Any

import bpy

from ..overlay.handler import problem
from ..rig.trace.trace import has_trace
from ..ui_state.chosen_armature import chosen_armature
from .sidebar import Sidebar, show_problem, split_column


class BIOIK_PT_overlay(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Overlays drawn in the 3D Viewport"""  # noqa: D415

    bl_label = "Overlay"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the checkbox that enables the overlay."""
        self.layout.prop(context.workspace.bioik_overlay, "show", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the elements and their display settings."""
        settings = context.workspace.bioik_overlay
        _draw_elements(self.layout, settings)
        column = split_column(self.layout)
        column.active = settings.show
        column.prop(settings, "line_width")
        opacity = column.column()
        opacity.active = settings.ghost
        opacity.prop(settings, "ghost_opacity")
        show_problem(self.layout, paths_note(context))
        self.layout.operator("bioik.update_overlay", icon="FILE_REFRESH")


class BIOIK_PT_overlay_popover(bpy.types.Panel):  # noqa: N801
    """Overlays drawn in the 3D Viewport"""  # noqa: D415

    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_parent_id = "VIEW3D_PT_overlay"
    bl_label = "Bio-IK"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Always true: overlays belong to the view, regardless of the selection."""
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the checkbox that enables the overlay, and its elements."""
        settings = context.workspace.bioik_overlay
        view = context.space_data
        self.layout.active = view is None or view.overlay.show_overlays
        self.layout.prop(settings, "show")
        _draw_elements(self.layout, settings)


def paths_note(context: bpy.types.Context) -> str:
    """Why something is not drawn and how to fix it; empty if nothing is missing."""
    if problem():
        return "The overlay stopped after an error, see the console: enable it to try again"
    if not context.workspace.bioik_overlay.show:
        return "Enable the overlay in this panel's header"
    armature = chosen_armature(context)
    if armature is not None and not has_trace(armature):
        return "Update the paths to show footprints"
    return ""


def _draw_elements(layout: bpy.types.UILayout, settings: Any) -> None:
    """The overlay's elements, in two columns."""
    split = layout.split()
    split.active = settings.show
    for names in (("goals", "soles", "footprints"), ("spans", "pelvis", "ghost")):
        column = split.column(align=True)
        for name in names:
            column.prop(settings, name)
