"""The verdict on placed feet, directly below the button that places them."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ...properties.contact import LEVELS
from ..sidebar import SubPanel, chosen_rig, show_text
from .report_view import report_view


class BIOIK_PT_verdict(SubPanel, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """What is good or wrong with the placed feet"""  # noqa: D415

    bl_label = "Verdict"
    bl_parent_id = "BIOIK_PT_feet"
    bl_options = {"HIDE_HEADER"}  # noqa: RUF012 (Blender reads it as it is)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the sentence, a button to the worst frame, and what else to do with climbs."""
        view = report_view(chosen_rig(context).bake.report)
        if view is None or not view.verdict:
            return
        box = self.layout.box().column()
        show_text(box, view.verdict, "CHECKMARK" if view.good else "ERROR", margin=BOX)
        if view.moments and not view.good:
            worst = view.moments[0].frame
            text = pgettext_iface("Go to Frame {}").format(worst)
            go = box.operator("bioik.go_to_frame", text=text, icon="TIME", translate=False)
            go.frame = worst
        if view.climbs:
            _draw_levels(box, chosen_rig(context).feet.levels)


# Space on both sides of a box, unscaled pixels.
BOX = 20.0


def _draw_levels(box: bpy.types.UILayout, chosen: str) -> None:
    """Buttons that place the feet again with another choice: two in a row, or labels are cut."""
    column = box.column(align=True)
    for number, (use, label, *_) in enumerate(LEVELS):
        if number % 2 == 0:
            row = column.row(align=True)
        button = row.operator("bioik.choose_levels", text=label, depress=use == chosen)
        button.levels = use
