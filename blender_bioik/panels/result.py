"""What the armature plays: its source, or a result; drawn next to the buttons that make one."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..ui_state.result_state import ResultState, result_state
from .sidebar import show_problem


def draw_result(layout: bpy.types.UILayout, armature: bpy.types.Object) -> None:
    """Draw source and result, and what can be done with a result."""
    state = result_state(armature)
    if not (state.source or state.result or state.hidden):
        return
    column = layout.column(align=True)
    if state.hidden:
        _draw_hidden(column, state)
        return
    if not state.result:
        text = pgettext_iface("Source: {}").format(state.source)
        column.label(text=text, icon="ACTION", translate=False)
        return
    for text, icon in (
        (pgettext_iface("Result of {}").format(state.source or "-"), "CHECKMARK"),
        (pgettext_iface("Plays {}").format(state.result), "ACTION"),
    ):
        column.label(text=text, icon=icon, translate=False)
    show_problem(column, state.problem)
    buttons = column.column(align=True)
    buttons.operator("bioik.compare", text="Show Source", icon="HIDE_OFF")
    buttons.operator("bioik.use_result_as_source", icon="FORWARD")
    buttons.operator("bioik.remove_result", icon="LOOP_BACK")


def _draw_hidden(column: bpy.types.UILayout, state: ResultState) -> None:
    """Draw the source that plays, and the result that is kept."""
    for text, icon in (
        (pgettext_iface("Plays the source {}").format(state.source or "-"), "ACTION"),
        (pgettext_iface("Result: {}").format(state.hidden), "HIDE_ON"),
    ):
        column.label(text=text, icon=icon, translate=False)
    column.operator("bioik.compare", text="Show Result", icon="HIDE_OFF", depress=True)
