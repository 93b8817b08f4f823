"""Joint models of whole rigs, and what Blender makes of random joint values."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Quaternion

from blender_bioik.rig.clip.sampling import Clip, sample_clip
from blender_bioik.rig.clip.skeleton import Skeleton, read_skeleton
from blender_bioik.rig.goals.constraints import acting_constraints, limited_bones, mute
from blender_bioik.rig.joints.joints import JointModel, TipPlace, build_joints, source_tracks
from blender_bioik.rig.joints.limits import read_limits
from blender_bioik.rig.keys.keys import BoneTracks
from blender_bioik.rig.transforms import Floats, matrix3_from_quaternion
from blender_bioik.solver import forward_kinematics

from .rigs import rotate

Places = tuple[Floats, Floats, Floats]


def whole_model(
    rig: bpy.types.Object,
    frames: Sequence[float],
    *,
    moving: Sequence[str] | None = None,
    sliding: Sequence[str] = (),
    absolute: Sequence[str] = (),
) -> tuple[JointModel, Clip]:
    """Joints of some bones (all if not given), with a tip at every bone's head and tail.

    Constraints that would act on top of the joints are muted in the rig.
    """
    skeleton = read_skeleton(rig)
    moving = skeleton.names if moving is None else moving
    clip = sample_clip(bpy.context.scene, rig, frames)
    released = acting_constraints(rig, moving)
    limits = read_limits(rig, moving).bones
    model = build_joints(
        skeleton,
        clip,
        source_tracks(skeleton, clip, released.bones | limited_bones(rig, moving)),
        moving,
        every_tip(skeleton),
        limits,
        sliding=sliding,
        absolute=absolute,
    )
    mute(rig, released)
    return model, clip


def every_tip(skeleton: Skeleton) -> list[TipPlace]:
    """A tip at the head and at the tail of every bone."""
    tips = []
    for name, length in zip(skeleton.names, skeleton.length, strict=True):
        tips += [TipPlace(f"{name} head", name), TipPlace(f"{name} tail", name, (0, length, 0))]
    return tips


def random_values(model: JointModel, seed: int, spread: float = 1.0) -> Floats:
    """Joint values around the source's, within the limits."""
    source = np.asarray(model.clip.values)
    random = np.random.default_rng(seed)
    tree = model.tree
    scale = np.where(tree.prismatic == 1, 0.3, 1.0) * spread
    return np.clip(source + scale * random.uniform(-1.0, 1.0, source.shape), tree.lower, tree.upper)


def tree_places(model: JointModel, values: Floats) -> Places:
    """Heads, tails and orientations of all bones by the tree, in the world; (f, n, ...)."""
    poses = forward_kinematics(model.tree, values, model.settled(values).rest)
    return (
        poses.tip_positions[:, 0::2],
        poses.tip_positions[:, 1::2],
        matrix3_from_quaternion(poses.tip_quaternions[:, 0::2]),
    )


def blender_places(rig: bpy.types.Object, skeleton: Skeleton, tracks: BoneTracks) -> Places:
    """The same by Blender, with the channels written onto the bones, frame by frame."""
    rig.animation_data_clear()
    heads, tails, axes = [], [], []
    for location, rotation, scale in zip(*tracks, strict=True):
        for b, name in enumerate(skeleton.names):
            bone = rig.pose.bones[name]
            bone.location, bone.scale = location[b], scale[b]
            rotate(bone, Quaternion(rotation[b]))
        bpy.context.view_layer.update()
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = np.array(posed.matrix_world)
        matrix = world @ np.array([posed.pose.bones[name].matrix for name in skeleton.names])
        heads.append(matrix[:, :3, 3])
        ends = [(*posed.pose.bones[name].tail, 1.0) for name in skeleton.names]
        tails.append((np.array(ends) @ world.T)[:, :3])
        axes.append(straightened(matrix[:, :3, :3]))
    return np.array(heads), np.array(tails), np.array(axes)


def straightened(matrix: Floats) -> Floats:
    """Right-handed axes of length one, the second along the bone, the first as near as it goes."""
    x, y = matrix[..., 0], matrix[..., 1]
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    x = x - np.sum(x * y, axis=-1, keepdims=True) * y
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def world_height(model: JointModel, clip: Clip) -> float:
    """Height of the rig in the world."""
    return float(model.skeleton.height * np.cbrt(np.linalg.det(clip.world[0, :3, :3])))


def difference(
    rig: bpy.types.Object, model: JointModel, clip: Clip, values: Floats
) -> tuple[Floats, Floats]:
    """How far each bone is off: heads and tails in heights of the rig (n,), and axes (n,)."""
    ours = tree_places(model, values)
    blenders = blender_places(rig, model.skeleton, model.tracks(values))
    heads, tails, axes = (
        np.abs(a - b).max(axis=(0, *range(2, a.ndim))) for a, b in zip(ours, blenders, strict=True)
    )
    return np.maximum(heads, tails) / world_height(model, clip), axes
