"""Layout of a frame range in panels and operators."""

from __future__ import annotations

from typing import Any

import bpy


def draw_frames(layout: bpy.types.UILayout, settings: Any) -> None:
    """Draw a frame range, with start and end if it is custom."""
    layout.prop(settings, "range")
    if settings.range == "CUSTOM":
        column = layout.column(align=True)
        column.prop(settings, "frame_start")
        column.prop(settings, "frame_end", text="End")
