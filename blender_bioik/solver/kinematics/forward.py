"""Forward kinematics: segment frames, tip poses and their Jacobians.

Inside the kernels every joint is re-framed so that its axis is +z: a revolute joint is then a
quaternion with two non-zero components, which halves the work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite, unit_length
from ..errors import ShapeError
from ..kernels import quaternions
from ..kernels.arena import (
    FRAME_SIZE,
    FRAMES,
    JOINT_COUNT,
    LOWER,
    PARENT,
    POSE,
    POSE_SIZE,
    PRISMATIC,
    REST,
    TIP_COUNT,
    TIP_JOINT,
    TIP_POSE,
    TIPS,
    UPPER,
)
from ..kernels.compiled import Floats, Ints, entry, kernel, pointer_to
from ..kernels.declaration import Counts
from ..kernels.layout import Arena, lay_out
from ..kernels.quaternions import multiply, rotate, sine_cosine
from .tree import KinematicTree


class Rest(NamedTuple):
    """Static transforms that differ from frame to frame: joints as corrections of an animation.

    `rotation` is (frames, n, 4), quaternions w, x, y, z; `position` is (frames, n, 3), metres.
    """

    rotation: Floats
    position: Floats


class Poses(NamedTuple):
    """World poses for each given set of joint values (first axis)."""

    joint_positions: Floats
    joint_quaternions: Floats
    tip_positions: Floats
    tip_quaternions: Floats


@kernel
def forward(I: Ints, F: Floats, q: int) -> None:
    """World frames of all segments for the pose at `q` (R_i = R_(i-1) L_i of the OFKT paper)."""
    parent, prismatic = I[PARENT], I[PRISMATIC]
    frames, rest = I[FRAMES], I[REST]
    for i in range(I[JOINT_COUNT]):
        r = rest + POSE_SIZE * i
        f = frames + FRAME_SIZE * i
        if I[parent + i] < 0:
            ox, oy, oz = F[r + 4], F[r + 5], F[r + 6]
            pw, px, py, pz = 1.0, 0.0, 0.0, 0.0
        else:
            p = frames + FRAME_SIZE * I[parent + i]
            pw, px, py, pz = F[p + 3], F[p + 4], F[p + 5], F[p + 6]
            a, b, c = rotate(pw, px, py, pz, F[r + 4], F[r + 5], F[r + 6])
            ox, oy, oz = F[p] + a, F[p + 1] + b, F[p + 2] + c
        lw, lx, ly, lz = F[r], F[r + 1], F[r + 2], F[r + 3]
        slides = I[prismatic + i] != 0
        if not slides:
            sine, cosine = sine_cosine(0.5 * F[q + i])
            lw, lx, ly, lz = (
                cosine * lw - sine * lz,
                cosine * lx + sine * ly,
                cosine * ly - sine * lx,
                cosine * lz + sine * lw,
            )
        w, x, y, z = multiply(pw, px, py, pz, lw, lx, ly, lz)
        zx = 2.0 * (x * z + w * y)
        zy = 2.0 * (y * z - w * x)
        zz = 1.0 - 2.0 * (x * x + y * y)
        if slides:
            ox += zx * F[q + i]
            oy += zy * F[q + i]
            oz += zz * F[q + i]
        F[f], F[f + 1], F[f + 2] = ox, oy, oz
        F[f + 3], F[f + 4], F[f + 5], F[f + 6] = w, x, y, z
        F[f + 7], F[f + 8], F[f + 9] = zx, zy, zz


@kernel
def forward_tips(I: Ints, F: Floats) -> None:
    """World position (3) and quaternion (4) of every tip from the segment frames."""
    for t in range(I[TIP_COUNT]):
        joint = I[I[TIP_JOINT] + t]
        local = I[TIP_POSE] + POSE_SIZE * t
        tip = I[TIPS] + POSE_SIZE * t
        if joint < 0:
            for k in range(POSE_SIZE):
                F[tip + k] = F[local + k]
            continue
        f = I[FRAMES] + FRAME_SIZE * joint
        w, x, y, z = F[f + 3], F[f + 4], F[f + 5], F[f + 6]
        a, b, c = rotate(w, x, y, z, F[local], F[local + 1], F[local + 2])
        F[tip], F[tip + 1], F[tip + 2] = F[f] + a, F[f + 1] + b, F[f + 2] + c
        F[tip + 3], F[tip + 4], F[tip + 5], F[tip + 6] = multiply(
            w, x, y, z, F[local + 3], F[local + 4], F[local + 5], F[local + 6]
        )


@entry
def forward_many(
    I: Ints, F: Floats, values: Floats, rest: Floats, frames: Floats, tips: Floats
) -> None:
    """Forward kinematics of many poses; `rest` has one entry or one for each pose."""
    n = I[JOINT_COUNT]
    ints, floats = pointer_to(I), pointer_to(F)
    for f in range(values.shape[0]):
        F[I[POSE] : I[POSE] + n] = values[f]
        F[I[REST] : I[REST] + POSE_SIZE * n] = rest[min(f, rest.shape[0] - 1)]
        forward(ints, floats, I[POSE])
        forward_tips(ints, floats)
        frames[f] = F[I[FRAMES] : I[FRAMES] + FRAME_SIZE * n]
        tips[f] = F[I[TIPS] : I[TIPS] + POSE_SIZE * I[TIP_COUNT]]


def packed_rest(tree: KinematicTree, rest: Rest | None = None) -> Floats:
    """Static transforms (frames or 1, n, 7) in the kernels' frames."""
    turn = tree.turn
    parent_turn = np.where(
        (tree.parent >= 0)[:, None], turn[tree.parent], np.array([1.0, 0.0, 0.0, 0.0])
    )
    if rest is None:
        rotation, position = tree.rest_rotation[None], tree.rest_position[None]
    else:
        rotation = unit_length(rest.rotation, (None, tree.size, 4), "The clip's rest rotations")
        position = finite(rest.position, (len(rotation), tree.size, 3), "The clip's rest positions")
    back = quaternions.conjugate(parent_turn)
    return np.concatenate(
        [
            quaternions.product(quaternions.product(back, rotation), turn),
            quaternions.rotated(np.broadcast_to(back, rotation.shape), position),
        ],
        axis=-1,
    )


