"""Items of lists that an override has from its library: Blender lets nobody remove or move them."""

from __future__ import annotations

from typing import Any

import bpy

from ..rig.blender.library_items import is_from_library
from ..ui_state.chosen_armature import poll_problem


def poll_own(cls: type[bpy.types.Operator], item: Any, path: str, way_out: str) -> bool:
    """Whether an item is not from a library; the button says so, and what to do instead."""
    if is_from_library(item, path):
        return poll_problem(cls, way_out)
    return True
