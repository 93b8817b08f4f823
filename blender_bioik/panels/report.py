"""What the last bake or placing of feet reached."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..translations.sentences import translated
from .report_view import Number, Part, ReportView, report_view
from .sidebar import Sidebar, SubPanel, chosen_rig, show_problem, show_text, split_column

# What belongs to the row above it begins further to the right.
BELOW = "BLANK1"
# Beside what has no numbers.
NOTHING = Number("", "", "", None, bad=False)


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
        for foot in view.feet:
            _draw_foot(layout, foot)
        if view.goals:
            _draw_goals(layout, view.goals)
        if view.clip:
            _draw_clip(layout, view.clip)
        for note in view.notes:
            show_text(layout, note, "INFO")


class BIOIK_PT_report_curves(SubPanel, bpy.types.Panel):  # noqa: N801
    """What is written beside the keys when feet are placed"""  # noqa: D415

    bl_label = "Curves and Markers"
    bl_parent_id = "BIOIK_PT_report"

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


def _draw_foot(layout: bpy.types.UILayout, foot: Part) -> None:
    box = layout.box().column(align=True)
    head = box.row()
    head.alert = foot.bad
    head.label(text=foot.name, icon="ERROR" if foot.bad else "NONE", translate=False)
    if foot.state:
        head.label(text=_state_text(foot), translate=False)
    else:
        _draw_titles(head)
    table = Table(box, with_before=True)
    for number in foot.numbers:
        table.draw_number(number)


def _draw_goals(layout: bpy.types.UILayout, goals: tuple[Part, ...]) -> None:
    """All in one box: there may be many. The numbers beside a name are those of the worst frame."""
    box = layout.box().column(align=True)
    head = box.row()
    head.label(text="Goals")
    _draw_titles(head)
    table = Table(box, with_before=True)
    for goal in goals:
        worst, mean = goal.numbers or (NOTHING, None)
        table.draw_name(goal.name, bad=goal.bad)
        table.draw_values(worst)
        if goal.state:
            table.draw_name(_state_text(goal), bad=goal.bad, icon=BELOW)
            table.draw_values(NOTHING)
        if mean is not None:
            table.draw_number(mean, icon=BELOW)


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


def _state_text(part: Part) -> str:
    return translated(pgettext_iface(part.state).format(*part.counts))


class Table:
    """Labels beside what numbers were and what they are.

    In columns, not in rows: there are many numbers, and each call costs time.
    """

    def __init__(self, layout: bpy.types.UILayout, *, with_before: bool) -> None:
        columns = layout.row()
        self._labels = columns.column(align=True)
        values = columns.row()
        self._before = values.column(align=True) if with_before else None
        self._after = values.column(align=True)

    def draw_number(self, number: Number, icon: str = "NONE") -> None:
        """A number with its label."""
        self._labels.label(text=number.label, icon=icon)
        self.draw_values(number)

    def draw_name(self, name: str, *, bad: bool, icon: str = "NONE") -> None:
        """A name beside numbers, or what there is to know of them."""
        labels = self._labels
        if bad:
            labels = labels.row()
            labels.alert = True
        labels.label(text=name, icon=icon, translate=False)

    def draw_values(self, number: Number) -> None:
        """What it was, and what it is: that goes to the worst frame, if it has one."""
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
