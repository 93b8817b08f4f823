"""All selected characters: who they are, and the verdict on each, below the buttons for them."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ...ui_state.characters import chosen_characters
from ..sidebar import SubPanel
from .report_view import report_view


class Characters(SubPanel):
    """The characters that the buttons act on, if these are several."""

    bl_label = "Characters"
    bl_options = {"HIDE_HEADER"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether several are selected."""
        return len(chosen_characters(context)) > 1

    def draw(self, context: bpy.types.Context) -> None:
        """Draw their names with the verdicts, and the button that copies settings to them."""
        armatures = chosen_characters(context)
        box = self.layout.box().column(align=True)  # type: ignore[attr-defined]
        head = box.row()
        text = pgettext_iface("{} characters").format(len(armatures))
        head.label(text=text, icon="COMMUNITY", translate=False)
        head.operator("bioik.copy_settings", text="", icon="PASTEDOWN")
        for armature in armatures:
            _draw_character(box.row(), armature)


class BIOIK_PT_placed_characters(Characters, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Selected characters whose feet are placed together"""  # noqa: D415

    bl_parent_id = "BIOIK_PT_feet"


class BIOIK_PT_baked_characters(Characters, bpy.types.Panel):  # noqa: N801
    """Selected characters whose goals are baked together"""  # noqa: D415

    bl_parent_id = "BIOIK_PT_bake"


def _draw_character(row: bpy.types.UILayout, armature: bpy.types.Object) -> None:
    view = report_view(armature.bioik.bake.report)
    if view is None:
        row.label(text=armature.name, icon="DOT", translate=False)
        return
    good = view.good if view.verdict else not view.bad
    row.label(text=armature.name, icon="CHECKMARK" if good else "ERROR", translate=False)
    verdict = row.row()
    verdict.alignment = "RIGHT"
    verdict.label(text="Good" if good else "Problems")
