"""Shortcuts in the 3D viewport."""

from __future__ import annotations

from typing import Any

import bpy

# Keymaps of Blender, by their names.
KEYMAPS = ("Object Mode", "Pose")
_added: list[tuple[Any, Any]] = []


def register() -> None:
    """Add Shift Alt C, which compares a result with its source; without a window, nothing."""
    config = bpy.context.window_manager.keyconfigs.addon
    for name in KEYMAPS if config is not None else ():
        keymap = config.keymaps.new(name=name, space_type="EMPTY")
        item = keymap.keymap_items.new("bioik.compare", "C", "PRESS", alt=True, shift=True)
        _added.append((keymap, item))


def unregister() -> None:
    """Remove them."""
    for keymap, item in _added:
        keymap.keymap_items.remove(item)
    _added.clear()
