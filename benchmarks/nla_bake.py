"""Blender's own bake, as an animator uses it: visual keying, constraints cleared, a new action."""

from __future__ import annotations

import time

import bpy


def bake(last: int, *, first: int = 1, only_selected: bool = False, **options: object) -> float:
    """Bake the active armature's pose; returns the seconds of `nla.bake` alone."""
    bpy.ops.object.mode_set(mode="POSE")
    start = time.perf_counter()
    bpy.ops.nla.bake(
        frame_start=first,
        frame_end=last,
        only_selected=only_selected,
        visual_keying=True,
        clear_constraints=True,
        use_current_action=False,
        bake_types={"POSE"},
        **options,
    )
    seconds = time.perf_counter() - start
    bpy.ops.object.mode_set(mode="OBJECT")
    return seconds
