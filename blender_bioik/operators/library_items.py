"""Items of lists that an override has from its library: Blender lets nobody remove or move them."""

from __future__ import annotations

from typing import Any

import bpy

from ..rig.library_items import is_from_library


def poll_own(cls: type[bpy.types.Operator], item: Any, path: str, way_out: str) -> bool:
    """Whether an item is not from a library; the button says so, and what to do instead."""
    if is_from_library(item, path):
        cls.poll_message_set(way_out)
        return False
    return True
