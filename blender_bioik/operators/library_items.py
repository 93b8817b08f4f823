"""List items that come from a library: Blender does not allow removing or moving them."""

from __future__ import annotations

from typing import Any

import bpy

from ..rig.blender.library_items import is_from_library
from ..ui_state.chosen_armature import poll_problem


def poll_own(cls: type[bpy.types.Operator], item: Any, path: str, way_out: str) -> bool:
    """Whether an item is not from a library; sets the poll message if it is."""
    if is_from_library(item, path):
        return poll_problem(cls, way_out)
    return True
