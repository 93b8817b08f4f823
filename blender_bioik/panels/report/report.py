"""The panel of the last report."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..sidebar import (
    Sidebar,
    SubPanel,
    chosen_rig,
    show_problem,
    show_text,
    split_column,
)
from .report_view import Moment, Number, Part, ReportView, report_view

# Share of the width for the frame buttons, next to their descriptions.
FRAMES = 0.27


class BIOIK_PT_report(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Results of the last bake or foot placement"""  # noqa: D415

    bl_label = "Report"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw its numbers, with buttons that go to the worst frames."""
        layout, text = self.layout, chosen_rig(context).bake.report
        if not text:
            show_problem(layout, "Bake goals or place feet first")
            return
        view = report_view(text)
        if view is None:
            show_problem(
                layout, "The report is invalid or from a newer version: bake or place feet again"
            )
            return
        _draw_head(layout, view)
        for moment in view.moments:
            _draw_moment(layout, moment, "TIME" if view.passed else "ERROR")
        for foot in view.feet:
            _draw_foot(layout, foot)
        if view.goals:
            _draw_goals(layout, view.goals)
        if view.clip:
            _draw_clip(layout, view.clip)
        for note in view.notes:
            show_text(layout, note, "INFO")


class BIOIK_PT_report_curves(SubPanel, bpy.types.Panel):  # noqa: N801
    """Quality curves and markers written by foot placement"""  # noqa: D415

    bl_label = "Curves and Markers"
    bl_parent_id = "BIOIK_PT_report"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings, and the button that removes the curves."""
        feet = chosen_rig(context).feet
        column = split_column(self.layout)
        column.prop(feet, "plot")
        column.prop(feet, "markers")
        self.layout.operator("bioik.remove_quality", icon="TRASH")


def _draw_head(layout: bpy.types.UILayout, view: ReportView) -> None:
    row = layout.row()
    row.label(text=view.title, icon="CHECKMARK" if view.passed else "ERROR")
    frames = row.row()
    frames.alignment = "RIGHT"
    frames.label(text=view.frames, translate=False)
    row.operator("bioik.copy_report", text="", icon="COPYDOWN")
    layout.label(text=view.written, icon="ACTION", translate=False)


def _draw_moment(layout: bpy.types.UILayout, moment: Moment, icon: str) -> None:
    """The frame as a button, and its description, which may take two lines."""
    split = layout.split(factor=FRAMES)
    text = str(moment.frame)
    go = split.operator("bioik.go_to_frame", text=text, icon=icon, translate=False)
    go.frame = moment.frame
    show_text(split, moment.text, "NONE", share=1.0 - FRAMES)


def _draw_foot(layout: bpy.types.UILayout, foot: Part) -> None:
    box = layout.box().column(align=True)
    head = box.row()
    head.label(text=foot.name, translate=False)
    _draw_titles(head)
    _draw_state(box, foot)
    table = Table(box, with_before=True)
    for number in foot.numbers:
        table.draw_number(number)


def _draw_goals(layout: bpy.types.UILayout, goals: tuple[Part, ...]) -> None:
    """All goals in one box, since there may be many. Long names get a separate line."""
    box = layout.box().column(align=True)
    head = box.row()
    head.label(text="Goals")
    _draw_titles(head)
    for goal in goals:
        box.separator(factor=0.5)
        box.label(text=goal.name, icon="DOT", translate=False)
        _draw_state(box, goal)
        if goal.numbers:
            table = Table(box, with_before=True)
            for number in goal.numbers:
                table.draw_number(number)


def _draw_clip(layout: bpy.types.UILayout, numbers: tuple[Number, ...]) -> None:
    box = layout.box().column(align=True)
    box.label(text="Whole Clip")
    table = Table(box, with_before=False)
    for number in numbers:
        table.draw_number(number)


def _draw_titles(head: bpy.types.UILayout) -> None:
    cells = head.row()
    cells.label(text="Before")
    cells.label(text="After")


def _draw_state(box: bpy.types.UILayout, part: Part) -> None:
    """Draw what was missed and why, if anything."""
    if part.state:
        lines = box.column()
        lines.alert = part.bad
        text = pgettext_iface(part.state).format(*part.counts)
        show_text(lines, text, "ERROR" if part.bad else "INFO")


class Table:
    """Labels with their values before and after.

    In columns rather than rows: there are many numbers, and each layout call costs time.
    """

    def __init__(self, layout: bpy.types.UILayout, *, with_before: bool) -> None:
        columns = layout.row()
        self._labels = columns.column(align=True)
        values = columns.row()
        self._before = values.column(align=True) if with_before else None
        self._after = values.column(align=True)

    def draw_number(self, number: Number) -> None:
        """A label with both values; the new one is a button to its worst frame, if it has one."""
        self._labels.label(text=number.label)
        if self._before is not None:
            self._before.label(text=number.before, translate=False)
        after = self._after
        if number.bad:
            after = after.row()
            after.alert = True
        if number.frame is None:
            after.label(text=number.after, translate=False)
            return
        after.operator("bioik.go_to_frame", text=number.after, translate=False).frame = number.frame
