"""Reading the overlay's paths where a bake has not stored them or keyframes were edited."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

import bpy

from ..rig.errors import RigError
from ..rig.trace.trace import has_trace, keep_trace, playing, trace_of
from .handler import redraw_views


def read_quick_traces(context: bpy.types.Context) -> None:
    """Read the paths of armatures with contacts or a bake, if F-curves are sufficient."""
    from ..rig.trace.read_trace import is_quick, read_trace

    for armature in walked(context):
        if not has_trace(armature) and is_quick(context.scene, armature):
            with suppress(RigError):  # the Update Paths button reports why
                keep_trace(armature, read_trace(context.scene, armature))
    redraw_views()


def reread_traces(scene: bpy.types.Scene, actions: Collection[int]) -> None:
    """Update the paths of armatures that use some actions, if that is fast.

    Args:
        scene: The scene with the armatures.
        actions: Identifiers (`session_uid`) of actions whose keyframes were edited.
    """
    from ..rig.trace.read_trace import is_quick, reread_trace

    for object_ in scene.objects:
        trace = trace_of(object_) if object_.type == "ARMATURE" else None
        if trace is None or set(actions).isdisjoint(playing(object_)):
            continue
        if is_quick(scene, object_):
            with suppress(RigError):  # the Update Paths button reports why
                keep_trace(object_, reread_trace(scene, object_, trace))
    redraw_views()


def walked(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    """Visible armatures with contacts or a bake, whose paths are drawn."""
    for object_ in context.scene.objects:
        if object_.type == "ARMATURE" and object_.mode != "EDIT" and object_.visible_get():
            rig = object_.bioik
            if rig.feet.contacts or rig.baked.result is not None:
                yield object_
