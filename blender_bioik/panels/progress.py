"""Progress of the running operation."""

from __future__ import annotations

import bpy
from bpy.app.translations import contexts

from ..ui_state.running import running_work


def draw_progress(layout: bpy.types.UILayout) -> bool:
    """Draw the running operation and how to cancel it; returns whether there is one."""
    work = running_work()
    if work is None:
        return False
    column = layout.column(align=True)
    head = column.row()
    head.label(text=work.label, text_ctxt=contexts.operator_default)
    if seconds := work.time_text():
        passed = head.row()
        passed.alignment = "RIGHT"
        passed.label(text=seconds, translate=False)
    column.progress(text=work.text(), factor=work.share(), translate=False)
    keys = column.row()
    keys.alignment = "LEFT"
    # Apart, because the icon of this key is wider than others and would touch the text.
    keys.label(text="", icon="EVENT_ESC")
    keys.label(text="Cancel")
    return True
