"""Palms of hands with and without fingers, names and meshes."""

from __future__ import annotations

import math

import bpy
import pytest
from mathutils import Vector

import zoo
from blender_bioik.rig.presets.palms import Palm, palm_of

from ...builders.preset_rigs import standing

# A hand that hangs may be turned this much forward or back.
ABOUT = math.radians(50.0)


def palm(rig: bpy.types.Object, bone: str, side: str) -> Palm:
    return palm_of(bpy.context.scene, rig, bone, side)


def in_rest(rig: bpy.types.Object, bone: str, way: Vector) -> Vector:
    return rig.data.bones[bone].matrix_local.to_3x3() @ way


@pytest.mark.parametrize("character", ["plain", "mixamo", "bare", "nameless", "fingers", "costume"])
def test_palms_are_each_others_mirror_images(character: str) -> None:
    built = zoo.build(character)
    rig, slots = built.armature, built.truth.slots
    turn = rig.matrix_world.to_3x3()
    found = {}
    for side in "LR":
        bone = slots[f"hand.{side}"]
        made = palm(rig, bone, side)
        assert made.normal.dot(made.fingers) == pytest.approx(0.0, abs=1e-5)
        assert made.size > 0.0
        found[side] = [turn @ in_rest(rig, bone, way) for way in (made.normal, made.fingers)]
    for left, right in zip(found["L"], found["R"], strict=True):
        mirrored = Vector((-right.x, right.y, right.z))
        assert left.angle(mirrored) < math.radians(2.0)
    # It faces the ground where arms are held out, and the body where they hang.
    normal, fingers = found["L"]
    side_ways, down = Vector((1.0, 0.0, 0.0)), Vector((0.0, 0.0, -1.0))
    wanted = down * max(fingers.dot(side_ways), 0.0) - side_ways * max(fingers.dot(down), 0.0)
    assert normal.angle(wanted) < ABOUT


def test_names_of_fingers_do_not_matter() -> None:
    rig = standing()
    named = palm(rig, "hand.L", "L")
    for number, bone in enumerate(list(rig.data.bones["hand.L"].children_recursive)):
        bone.name = f"Bone.{number:03}"
    assert palm(rig, "hand.L", "L").normal.angle(named.normal) < 1e-3


def test_the_thickness_of_a_hand_is_that_of_its_mesh_or_guessed() -> None:
    rig = standing()
    skinned = palm(rig, "hand.L", "L")
    for thing in [o for o in bpy.data.objects if o.type == "MESH"]:
        bpy.data.objects.remove(thing)
    bare = palm(rig, "hand.L", "L")
    off = (skinned.centre - bare.centre).dot(bare.normal)
    assert bare.size > 0.0
    assert abs(off) < 0.5 * bare.size
    assert (skinned.centre - bare.centre).length == pytest.approx(abs(off), rel=0.01)


def test_a_turned_palm_faces_and_points_as_asked() -> None:
    made = palm(standing(), "hand.R", "R")
    normal, fingers = Vector((0.0, 1.0, 0.0)), Vector((0.3, 0.4, -0.8))
    turn = made.turned(normal, fingers).to_3x3()
    assert (turn @ made.normal).angle(normal) < 1e-3
    assert (turn @ made.fingers).cross(normal).dot(fingers.cross(normal)) > 0.0
    assert turn.determinant() == pytest.approx(1.0, abs=1e-5)
