"""Reading the paths that the overlay draws, where no bake has left them."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ..rig.errors import RigError
from ..rig.trace import keep_trace, trace_of
from .handler import redraw_views


def read_quick_traces(context: bpy.types.Context) -> None:
    """Read the paths of armatures with contacts or a bake, if that needs F-curves alone."""
    from ..rig.read_trace import is_quick, read_trace

    for armature in walked(context):
        if trace_of(armature) is None and is_quick(context.scene, armature):
            try:
                keep_trace(armature, read_trace(context.scene, armature))
            except RigError:
                continue  # the button to read them says why
    redraw_views()


def walked(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    """Visible armatures with contacts or a bake, which have paths to be shown."""
    for object_ in context.scene.objects:
        if object_.type == "ARMATURE" and object_.mode != "EDIT" and object_.visible_get():
            rig = object_.bioik
            if rig.feet.contacts or rig.baked.result is not None:
                yield object_
