"""Presets in panel headers: popovers that look and behave like Blender's own.

Blender's own presets are Python files, which are executed when applied. Ours are data; see
`presets/`.
"""

from __future__ import annotations

import bpy

from ..presets import Entry
from ..rig.presets.active_preset import is_active
from ..ui_state.chosen_armature import chosen_armature
from ..ui_state.preset_folder import preset_store


class PresetPopover:
    """Base of the popovers, with the button that opens them."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_label = "Presets"

    @classmethod
    def draw_button(cls, layout: bpy.types.UILayout) -> None:
        """Show the button in a panel's header."""
        layout.emboss = "NONE"
        layout.popover(panel=cls.__name__, icon="PRESET", text="")


class BIOIK_PT_goal_presets(PresetPopover, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Goal setups for any rig whose body parts are detected"""  # noqa: D415

    def draw(self, context: bpy.types.Context) -> None:
        """Show them."""
        draw_presets(self.layout, context, "GOALS")


class BIOIK_PT_feet_presets(PresetPopover, bpy.types.Panel):  # noqa: N801
    """Foot placement settings"""  # noqa: D415

    def draw(self, context: bpy.types.Context) -> None:
        """Show them."""
        draw_presets(self.layout, context, "FEET")


class BIOIK_PT_solver_presets(PresetPopover, bpy.types.Panel):  # noqa: N801
    """Solver settings"""  # noqa: D415

    def draw(self, context: bpy.types.Context) -> None:
        """Show them."""
        draw_presets(self.layout, context, "SOLVER")


def draw_presets(layout: bpy.types.UILayout, context: bpy.types.Context, kind: str) -> None:
    """Draw the presets of a kind, a field to save a new one, and the import button."""
    layout.emboss = "PULLDOWN_MENU"
    column = layout.column(align=True)
    armature = chosen_armature(context)
    for entry in preset_store().entries(kind):
        _draw_entry(column, entry, kind, armature)
    layout.separator()
    row = layout.row()
    name = row.row()
    name.emboss = "NORMAL"
    name.prop(context.window_manager, "preset_name", text="")
    save = row.operator("bioik.save_preset", text="", icon="ADD")
    save.kind, save.name = kind, context.window_manager.preset_name
    layout.operator("bioik.import_preset", text="Import...", icon="IMPORT")


def _draw_entry(
    column: bpy.types.UILayout, entry: Entry, kind: str, armature: bpy.types.Object | None
) -> None:
    """Draw a preset, with a mark if it is active; user presets can be exported and removed."""
    row = column.row(align=True)
    row.alert = entry.preset is None
    active = armature and entry.preset and is_active(armature, entry.preset)
    apply = row.operator(
        "bioik.apply_preset",
        text=entry.name,
        icon="ERROR" if entry.preset is None else "CHECKMARK" if active else "BLANK1",
        translate=entry.bundled,
    )
    apply.kind, apply.name = kind, entry.name
    if entry.bundled:
        return
    if entry.preset is not None:
        export = row.operator("bioik.export_preset", text="", icon="EXPORT")
        export.kind, export.name = kind, entry.name
    remove = row.operator("bioik.remove_preset", text="", icon="REMOVE")
    remove.kind, remove.name = kind, entry.name
