"""What the last bake or placing of feet reached."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..translations.sentences import translated
from .report_view import Number, Part, ReportView, report_view
from .sidebar import Sidebar, chosen_rig, show_problem, show_text, split_column


class BIOIK_PT_report(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """What the last bake or placing of feet reached"""  # noqa: D415

    bl_label = "Report"

    def draw(self, context: bpy.types.Context) -> None:
        """Show its numbers, with buttons that go to the worst frames."""
        layout, text = self.layout, chosen_rig(context).bake.report
        if not text:
            show_problem(layout, "Bake goals or place feet first")
            return
        view = report_view(text)
        if view is None:
            show_problem(layout, "The report is of a newer version, or broken")
            return
        _draw_head(layout, view)
        for moment in view.moments:
            go = layout.operator(
                "bioik.go_to_frame",
                text=f"{moment.frame}: {translated(moment.text)}",
                icon="ERROR",
                translate=False,
            )
            go.frame = moment.frame
        for part in (*view.feet, *view.goals):
            _draw_part(layout, part)
        if view.clip:
            _draw_clip(layout, view.clip)
        for note in view.notes:
            show_text(layout, note, "INFO")


class BIOIK_PT_report_curves(Sidebar, bpy.types.Panel):  # noqa: N801
    """What is written beside the keys when feet are placed"""  # noqa: D415

    bl_label = "Curves and Markers"
    bl_parent_id = "BIOIK_PT_report"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)

    def draw(self, context: bpy.types.Context) -> None:
        """Show what is written, and the way to remove it."""
        feet = chosen_rig(context).feet
        column = split_column(self.layout)
        column.prop(feet, "plot")
        column.prop(feet, "markers")
        self.layout.operator("bioik.remove_quality", icon="TRASH")


def _draw_head(layout: bpy.types.UILayout, view: ReportView) -> None:
    row = layout.row()
    row.label(text=view.title, icon="CHECKMARK")
    row.label(text=view.frames, translate=False)
    row.operator("bioik.copy_report", text="", icon="COPYDOWN")
    layout.label(text=view.written, icon="ACTION", translate=False)


def _draw_part(layout: bpy.types.UILayout, part: Part) -> None:
    box = layout.box().column(align=True)
    head = box.row()
    head.alert = part.bad
    head.label(text=part.name, icon="ERROR" if part.bad else "NONE", translate=False)
    if part.state:
        state = pgettext_iface(part.state).format(*part.counts)
        head.label(text=translated(state), translate=False)
    elif part.numbers:
        cells = head.row()
        cells.label(text="Before")
        cells.label(text="After")
    for number in part.numbers:
        _draw_number(box, number)


def _draw_clip(layout: bpy.types.UILayout, numbers: tuple[Number, ...]) -> None:
    box = layout.box().column(align=True)
    box.label(text="Whole Clip")
    for number in numbers:
        _draw_number(box, number)


def _draw_number(layout: bpy.types.UILayout, number: Number) -> None:
    """A row with what it was and what it is, which goes to its worst frame."""
    row = layout.row()
    row.label(text=number.label)
    cells = row.row()
    if number.before:
        cells.label(text=number.before, translate=False)
    after = cells.row()
    after.alert = number.bad
    if number.frame is None:
        after.label(text=number.after, translate=False)
        return
    after.operator("bioik.go_to_frame", text=number.after, translate=False).frame = number.frame
