"""Orientations of bones: rotations without scale, and where non-uniform scale prevents one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..transforms import (
    Floats,
    cross_product,
    matrix3_from_quaternion,
    quaternion_from_matrix3,
)
from .skeleton import Skeleton

# Relative difference between the sides of a box, and cosine between them, up to which its scale
# counts as uniform. For bones this is the precision of 32-bit numbers.
UNEVEN = 1e-4
# Cosines between axes up to this count as right angles in 32-bit numbers.
SHEARED = 3e-6


def bone_orientation(matrix: Floats) -> Floats:
    """Orientations (..., 4) of bones with matrices (..., 4, 4): y along the bone, x as it is."""
    return quaternion_from_matrix3(orthonormal(matrix[..., :3, :3]))


def turning_frames(axes: Floats, scale: Floats) -> Floats:
    """Orientations (f, m, 4) of bones whose own scale (f, m, 3) is taken out of their axes.

    Rotations that a bone adds turn about these axes. Where what it hangs in is mirrored they are
    turned round, because there it turns the other way; where that is sheared they are the nearest.
    Of a bone that has no size in some frame they are its axes as they are.
    """
    sized = np.linalg.norm(axes, axis=-2).all(axis=(0, -1))
    if not sized.all():
        orientation = bone_orientation(axes)
        orientation[:, sized] = turning_frames(axes[:, sized], scale[:, sized])
        return orientation
    own = axes / np.where(scale == 0.0, 1.0, scale)[..., None, :]
    rotation = own / np.linalg.norm(own, axis=-2, keepdims=True)
    sheared = np.abs(np.swapaxes(rotation, -1, -2) @ rotation - np.eye(3)).max(axis=(-1, -2))
    crooked = sheared > SHEARED
    if crooked.any():
        left, _, right = np.linalg.svd(own[crooked])
        rotation[crooked] = left @ right
    return quaternion_from_matrix3(rotation * np.sign(np.linalg.det(rotation))[..., None, None])


def orthonormal(matrix: Floats) -> Floats:
    """The axes of matrices (..., 3, 3) made perpendicular and of length one; y keeps its place."""
    y = matrix[..., 1] / np.maximum(np.linalg.norm(matrix[..., 1], axis=-1, keepdims=True), 1e-30)
    x = matrix[..., 0] - y * np.sum(matrix[..., 0] * y, axis=-1, keepdims=True)
    x = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-30)
    return np.stack([x, y, cross_product(x, y)], axis=-1)


def is_uneven(axes: Floats) -> NDArray[np.bool_]:
    """Whether matrices (..., 3, 3) do more than rotate and scale uniformly."""
    gram = np.swapaxes(axes, -1, -2) @ axes
    square = np.trace(gram, axis1=-2, axis2=-1)[..., None, None] / 3.0
    return np.asarray(
        np.abs(gram - square * np.eye(3)).max(axis=(-1, -2)) > UNEVEN * square[..., 0, 0]
    )


def rotated(quaternion: Floats, vectors: Floats) -> Floats:
    """Vectors (..., 3) rotated by quaternions (..., 4)."""
    return np.einsum("...ij,...j->...i", matrix3_from_quaternion(quaternion), vectors)


def bones_above(skeleton: Skeleton, b: int) -> list[int]:
    """Indices of the bones above a bone."""
    above = []
    while b >= 0 and skeleton.parent[b] >= 0:
        b = int(skeleton.parent[b])
        above.append(b)
    return above