def packed_tips(tree: KinematicTree) -> Floats:
    """Tip poses (k, 7) as position and quaternion in the kernels' frames."""
    turn = np.where(
        (tree.tip_joint >= 0)[:, None],
        tree.turn[tree.tip_joint] if tree.size else np.zeros((len(tree.tip_joint), 4)),
        np.array([1.0, 0.0, 0.0, 0.0]),
    )
    back = quaternions.conjugate(turn)
    return np.concatenate(
        [
            quaternions.rotated(back, tree.tip_position),
            quaternions.product(back, tree.tip_rotation),
        ],
        axis=-1,
    )


def _plain_arena(tree: KinematicTree) -> Arena:
    """All joints and tips of a tree, without goals."""
    return lay_out(
        Counts(tree.size, len(tree.tip_names)),
        {
            PARENT: tree.parent,
            PRISMATIC: tree.prismatic,
            TIP_JOINT: tree.tip_joint,
            LOWER: tree.lower,
            UPPER: tree.upper,
            REST: packed_rest(tree),
            TIP_POSE: packed_tips(tree),
        },
    )


def forward_kinematics(tree: KinematicTree, values: ArrayLike, rest: Rest | None = None) -> Poses:
    """World poses of all joints and tips, for one pose (n,) or any number of poses (frames, n).

    `rest` gives static transforms for each frame in place of the tree's own. The result's first
    axis is the pose, also for a single one.
    """
    poses = finite(np.atleast_2d(np.asarray(values, float)), (None, tree.size), "The poses")
    count, n, k = len(poses), tree.size, len(tree.tip_names)
    packed = packed_rest(tree, rest)
    packed = packed.reshape(len(packed), n * POSE_SIZE)
    if len(packed) not in (1, count):
        raise ShapeError(f"There are {len(packed)} rest poses for {count} poses.")
    flat_frames, flat_tips = np.empty((count, n * FRAME_SIZE)), np.empty((count, k * POSE_SIZE))
    ints, floats = _plain_arena(tree).arrays()
    forward_many(ints, floats, poses, packed, flat_frames, flat_tips)
    frames = flat_frames.reshape(count, n, FRAME_SIZE)
    tips = flat_tips.reshape(count, k, POSE_SIZE)
    turned = quaternions.product(frames[:, :, 3:7], quaternions.conjugate(tree.turn))
    return Poses(frames[:, :, :3], turned, tips[:, :, :3], tips[:, :, 3:])


def tip_jacobian(
    tree: KinematicTree, tip: str, values: ArrayLike, rest: Rest | None = None
) -> Floats:
    """Geometric Jacobian (6, n) of a tip for one pose: metres, then radians, per joint unit."""
    k = tree.tip_index(tip)
    pose = forward_kinematics(tree, values, rest)
    axis = quaternions.rotated(pose.joint_quaternions[0], tree.axis)
    jacobian = np.zeros((6, tree.size))
    for i in tree.chain(int(tree.tip_joint[k])):
        if tree.prismatic[i]:
            jacobian[:3, i] = axis[i]
        else:
            jacobian[:3, i] = np.cross(
                axis[i], pose.tip_positions[0, k] - pose.joint_positions[0, i]
            )
            jacobian[3:, i] = axis[i]
    return jacobian
