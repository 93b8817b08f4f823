"""Armatures made for the tests, and Blender's own matrices of them."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import bpy
import numpy as np
from mathutils import Euler, Quaternion, Vector

from blender_bioik.rig.transforms import ROTATION_MODES, Floats

SHARED = Path(__file__).parents[3] / "shared"
INHERIT_SCALES = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


def add_armature(name: str = "Rig") -> bpy.types.Object:
    """An armature object without bones, active and selected."""
    rig = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(rig)
    for other in bpy.context.view_layer.objects:
        other.select_set(other is rig)
    bpy.context.view_layer.objects.active = rig
    return rig


def add_chain(
    rig: bpy.types.Object,
    count: int,
    *,
    prefix: str = "bone",
    parent: str | None = None,
    connected: bool = False,
    seed: int = 0,
) -> list[str]:
    """Append a chain of bones in random directions, in edit mode; returns their names."""
    random = np.random.default_rng(seed)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    previous = bones[parent] if parent else None
    names = []
    for i in range(count):
        bone = bones.new(f"{prefix}.{i}")
        start = previous.tail if previous else Vector()
        bone.head = start if connected else start + Vector(random.uniform(-0.2, 0.2, 3))
        bone.tail = bone.head + Vector(random.uniform(-0.4, 0.4, 3)) + Vector((0, 0, 0.5))
        bone.roll = random.uniform(-math.pi, math.pi)
        bone.parent = previous
        bone.use_connect = connected and previous is not None
        previous = bone
        names.append(bone.name)
    bpy.ops.object.mode_set(mode="OBJECT")
    return names


def humanoid(name: str = "Rig") -> bpy.types.Object:
    """A small person of 13 bones, about 1.8 m high; spine and limbs connected."""
    rig = add_armature(name)
    bpy.ops.object.mode_set(mode="EDIT")
    layout: list[tuple[str, str | None, tuple[float, ...], tuple[float, ...], bool]] = [
        ("hips", None, (0, 0, 1.0), (0, 0, 1.15), False),
        ("chest", "hips", (0, 0, 1.15), (0, 0, 1.5), True),
        ("head", "chest", (0, 0, 1.55), (0, 0, 1.8), False),
    ]
    for side, x in (("L", 1.0), ("R", -1.0)):
        layout += [
            (f"thigh.{side}", "hips", (0.1 * x, 0, 1.0), (0.1 * x, -0.03, 0.5), False),
            (f"shin.{side}", f"thigh.{side}", (0.1 * x, -0.03, 0.5), (0.1 * x, 0, 0.08), True),
            (f"foot.{side}", f"shin.{side}", (0.1 * x, 0, 0.08), (0.1 * x, -0.15, 0.0), True),
            (f"arm.{side}", "chest", (0.18 * x, 0, 1.45), (0.45 * x, 0, 1.45), False),
            (f"forearm.{side}", f"arm.{side}", (0.45 * x, 0, 1.45), (0.7 * x, -0.02, 1.45), True),
        ]
    for bone_name, parent, head, tail, connected in layout:
        bone = rig.data.edit_bones.new(bone_name)
        bone.head, bone.tail = head, tail
        bone.parent = rig.data.edit_bones[parent] if parent else None
        bone.use_connect = connected
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def rig_of_all_flags() -> bpy.types.Object:
    """A chain of three for every mix of inherit scale, inherit rotation, local location, connected.

    Every bone of a chain has the flags, so they act on poses that were made by the same flags.
    """
    rig = add_armature()
    (root,) = add_chain(rig, 1, prefix="root")
    combinations = itertools.product(INHERIT_SCALES, (True, False), (True, False), (True, False))
    for i, (scale, rotation, location, connected) in enumerate(combinations):
        names = add_chain(
            rig, 3, prefix=f"{scale}{i}", parent=root, connected=connected, seed=i + 1
        )
        for name in names:
            bone = rig.data.bones[name]
            bone.inherit_scale = scale
            bone.use_inherit_rotation = rotation
            bone.use_local_location = location
    return rig


def pose_randomly(rig: bpy.types.Object, seed: int, *, scale: float = 0.5) -> None:
    """Random location, rotation and non-uniform scale in every bone, in its own rotation mode."""
    random = np.random.default_rng(seed)
    for bone in rig.pose.bones:
        bone.location = random.normal(size=3) * 0.2
        bone.scale = np.exp(random.normal(size=3) * scale)
        rotate(bone, Quaternion(random.normal(size=4)).normalized())


def rotate(bone: bpy.types.PoseBone, rotation: Quaternion) -> None:
    """Set a bone's rotation channels in its own mode."""
    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = rotation
    elif bone.rotation_mode == "AXIS_ANGLE":
        axis, angle = rotation.to_axis_angle()
        bone.rotation_axis_angle = (angle, *axis)
    else:
        bone.rotation_euler = rotation.to_euler(bone.rotation_mode)


def use_all_rotation_modes(rig: bpy.types.Object) -> None:
    """Give the bones Blender's rotation modes in turn."""
    for bone, mode in zip(rig.pose.bones, itertools.cycle(ROTATION_MODES), strict=False):
        bone.rotation_mode = mode


def rotation_path(bone: bpy.types.PoseBone) -> str:
    """Name of the rotation property that a bone's mode uses."""
    named = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    return named.get(bone.rotation_mode, "rotation_euler")


def key_randomly(
    rig: bpy.types.Object, frames: list[float], seed: int = 0, *, scaled: bool = True
) -> None:
    """Key location, rotation and scale of every bone at some frames, by Blender itself."""
    random = np.random.default_rng(seed)
    for frame in frames:
        for bone in rig.pose.bones:
            bone.location = random.normal(size=3) * 0.1
            rotate(bone, Euler(random.normal(size=3) * 0.5).to_quaternion())
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert(rotation_path(bone), frame=frame)
            if scaled:
                bone.scale = np.exp(random.normal(size=3) * 0.2)
                bone.keyframe_insert("scale", frame=frame)


def blender_pose(rig: bpy.types.Object, names: tuple[str, ...]) -> Floats:
    """Blender's own pose matrices of the current frame, by bone."""
    bpy.context.view_layer.update()
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    return np.array([posed[name].matrix for name in names], float)


def blender_basis(rig: bpy.types.Object, names: tuple[str, ...]) -> Floats:
    """Blender's own matrices of the bones' channels in the current frame."""
    bpy.context.view_layer.update()
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    return np.array([posed[name].matrix_basis for name in names], float)
