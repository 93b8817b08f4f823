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


def set_key(owner: bpy.types.ID, path: str, value: float) -> None:
    """Give the second key of a property's first F-curve a value, whatever it is."""
    container(owner).fcurves.find(path, index=0).keyframe_points[1].co.y = value


def container(owner: bpy.types.ID) -> bpy.types.ID:
    found = fcurves.assigned_container(owner)
    assert found is not None
    return found
