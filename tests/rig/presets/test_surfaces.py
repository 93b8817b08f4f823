"""Spots on the surfaces of boxes, planes and objects without faces."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Vector

from blender_bioik.rig.presets.surfaces import Surface

from ...builders.preset_rigs import prop

UP = Vector((0.0, 0.0, 1.0))


def surface(thing: bpy.types.Object) -> Surface:
    return Surface(bpy.context, thing)


def near(one: Vector, other: tuple[float, float, float]) -> bool:
    return (one - Vector(other)).length < 1e-5


def test_the_nearest_spot_of_a_box() -> None:
    box = surface(prop((1.0, 0.0, 0.0), (2.0, 1.0, 1.0)))
    spot = box.nearest(Vector((1.3, 0.1, 2.0)))
    assert near(spot.point, (1.3, 0.1, 0.5))
    assert near(spot.normal, (0.0, 0.0, 1.0))
    # At an edge: the face that faces the place more, and away from the edge.
    spot = box.nearest(Vector((3.0, 0.0, 0.6)), room=0.1)
    assert near(spot.normal, (1.0, 0.0, 0.0))
    assert spot.point.x == pytest.approx(2.0)
    assert spot.point.z == pytest.approx(0.4)


def test_a_mirrored_box_has_normals_outwards_too() -> None:
    box = surface(prop((0.0, 0.0, 0.0), (-1.0, 1.0, 1.0)))
    assert near(box.nearest(Vector((0.1, 0.2, 3.0))).normal, (0.0, 0.0, 1.0))
    inside = box.nearest(Vector((0.0, 0.0, 0.4)))  # out of it, not into it
    assert near(inside.normal, (0.0, 0.0, 1.0))


def test_a_plane_has_two_sides() -> None:
    bpy.ops.mesh.primitive_plane_add(size=2.0)
    plane = surface(bpy.context.object)
    for height in (1.0, -1.0):
        assert near(plane.nearest(Vector((0.2, 0.3, height))).normal, (0.0, 0.0, height))


def test_what_comes_from_outside_touches_the_near_side() -> None:
    box = surface(prop((0.0, 0.0, 1.0), (0.4, 0.2, 0.2)))
    spot = box.from_outside(Vector((-1.0, 0.0, 0.0)))
    assert spot is not None
    assert near(spot.point, (0.2, 0.0, 1.0))
    assert near(spot.normal, (1.0, 0.0, 0.0))


def test_objects_without_faces_are_points() -> None:
    empty = bpy.data.objects.new("Empty", None)
    empty.location = (1.0, 2.0, 3.0)
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    point = surface(empty)
    assert near(point.nearest(Vector((1.0, 2.0, 5.0))).point, (1.0, 2.0, 3.0))
    assert point.nearest(Vector((1.0, 2.0, 5.0))).normal.angle(UP) < 1e-6
    assert point.from_outside(UP) is None
