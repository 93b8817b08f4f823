"""Reading the paths that the overlay draws, where no bake has left them or keys were edited."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

import bpy

from ..rig.errors import RigError
from ..rig.trace.trace import has_trace, keep_trace, playing, trace_of
from .handler import redraw_views


def read_quick_traces(context: bpy.types.Context) -> None:
    """Read the paths of armatures with contacts or a bake, if that needs F-curves alone."""
    from ..rig.trace.read_trace import is_quick, read_trace

    for armature in walked(context):
        if not has_trace(armature) and is_quick(context.scene, armature):
            with suppress(RigError):  # the button to read them says why
                keep_trace(armature, read_trace(context.scene, armature))
    redraw_views()


def reread_traces(scene: bpy.types.Scene, actions: Collection[int]) -> None:
    """Read the paths of armatures anew that play some actions, if that takes no time.

    Args:
        scene: The scene whose armatures are meant.
        actions: Numbers (`session_uid`) of actions whose keys were edited.
    """
    from ..rig.trace.read_trace import is_quick, reread_trace

    for object_ in scene.objects:
        trace = trace_of(object_) if object_.type == "ARMATURE" else None
        if trace is None or set(actions).isdisjoint(playing(object_)):
            continue
        if is_quick(scene, object_):
            with suppress(RigError):  # the button to read them says why
                keep_trace(object_, reread_trace(scene, object_, trace))
    redraw_views()


def walked(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    """Visible armatures with contacts or a bake, which have paths to be shown."""
    for object_ in context.scene.objects:
        if object_.type == "ARMATURE" and object_.mode != "EDIT" and object_.visible_get():
            rig = object_.bioik
            if rig.feet.contacts or rig.baked.result is not None:
                yield object_
