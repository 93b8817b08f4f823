"""Transform channels as arrays: Blender's rotation modes, composed and decomposed matrices.

Numbers only. Rotations are radians, quaternions are w, x, y, z, an axis-angle is angle, x, y, z as
Blender stores it. "Along frames" means along the first axis. Conventions of Blender, such as the
order of Euler axes or what a quaternion of zeros means, are followed here.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..motion.angles import angle_of

Floats = NDArray[np.float64]

# The axis that turns first comes first, as in Blender's names; then the permutation's sign.
EULER_AXES = {
    "XYZ": (0, 1, 2, 1.0),
    "XZY": (0, 2, 1, -1.0),
    "YXZ": (1, 0, 2, -1.0),
    "YZX": (1, 2, 0, 1.0),
    "ZXY": (2, 0, 1, 1.0),
    "ZYX": (2, 1, 0, -1.0),
}
ROTATION_MODES = ("QUATERNION", *EULER_AXES, "AXIS_ANGLE")

# Below this cosine of the middle angle the outer two Euler axes are the same axis.
GIMBAL_COSINE = 1e-6
# Below this half sine a rotation has no axis.
NO_AXIS = 1e-7
# Angle and axis of no rotation, as Blender has them in a new bone.
NO_ROTATION = np.array([0.0, 0.0, 1.0, 0.0])


def quaternion_product(a: ArrayLike, b: ArrayLike) -> Floats:
    """Products of quaternions (..., 4): the rotation b, then the rotation a."""
    p, q = np.asarray(a, float), np.asarray(b, float)
    aw, ax, ay, az = (p[..., k] for k in range(4))
    bw, bx, by, bz = (q[..., k] for k in range(4))
    product = np.empty(np.broadcast_shapes(p.shape, q.shape))
    product[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    product[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    product[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    product[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return product


def quaternion_inverse(quaternion: ArrayLike) -> Floats:
    """Inverses of unit quaternions (..., 4)."""
    return np.asarray(quaternion, float) * np.array([1.0, -1.0, -1.0, -1.0])


def unit_quaternion(quaternion: ArrayLike) -> Floats:
    """Quaternions (..., 4) of length one; one of zeros is a half turn about x, as in Blender."""
    q = np.asarray(quaternion, float)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    zero = length == 0.0
    return np.where(zero, [0.0, 1.0, 0.0, 0.0], q / np.where(zero, 1.0, length))


def quaternion_angle(a: ArrayLike, b: ArrayLike) -> Floats:
    """Angle in radians (0 to pi) between the rotations of two arrays of quaternions (..., 4)."""
    between = quaternion_product(quaternion_inverse(a), b)
    return 2.0 * angle_of(np.linalg.norm(between[..., 1:], axis=-1), np.abs(between[..., 0]))


def blended_quaternion(a: ArrayLike, b: ArrayLike, factor: ArrayLike) -> Floats:
    """Rotations (..., 4) on the shorter arc from a (factor 0) to b (factor 1)."""
    p = np.asarray(a, float)
    between = quaternion_product(quaternion_inverse(p), b)
    between = np.where(between[..., :1] < 0.0, -between, between)
    sine = np.linalg.norm(between[..., 1:], axis=-1)
    angle = angle_of(sine, between[..., 0]) * np.asarray(factor, float)
    axis = between[..., 1:] / np.where(sine == 0.0, 1.0, sine)[..., None]
    part = np.concatenate([np.cos(angle)[..., None], np.sin(angle)[..., None] * axis], axis=-1)
    return quaternion_product(p, part)


def quaternion_from_euler(euler: ArrayLike, order: str) -> Floats:
    """Quaternions (..., 4) of Euler angles (..., 3), per axis x, y, z, turned in `order`."""
    half = 0.5 * np.asarray(euler, float)
    turns = []
    for axis in EULER_AXES[order][:3]:
        turn = np.zeros((*half.shape[:-1], 4))
        turn[..., 0] = np.cos(half[..., axis])
        turn[..., 1 + axis] = np.sin(half[..., axis])
        turns.append(turn)
    return quaternion_product(turns[2], quaternion_product(turns[1], turns[0]))


def quaternion_from_axis_angle(axis_angle: ArrayLike) -> Floats:
    """Quaternions (..., 4) of angles and axes (..., 4); without an axis there is no rotation."""
    values = np.asarray(axis_angle, float)
    half = 0.5 * values[..., :1]
    length = np.linalg.norm(values[..., 1:], axis=-1, keepdims=True)
    axis = values[..., 1:] / np.where(length == 0.0, 1.0, length)
    cosine = np.where(length == 0.0, 1.0, np.cos(half))
    return np.concatenate([cosine, np.sin(half) * axis], axis=-1)


def quaternion_from_channels(values: ArrayLike, rotation_mode: str) -> Floats:
    """Quaternions (..., 4) of a bone's or object's rotation channels in its rotation mode."""
    if rotation_mode == "QUATERNION":
        return unit_quaternion(values)
    if rotation_mode == "AXIS_ANGLE":
        return quaternion_from_axis_angle(values)
    return quaternion_from_euler(values, rotation_mode)


def channels_from_quaternion(
    quaternion: ArrayLike, rotation_mode: str, start: ArrayLike | None = None
) -> Floats:
    """Rotation channels (frames, ..., 3 or 4) in a rotation mode, continuous along frames.

    Args:
        quaternion: Unit quaternions (frames, ..., 4).
        rotation_mode: Blender's name of the mode.
        start: Channels close to which the first frame starts, of the shape of one frame.
    """
    if rotation_mode == "QUATERNION":
        return continuous_quaternions(quaternion, start)
    if rotation_mode == "AXIS_ANGLE":
        return continuous_axis_angles(quaternion, start)
    return continuous_eulers(quaternion, rotation_mode, start)


def continuous_quaternions(quaternion: ArrayLike, start: ArrayLike | None = None) -> Floats:
    """The same rotations (frames, ..., 4), each with the sign nearer to the frame before."""
    q = np.asarray(quaternion, float)
    if len(q) == 0:
        return q.copy()
    first = q[0] if start is None else np.broadcast_to(np.asarray(start, float), q[0].shape)
    before = np.concatenate([first[None], q[:-1]])
    flips = np.where(np.sum(before * q, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    return q * np.cumprod(flips, axis=0)


def continuous_eulers(quaternion: ArrayLike, order: str, start: ArrayLike | None = None) -> Floats:
    """Euler angles (frames, ..., 3) of quaternions, each nearest to the frame before.

    Every rotation has two sets of angles, apart from whole turns. Going from one frame to the next
    costs the same whichever set the first one has, so all changes of set are found at once.
    """
    m = matrix3_from_quaternion(quaternion)
    if len(m) == 0:
        return np.empty(m.shape[:-1])
    i, j, k, sign = EULER_AXES[order]
    near = np.broadcast_to(np.asarray(0.0 if start is None else start, float), m.shape[1:-1])
    cosine = np.hypot(m[..., i, i], m[..., j, i])
    # Where two axes coincide only their sum is given: keep the last, the first takes the rest.
    last = angle_of(sign * m[..., j, i], m[..., i, i])
    last = _filled_forward(last, cosine > GIMBAL_COSINE, near[..., k])
    s, c = np.sin(sign * last), np.cos(last)
    first = angle_of(
        sign * (s * m[..., i, k] - c * m[..., j, k]), c * m[..., j, j] - s * m[..., i, j]
    )
    middle = angle_of(-sign * m[..., k, i], cosine)
    one = np.empty(m.shape[:-1])
    one[..., i], one[..., j], one[..., k] = first, middle, last
    other = np.empty(m.shape[:-1])
    other[..., i], other[..., j], other[..., k] = first + math.pi, math.pi - middle, last + math.pi
    before = np.concatenate([near[None], one[:-1]])
    chosen = _chosen(one, other, _turn_distance(before, one), _turn_distance(before, other))
    chosen[0] = _turned_near(chosen[0], near)
    return np.asarray(np.unwrap(chosen, axis=0), float)


def continuous_axis_angles(quaternion: ArrayLike, start: ArrayLike | None = None) -> Floats:
    """Angles and unit axes (frames, ..., 4) of rotations, each nearest to the frame before.

    An axis may point either way with the angle negated: two sets, as with Euler angles.
    """
    q = np.asarray(quaternion, float)
    if len(q) == 0:
        return q.copy()
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * angle_of(sine, q[..., :1])
    near = np.broadcast_to(np.asarray(NO_ROTATION if start is None else start, float), q.shape[1:])
    length = np.linalg.norm(near[..., 1:], axis=-1, keepdims=True)
    near_axis = np.where(
        length == 0.0, NO_ROTATION[1:], near[..., 1:] / np.where(length, length, 1)
    )
    axis = q[..., 1:] / np.where(sine < NO_AXIS, 1.0, sine)
    axis = _filled_forward(axis, np.broadcast_to(sine >= NO_AXIS, axis.shape), near_axis)
    one = np.concatenate([angle, axis], axis=-1)
    before = np.concatenate([np.concatenate([near[..., :1], near_axis], -1)[None], one[:-1]])
    chosen = _chosen(one, -one, _axis_distance(before, one), _axis_distance(before, -one))
    if start is None:
        chosen *= np.where(chosen[:1, ..., :1] < 0.0, -1.0, 1.0)
    chosen[0, ..., 0] = _turned_near(chosen[0, ..., 0], near[..., 0])
    chosen[..., 0] = np.unwrap(chosen[..., 0], axis=0)
    return chosen


def matrix3_from_quaternion(quaternion: ArrayLike) -> Floats:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    q = np.asarray(quaternion, float)
    w, x, y, z = (q[..., k] for k in range(4))
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return _table(rows)


def quaternion_from_matrix3(matrix: ArrayLike) -> Floats:
    """Unit quaternions (..., 4) with w >= 0 of rotation matrices (..., 3, 3).

    Each quaternion is the longest of the four rows of products w·q, x·q, y·q, z·q that the matrix
    gives directly, so no division by a small number happens.
    """
    m = np.asarray(matrix, float)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    wx, wy, wz = (
        m[..., 2, 1] - m[..., 1, 2],
        m[..., 0, 2] - m[..., 2, 0],
        m[..., 1, 0] - m[..., 0, 1],
    )
    xy, yz, zx = (
        m[..., 0, 1] + m[..., 1, 0],
        m[..., 1, 2] + m[..., 2, 1],
        m[..., 2, 0] + m[..., 0, 2],
    )
    products = [
        [1.0 + xx + yy + zz, wx, wy, wz],
        [wx, 1.0 + xx - yy - zz, xy, zx],
        [wy, xy, 1.0 - xx + yy - zz, yz],
        [wz, zx, yz, 1.0 - xx - yy + zz],
    ]
    table = _table(products)
    longest = np.argmax(np.einsum("...ii->...i", table), axis=-1)
    q = np.take_along_axis(table, longest[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0.0, -q, q)


def matrix_from_channels(location: ArrayLike, quaternion: ArrayLike, scale: ArrayLike) -> Floats:
    """Matrices (..., 4, 4) that scale along their own axes, then rotate, then move."""
    q = unit_quaternion(quaternion)
    matrix = np.zeros((*q.shape[:-1], 4, 4))
    matrix[..., :3, :3] = matrix3_from_quaternion(q) * np.asarray(scale, float)[..., None, :]
    matrix[..., :3, 3] = location
    matrix[..., 3, 3] = 1.0
    return matrix


def decompose(matrix: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Location (..., 3), quaternion (..., 4) and scale (..., 3) of matrices (..., 4, 4).

    A mirroring matrix gets three negative scales, as in Blender. Shear is lost.
    """
    m = np.asarray(matrix, float)
    scale = np.linalg.norm(m[..., :3, :3], axis=-2)
    rotation = m[..., :3, :3] / np.where(scale == 0.0, 1.0, scale)[..., None, :]
    mirrored = np.where(np.linalg.det(rotation) < 0.0, -1.0, 1.0)
    quaternion = quaternion_from_matrix3(rotation * mirrored[..., None, None])
    return m[..., :3, 3].copy(), quaternion, scale * mirrored[..., None]


