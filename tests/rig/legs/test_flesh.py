"""The flesh of characters against their meshes, as Blender deforms them."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.motion.body.hull import Hull, rotation_matrices
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.legs.flesh import body_flesh
from blender_bioik.rig.legs.read_legs import read_legs
from blender_bioik.rig.mapping.chosen import rig_mapping
from blender_bioik.rig.soles.soles import read_soles
from blender_bioik.rig.transforms import Floats
from demo import character

MILLIMETRE = 1e-3


def person() -> bpy.types.Object:
    return character.build(bpy.context.scene.collection)


def hulls_of(armature: bpy.types.Object) -> dict[str, Hull]:
    skeleton, mapping = read_skeleton(armature), rig_mapping(armature)
    soles = read_soles(armature, skeleton, mapping)
    return {hull.bone: hull for hull in body_flesh(armature, skeleton, mapping, soles).body}


def lowest_of_mesh(armature: bpy.types.Object, bone: str) -> float:
    """The lowest vertex whose largest weight is a bone's, as it plays now."""
    lowest = np.inf
    for thing in bpy.data.objects:
        if thing.type != "MESH":
            continue
        group = thing.vertex_groups[bone].index
        own = [
            vertex.index
            for vertex in thing.data.vertices
            if vertex.groups and max(vertex.groups, key=lambda g: g.weight).group == group
        ]
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places = [evaluated.matrix_world @ evaluated.data.vertices[i].co for i in own]
        lowest = min([lowest, *(place.z for place in places)])
    return float(lowest)


def lowest_of_hull(armature: bpy.types.Object, hull: Hull) -> float:
    matrix = np.array(armature.matrix_world @ armature.pose.bones[hull.bone].matrix)
    return float((hull.rings @ matrix[:3, :3].T + matrix[:3, 3])[..., 2].min())


def test_hulls_are_as_low_as_the_mesh_however_it_lies() -> None:
    armature = person()
    hulls = hulls_of(armature)
    for angles in ((0.0, 0.0, 0.0), (1.5, 0.2, 0.0), (-1.5, 0.0, 0.3), (0.3, 1.6, 0.0)):
        armature.rotation_euler = angles
        bpy.context.view_layer.update()
        for bone in ("shin.L", "thigh.R", "forearm.L", "chest"):
            off = lowest_of_hull(armature, hulls[bone]) - lowest_of_mesh(armature, bone)
            assert -1e-5 < off < 8 * MILLIMETRE, (bone, angles)


def test_feet_have_soles_and_no_hulls() -> None:
    hulls = hulls_of(person())
    assert not any("foot" in bone or "toe" in bone for bone in hulls)
    assert {"shin.L", "hand.R", "hips", "head"} <= hulls.keys()


def test_bones_without_a_mesh_have_capsules_between_their_joints() -> None:
    armature = person()
    for mesh in list(armature.children):
        bpy.data.objects.remove(mesh)
    hulls = hulls_of(armature)
    rings = hulls["shin.L"].rings
    length = armature.data.bones["shin.L"].length
    np.testing.assert_allclose(rings[[0, -1], 0], [[0, 0, 0], [0, length, 0]], atol=1e-5)
    assert np.linalg.norm(rings[2:-2, :, [0, 2]], axis=-1) == pytest.approx(0.12 * length, rel=1e-4)


def add_bone(armature: bpy.types.Object, name: str, parent: str, way: Floats) -> None:
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new(name)
    bone.parent = armature.data.edit_bones[parent]
    bone.head = bone.parent.head
    bone.tail = np.array(bone.head) + way
    bpy.ops.object.mode_set(mode="OBJECT")


def box_on(armature: bpy.types.Object, bone: str, size: float, below: float) -> None:
    """A box that a bone carries, its middle below the bone's head."""
    bpy.ops.mesh.primitive_cube_add(size=size)
    box = bpy.context.object
    box.parent, box.parent_type, box.parent_bone = armature, "BONE", bone
    head = armature.matrix_world @ armature.data.bones[bone].head_local
    bpy.context.view_layer.update()
    box.matrix_world.translation = (head.x, head.y, head.z - below)
    bpy.context.view_layer.update()


def test_what_hangs_on_the_trunk_or_is_held_does_not_count() -> None:
    """A tail, and a sword twice as long as the forearm."""
    armature = person()
    before = hulls_of(armature)
    add_bone(armature, "cape", "chest", np.array([0.0, 0.3, -0.9]))
    add_bone(armature, "sword", "hand.R", np.array([0.0, -0.5, -0.5]))
    box_on(armature, "cape", 0.2, 0.9)
    box_on(armature, "sword", 0.1, 0.7)
    assert hulls_of(armature).keys() == before.keys()


def test_what_a_limb_carries_counts() -> None:
    armature = person()
    add_bone(armature, "knee pad", "shin.L", np.array([0.0, -0.1, 0.0]))
    box_on(armature, "knee pad", 0.1, 0.0)
    rings = hulls_of(armature)["knee pad"].rings
    assert np.ptp(rings.reshape(-1, 3), axis=0) == pytest.approx(0.1, abs=1e-5)


def test_legs_have_tips_on_all_of_them() -> None:
    armature = person()
    legs = read_legs(armature)
    tips = {tip.bone for tip in legs.tips() if tip.name.endswith(", flesh")}
    assert tips == {hull.bone for hull in legs.hulls}


def test_a_hull_turns_with_its_bone() -> None:
    hull = hulls_of(person())["shin.L"]
    level = np.array([[1.0, 0.0, 0.0, 0.0]])
    points = hull.lowest_of_rings(rotation_matrices(level))
    assert points[0, :, 2].min() == pytest.approx(hull.rings[..., 2].min())
