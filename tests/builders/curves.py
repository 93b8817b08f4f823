"""Objects with keys, and where their F-curves are."""

from __future__ import annotations

import bpy

from blender_bioik.rig.blender import fcurves


def keyed_empty(name: str = "Empty") -> bpy.types.Object:
    """An object with sparse Bezier keys on its location, made by Blender."""
    empty = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(empty)
    for frame, place in ((1, (0, 1, 2)), (10, (5, -1, 3)), (22, (1, 0, -4)), (40, (7, 2, 2))):
        empty.location = place
        empty.keyframe_insert("location", frame=frame, group="Object Transforms")
    return empty


def container(owner: bpy.types.ID) -> bpy.types.ID:
    found = fcurves.assigned_container(owner)
    assert found is not None
    return found
