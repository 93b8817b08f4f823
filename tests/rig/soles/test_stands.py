"""Soles of odd characters: long boots, rest poses that lie down or hang, shoes of their own.

The truth is Blender's evaluated mesh: where the clip stands, heel, ball and tip are at its lowest.

Tests of: stands, foot_mesh, foot_bones.
"""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_bioik.motion.feet import HEEL, TIP
from blender_bioik.rig.clip.sampling import sample_clip
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.mapping import detect
from blender_bioik.rig.mapping.read import read_bones
from blender_bioik.rig.soles.soles import Sole, soles_in_clip
from blender_bioik.rig.transforms import Floats

from ...builders.rigs import humanoid

FRAMES = range(1, 13)
BOOT = (0.16, 0.5, 0.3)  # width, length and height, metres: longer than any boot, with a shaft
HEEL_BEHIND = 0.14  # of the ankle


def boot(side: float) -> tuple[list[tuple[float, float, float]], list[tuple[int, ...]]]:
    """Corners and faces of a boot: a sole whose front half rises as a shaft does, in one piece."""
    width, length, height = BOOT
    x, back, front = 0.1 * side, HEEL_BEHIND, HEEL_BEHIND - length
    profile = [(back, 0.0), (front, 0.0), (front, 0.5 * height), (0.0, 0.5 * height)]
    profile += [(-0.05, height), (back, height)]
    corners = [(x + half * width / 2, y, z) for half in (-1, 1) for y, z in profile]
    count = len(profile)
    sides = [(i, (i + 1) % count, (i + 1) % count + count, i + count) for i in range(count)]
    return corners, [*sides, tuple(range(count))[::-1], tuple(range(count, 2 * count))]


def add_boots(rig: bpy.types.Object, how: str = "skin") -> list[bpy.types.Object]:
    """Boots on the feet: skinned, parented to bones, or below an empty that is."""
    made = []
    for side, x in (("L", 1.0), ("R", -1.0)):
        mesh = bpy.data.objects.new(f"Boot.{side}", bpy.data.meshes.new("Boot"))
        corners, faces = boot(x)
        mesh.data.from_pydata(corners, [], faces)
        bpy.context.scene.collection.objects.link(mesh)
        if how == "skin":
            mesh.parent = rig
            everything = range(len(corners))
            mesh.vertex_groups.new(name=f"foot.{side}").add(everything, 0.8, "REPLACE")
            mesh.vertex_groups.new(name=f"shin.{side}").add(everything, 0.0, "REPLACE")
            mesh.modifiers.new("Armature", "ARMATURE").object = rig
        else:
            top = mesh
            if how == "empty":
                top = bpy.data.objects.new(f"Holder.{side}", None)
                bpy.context.scene.collection.objects.link(top)
                mesh.parent = top
            top.parent, top.parent_type, top.parent_bone = rig, "BONE", f"foot.{side}"
            bone = rig.data.bones[f"foot.{side}"]
            to_tail = bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0))
            top.matrix_parent_inverse = to_tail.inverted()
        made.append(mesh)
    return made


def march(rig: bpy.types.Object) -> None:
    """Key steps on the spot: each knee lifts its foot in turn."""
    for frame in FRAMES:
        for side, phase in (("L", 0.0), ("R", math.pi)):
            lift = max(0.0, math.sin(2 * math.pi * (frame - 1) / (len(FRAMES) - 1) + phase))
            for name, turn in (("thigh", -1.0), ("shin", 1.6), ("foot", -0.4)):
                bone = rig.pose.bones[f"{name}.{side}"]
                bone.rotation_mode = "XYZ"
                bone.rotation_euler.x = turn * lift * 0.6
                bone.keyframe_insert("rotation_euler", frame=frame)


