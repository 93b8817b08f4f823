"""Quaternions in w, x, y, z order: scalar kernels for the solver, array functions for set-up."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .compiled import Floats, kernel


@kernel
def rotate(
    w: float, x: float, y: float, z: float, a: float, b: float, c: float
) -> tuple[float, float, float]:
    """Rotate the vector (a, b, c) by a unit quaternion."""
    tx = 2.0 * (y * c - z * b)
    ty = 2.0 * (z * a - x * c)
    tz = 2.0 * (x * b - y * a)
    return a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx


@kernel
def multiply(
    aw: float, ax: float, ay: float, az: float, bw: float, bx: float, by: float, bz: float
) -> tuple[float, float, float, float]:
    """Product of two quaternions: first b, then a."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@kernel
def sine_cosine(x: float) -> tuple[float, float]:
    """Sine and cosine together, to the last bit or two for the angles joints have.

    A third of forward kinematics went into two library calls for each joint. Reduced to an eighth
    turn in two steps (Cody and Waite), then the polynomials of fdlibm.
    """
    k = math.floor(x * 0.6366197723675814 + 0.5)
    r = (x - k * 1.5707963267341256) - k * 6.077100506506192e-11
    z = r * r
    s = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    s = -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * s)
    s = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * s))
    c = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11
    c = 2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * c)
    c = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * c)
    c = 1.0 - 0.5 * z + z * z * c
    quarter = int(k) & 3
    if quarter == 0:
        return s, c
    if quarter == 1:
        return c, -s
    if quarter == 2:
        return -s, -c
    return -c, s


def product(a: ArrayLike, b: ArrayLike) -> Floats:
    """Products of quaternion arrays of shape (..., 4), broadcast against each other."""
    p, q = np.asarray(a, float), np.asarray(b, float)
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    v = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + _cross(p[..., 1:], q[..., 1:])
    return np.concatenate([w, v], axis=-1)


def _cross(a: Floats, b: Floats) -> Floats:
    """Cross products of arrays (..., 3); numpy's own takes three times as long for a few."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def conjugate(quaternion: ArrayLike) -> Floats:
    """Inverse of unit quaternions of shape (..., 4)."""
    return np.asarray(quaternion, float) * np.array([1.0, -1.0, -1.0, -1.0])


def rotated(quaternion: ArrayLike, vector: ArrayLike) -> Floats:
    """Vectors (..., 3) rotated by unit quaternions (..., 4)."""
    q = np.asarray(quaternion, float)
    v = np.asarray(vector, float)
    t = 2.0 * _cross(q[..., 1:], v)
    return np.asarray(v + q[..., :1] * t + _cross(q[..., 1:], t))


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Floats:
    """Quaternions of rotations by `angle` (radians) about unit axes of shape (..., 3)."""
    half = 0.5 * np.asarray(angle, float)[..., None]
    return np.concatenate([np.cos(half), np.sin(half) * np.asarray(axis, float)], axis=-1)


def from_matrix(matrix: ArrayLike) -> Floats:
    """Unit quaternions of rotation matrices of shape (..., 3, 3).

    Takes the largest of the four components first, so it is accurate for every rotation.
    """
    m = np.asarray(matrix, float)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    # Row k is 4 q_k times the quaternion, for k = w, x, y, z.
    wx, wy, wz = (
        m[..., 2, 1] - m[..., 1, 2],
        m[..., 0, 2] - m[..., 2, 0],
        m[..., 1, 0] - m[..., 0, 1],
    )
    xy, xz, yz = (
        m[..., 1, 0] + m[..., 0, 1],
        m[..., 0, 2] + m[..., 2, 0],
        m[..., 2, 1] + m[..., 1, 2],
    )
    rows = np.stack(
        [
            np.stack([1 + xx + yy + zz, wx, wy, wz], -1),
            np.stack([wx, 1 + xx - yy - zz, xy, xz], -1),
            np.stack([wy, xy, 1 - xx + yy - zz, yz], -1),
            np.stack([wz, xz, yz, 1 - xx - yy + zz], -1),
        ],
        axis=-2,
    )
    largest = np.argmax(np.stack([rows[..., k, k] for k in range(4)], -1), axis=-1)
    row = np.take_along_axis(rows, largest[..., None, None], axis=-2)[..., 0, :]
    return np.asarray(row / np.linalg.norm(row, axis=-1, keepdims=True))


def to_matrix(quaternion: ArrayLike) -> Floats:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    q = np.asarray(quaternion, float)
    return np.stack([rotated(q, axis) for axis in np.eye(3)], axis=-1)


def aligning_z(axis: ArrayLike) -> Floats:
    """Quaternions (..., 4) of some rotation that turns +z onto the unit axes (..., 3)."""
    a = np.asarray(axis, float)
    helper = np.where(
        np.abs(a[..., :1]) < 0.9, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    )
    x = helper - a * np.sum(a * helper, -1, keepdims=True)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    return from_matrix(np.stack([x, np.cross(a, x), a], axis=-1))
