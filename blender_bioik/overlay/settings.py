"""The overlay's settings on workspaces, and their updates."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.overlay import LOOK_LISTENERS, SHOW_LISTENERS, BioIKOverlay
from .handler import redraw_views, update_handler
from .paths import read_quick_traces


def register() -> None:
    """Add the settings to workspaces, and listen to changes."""
    bpy.types.WorkSpace.bioik_overlay = bpy.props.PointerProperty(
        name="Bio-IK Overlay",
        description="Display settings of goals, contacts and paths",
        type=BioIKOverlay,
    )
    SHOW_LISTENERS.append(_show_changed)
    LOOK_LISTENERS.append(_look_changed)


def unregister() -> None:
    """Remove the settings."""
    SHOW_LISTENERS.remove(_show_changed)
    LOOK_LISTENERS.remove(_look_changed)
    del bpy.types.WorkSpace.bioik_overlay


def _show_changed(settings: Any, context: bpy.types.Context) -> None:
    """Add or remove the draw handler, and read the paths that are fast to read."""
    update_handler()
    if settings.show:
        read_quick_traces(context)


def _look_changed(_settings: Any, _context: bpy.types.Context) -> None:
    redraw_views()