def new_rest_pose(rig: bpy.types.Object, turns: dict[str, float]) -> None:
    """Give an animated armature another rest pose in which bones are turned about X, degrees.

    The clip stays what it is: its keys are made again against the new rest pose. So does the mesh.
    """
    scene, bones = bpy.context.scene, rig.pose.bones
    poses = []
    for frame in FRAMES:
        scene.frame_set(frame)
        poses.append({bone.name: bone.matrix.copy() for bone in bones})
    rig.animation_data_clear()
    for bone in bones:
        bone.matrix_basis.identity()
        bone.rotation_mode = "QUATERNION"
        if bone.name in turns:
            bone.rotation_quaternion = Matrix.Rotation(
                math.radians(turns[bone.name]), 3, "X"
            ).to_quaternion()
    bpy.context.view_layer.update()
    for child in rig.children:
        for modifier in child.modifiers:
            bpy.context.view_layer.objects.active = child
            bpy.ops.object.modifier_apply(modifier=modifier.name)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.armature_apply()
    bpy.ops.object.mode_set(mode="OBJECT")
    for child in rig.children:
        child.modifiers.new("Armature", "ARMATURE").object = rig
    for frame, pose in zip(FRAMES, poses, strict=True):
        for bone in bones:  # parents first
            bone.matrix = pose[bone.name]
            bpy.context.view_layer.update()
            for channel in ("location", "rotation_quaternion"):
                bone.keyframe_insert(channel, frame=frame)


def read(rig: bpy.types.Object) -> tuple[list[Sole], list[str]]:
    scene = bpy.context.scene
    clip = sample_clip(scene, rig, FRAMES)
    mapping = detect(read_bones(rig))
    return soles_in_clip(rig, read_skeleton(rig), mapping, clip, 24.0)


def places(rig: bpy.types.Object, sole: Sole, frame: int) -> Floats:
    """Heel, ball and tip in the world by Blender's own pose; (3, 3)."""
    bpy.context.scene.frame_set(frame)
    return np.array(
        [
            (rig.matrix_world @ rig.pose.bones[at.bone].matrix @ Matrix.Translation(at.offset))
            .translation[:]
            for at in sole.places
        ]
    )  # fmt: skip


def corners_of(mesh: bpy.types.Object, frame: int) -> Floats:
    """Vertices of the evaluated mesh in the world."""
    bpy.context.scene.frame_set(frame)
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices])


def assert_on_the_boots(rig: bpy.types.Object, soles: list[Sole]) -> None:
    """Where it stands, both ends of the sole are those of the boot, and on the ground."""
    for sole, mesh in zip(soles, sorted(bpy.data.objects, key=lambda o: o.name)[:2], strict=True):
        assert mesh.name == f"Boot.{sole.name[-1]}"
        corners = corners_of(mesh, FRAMES[0])
        low = corners[:, 2].min()
        found = places(rig, sole, FRAMES[0])
        np.testing.assert_allclose(found[:, 2], low, atol=1e-3)
        resting = corners[corners[:, 2] < low + 1e-3]
        np.testing.assert_allclose(found[HEEL, 1], resting[:, 1].max(), atol=1e-3)
        np.testing.assert_allclose(found[TIP, 1], resting[:, 1].min(), atol=1e-3)


@pytest.mark.parametrize("how", ["skin", "bone", "empty"])
def test_long_boots_have_their_soles_at_the_bottom(how: str) -> None:
    rig = humanoid()
    add_boots(rig, how)
    march(rig)
    bpy.context.view_layer.update()
    soles, notes = read(rig)
    assert_on_the_boots(rig, soles)
    assert notes == []


def test_a_rest_pose_that_lies_down_has_its_soles_at_the_feet() -> None:
    rig = humanoid()
    add_boots(rig)
    march(rig)
    new_rest_pose(rig, {"hips": -90.0})
    heads = read_skeleton(rig).rest[:, :3, 3]
    assert np.ptp(heads[:, 2]) < 0.5  # it does lie
    soles, notes = read(rig)
    assert_on_the_boots(rig, soles)
    assert notes == []


def test_feet_that_hang_in_the_rest_pose_are_measured_where_they_stand() -> None:
    rig = humanoid()
    add_boots(rig)
    march(rig)
    new_rest_pose(rig, {"foot.L": 50.0, "foot.R": 50.0})
    soles, notes = read(rig)
    assert_on_the_boots(rig, soles)
    assert [note.partition(",")[0].partition(" at ")[0] for note in notes] == [
        "The sole of leg.L was measured",
        "The sole of leg.R was measured",
    ]


def test_a_clip_that_never_stands_flat_keeps_the_sole_of_the_rest_pose() -> None:
    rig = humanoid()
    add_boots(rig)
    soles = read(rig)[0]
    for bone in ("foot.L", "foot.R"):
        rig.pose.bones[bone].rotation_mode = "XYZ"
        rig.pose.bones[bone].rotation_euler.x = math.radians(40.0)
        rig.pose.bones[bone].keyframe_insert("rotation_euler", frame=1)
    tiptoe, notes = read(rig)
    assert tiptoe == soles
    assert notes == []
