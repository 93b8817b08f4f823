"""The rows of a panel or an operator that show a range of frames."""

from __future__ import annotations

from typing import Any

import bpy


def draw_frames(layout: bpy.types.UILayout, settings: Any) -> None:
    """Show a range, and start and end where these are the range."""
    layout.prop(settings, "range")
    if settings.range == "CUSTOM":
        column = layout.column(align=True)
        column.prop(settings, "frame_start")
        column.prop(settings, "frame_end", text="End")
