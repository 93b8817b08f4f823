"""Rigs that presets are tried on, beside the demo character, and what Blender shows of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector

from blender_bioik.presets import Preset, bundled_presets
from blender_bioik.rig.transforms import Floats
from demo import character, walk

from .mapping.skeletons import SKELETONS
from .rigs import add_armature

FRAMES = 12
# Robots turn each joint about one axis of its bone.
ROBOT = tuple(zip((0.3, 0.4, 0.35, 0.2, 0.15, 0.1), "yxxyxy", strict=True))
ROBOT_LIMIT = 2.8


def bundled(name: str) -> Preset:
    """A preset that comes with the extension."""
    (preset,) = [entry.preset for entry in bundled_presets() if entry.name == name]
    assert preset is not None
    return preset


def walking() -> bpy.types.Object:
    """The demo character, walking; active."""
    rig = character.build(bpy.context.scene.collection)
    walk.animate(rig, strides=1)
    return _ready(rig)


def standing() -> bpy.types.Object:
    """The demo character in its rest pose, keyed; active."""
    rig = character.build(bpy.context.scene.collection)
    return _ready(_keyed(rig))


def mixamo() -> bpy.types.Object:
    """A rig with Mixamo's names, in centimetres and with Y up, keyed; active."""
    rig = add_armature("Mixamo")
    skeleton = SKELETONS["mixamo"]
    table = skeleton.table()
    bpy.ops.object.mode_set(mode="EDIT")
    to_data = Matrix.Scale(100.0, 4) @ Matrix.Rotation(-np.pi / 2.0, 4, "X")
    made: list[bpy.types.EditBone] = []
    for name, parent, head, tail in zip(
        table.names, skeleton.parents, table.heads, table.tails, strict=True
    ):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = to_data @ Vector(head), to_data @ Vector(tail)
        bone.parent = made[parent] if parent >= 0 else None
        made.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.matrix_world = to_data.inverted()
    return _ready(_keyed(rig))


def robot_arm() -> bpy.types.Object:
    """An arm of six joints with limits, bent and keyed; active."""
    rig = add_armature("Robot")
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for number, (length, _) in enumerate(ROBOT):
        bone = rig.data.edit_bones.new(f"joint{number + 1}")
        bone.head = parent.tail if parent else (0.0, 0.0, 0.0)
        bone.tail = bone.head + Vector((0.0, 0.0, length))
        bone.parent, parent = parent, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for posed, (_, axis) in zip(rig.pose.bones, ROBOT, strict=True):
        posed.rotation_mode = "XYZ"
        for other in set("xyz") - {axis}:
            setattr(posed, f"lock_ik_{other}", True)
        setattr(posed, f"use_ik_limit_{axis}", True)
        setattr(posed, f"ik_min_{axis}", -ROBOT_LIMIT)
        setattr(posed, f"ik_max_{axis}", ROBOT_LIMIT)
    for name, angle in (("joint2", 0.4), ("joint3", 0.9), ("joint5", 0.8)):
        rig.pose.bones[name].rotation_euler.x = angle
    return _ready(_keyed(rig))


def prop(
    at: Sequence[float], size: Sequence[float], name: str = "Prop", turn: float = 0.0
) -> bpy.types.Object:
    """A box in the scene, turned about Z."""
    corners = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    made = bpy.data.objects.new(name, mesh)
    made.location, made.scale, made.rotation_euler.z = at, size, turn
    bpy.context.scene.collection.objects.link(made)
    bpy.context.view_layer.update()
    return made


def move(target: str, way: Sequence[float]) -> bpy.types.Object:
    """Have a target go some way until the last frame; metres."""
    moved = bpy.data.objects[target]
    moved.keyframe_insert("location", frame=1)
    moved.location += Vector(way)
    moved.keyframe_insert("location", frame=FRAMES)
    bpy.context.scene.frame_set(1)
    return moved


def path(of: Callable[[], Vector]) -> Floats:
    """Where something is in the world in each frame; (f, 3)."""
    places = []
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        places.append(tuple(of()))
    return np.array(places)


def point(rig: bpy.types.Object, bone: str, along: float = 0.0) -> Vector:
    """A point of a bone in the world, by Blender's own pose."""
    posed = rig.pose.bones[bone]
    return rig.matrix_world @ posed.head.lerp(posed.tail, along)


def axis(rig: bpy.types.Object, bone: str, local: Sequence[float]) -> Vector:
    """A direction of a bone in the world, of length one."""
    world = (rig.matrix_world @ rig.pose.bones[bone].matrix).to_3x3()
    return (world @ Vector(local)).normalized()


def _keyed(rig: bpy.types.Object) -> bpy.types.Object:
    for posed in rig.pose.bones:
        turn = "rotation_quaternion" if posed.rotation_mode == "QUATERNION" else "rotation_euler"
        posed.keyframe_insert(turn, frame=1)
        posed.keyframe_insert("location", frame=1)
    return rig


def _ready(rig: bpy.types.Object) -> bpy.types.Object:
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    scene.frame_set(1)
    bpy.context.view_layer.objects.active = rig
    for other in bpy.context.view_layer.objects:
        other.select_set(other is rig)
    return rig