def cross_product(a: Floats, b: Floats) -> Floats:
    """Cross products of vectors (..., 3); numpy's own takes three times as long for a few."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def _table(rows: list[list[Floats]]) -> Floats:
    """Matrices (..., r, c) of r rows of c arrays (...) each."""
    table = np.empty((*np.shape(rows[0][0]), len(rows), len(rows[0])))
    for i, row in enumerate(rows):
        for k, values in enumerate(row):
            table[..., i, k] = values
    return table


def _turned_near(angle: Floats, near: Floats) -> Floats:
    """Angles moved by whole turns to within half a turn of `near`."""
    return angle + 2.0 * math.pi * np.round((near - angle) / (2.0 * math.pi))


def _turn_distance(a: Floats, b: Floats) -> Floats:
    """Sum of the differences of angles (..., 3), apart from whole turns."""
    return np.abs(_turned_near(b, a) - a).sum(axis=-1)


def _axis_distance(a: Floats, b: Floats) -> Floats:
    """Difference of angles (..., 4), apart from whole turns, and of axes."""
    return _turn_distance(a[..., :1], b[..., :1]) + np.abs(b - a)[..., 1:].sum(axis=-1)


def _chosen(one: Floats, other: Floats, stay: Floats, change: Floats) -> Floats:
    """Which set of channels each frame uses, by the cost of keeping or changing it."""
    changes = np.cumsum(change < stay, axis=0) % 2 == 1
    return np.where(changes[..., None], other, one)


def _filled_forward(values: Floats, valid: NDArray[np.bool_], start: Floats) -> Floats:
    """Values along frames, each invalid one replaced by the last valid one, or by `start`."""
    padded = np.concatenate([np.broadcast_to(start, values.shape[1:])[None], values])
    rows = np.arange(1, len(values) + 1).reshape(-1, *[1] * (values.ndim - 1))
    source = np.maximum.accumulate(np.where(valid, rows, 0), axis=0)
    return np.take_along_axis(padded, source, axis=0)
