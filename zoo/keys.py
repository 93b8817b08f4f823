"""Keys of a motion for any rig: a bone's pose is its turn and place applied to its rest matrix.

Whatever the rig's parents, tails, rolls and axes are, all variants of a body move alike.
"""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from mathutils import Matrix

from blender_bioik.rig.blender import fcurves

from .body import ALONG, ORIGIN, Body, Floats
from .controls import control_keys
from .posing import Motion

FIRST_FRAME = 1


def animate(armature: bpy.types.Object, body: Body, motion: Motion) -> int:
    """Write a motion as the armature's action; returns its last frame."""
    poses = pose_matrices(armature, body, motion)
    poses |= control_keys(armature, body, poses)
    action = fcurves.new_action(motion.name, armature)
    slot = fcurves.ensure_slot(action, armature)
    container = fcurves.ensure_container(action, slot)
    count = len(next(iter(poses.values())))
    frames = np.arange(FIRST_FRAME, FIRST_FRAME + count)
    for bone in armature.pose.bones:
        if bone.name in poses:
            _key(container, bone, poses, frames)
    fcurves.assign_action(armature, action, slot)
    return int(frames[-1])


def pose_matrices(armature: bpy.types.Object, body: Body, motion: Motion) -> dict[str, Floats]:
    """Pose matrix (f, 4, 4) of each bone in the armature's axes, by name in Blender."""
    leaders = {bone.name: bone.name for bone in body.bones}
    leaders |= {bone.name: role for bone, role in body.extra}
    found = {}
    for role, leader in leaders.items():
        name = body.named(role)
        rest = np.array(armature.data.bones[name].matrix_local)
        carry = _carry(body, motion, leader)
        found[name] = body.in_rig(carry) @ rest
    return found


def _carry(body: Body, motion: Motion, leader: str) -> Floats:
    """What a leader does to the rest pose, (f, 4, 4) in the character's axes."""
    path = motion.heads[body.root]
    carry = np.tile(np.eye(4), (len(path), 1, 1))
    if leader == ALONG:
        carry[:, 1, 3] = np.linspace(0.0, path[-1, 1] - path[0, 1], len(path))
    elif leader != ORIGIN:
        carry[:, :3, :3] = motion.turns[leader]
        carry[:, :3, 3] = motion.heads[leader] - motion.turns[leader] @ body.head(leader)
    return carry


def _key(
    container: bpy.types.ID,
    bone: bpy.types.PoseBone,
    poses: Mapping[str, Floats],
    frames: Floats | np.ndarray,
) -> None:
    """Key a bone's rotation, and its location where it moves against its parent."""
    rest = np.array(bone.bone.matrix_local)
    before = poses[bone.name]
    if bone.parent:
        parent_rest = np.array(bone.parent.bone.matrix_local)
        carried = poses.get(bone.parent.name, np.tile(parent_rest, (len(before), 1, 1)))
        rest = carried @ np.linalg.inv(parent_rest) @ rest
    basis = np.linalg.solve(np.broadcast_to(rest, before.shape), before)
    bone.rotation_mode = "QUATERNION"
    _write(container, bone, "rotation_quaternion", quaternions(basis[:, :3, :3]), frames)
    if not bone.parent or abs(basis[:, :3, 3]).max() > 1e-5 * bone.bone.length:
        _write(container, bone, "location", basis[:, :3, 3], frames)


def _write(
    container: bpy.types.ID, bone: bpy.types.PoseBone, channel: str, values: Floats,
    frames: Floats | np.ndarray,
) -> None:  # fmt: skip
    path = bone.path_from_id(channel)
    for index, column in enumerate(values.T):
        group = fcurves.ensure_curve(container, path, index, bone.name)
        fcurves.write_keys(group, frames, column, key_type="KEYFRAME")


def quaternions(turns: Floats) -> Floats:
    """Unit quaternions (n, 4) w, x, y, z of rotations (n, 3, 3), each near the one before."""
    found = np.array([Matrix(turn.tolist()).to_quaternion() for turn in turns])
    for row in range(1, len(found)):
        if found[row] @ found[row - 1] < 0:
            found[row] *= -1
    return found
