"""Hulls: the surface of what a bone carries, as rings of points around an axis.

A capsule with one radius is centimetres off at a calf or a chest, which are neither round nor in
the middle of their bones. Rings are as light, and on the mesh.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from ..feet import Floats

# Points of a ring, and slices along an axis at most.
AROUND, MOST_SLICES = 8, 6
# Share of the length at both ends whose corners and tips are rings of their own.
END_SHARE = 0.25


@dataclass(frozen=True, eq=False)
class Hull:
    """The surface of a part of the body, in the frame of its bone.

    Attributes:
        bone: Its bone.
        rings: Rings of points along its axis; the first two and the last two are its ends; (k, 8,
            3).
    """

    bone: str
    rings: Floats

    def __post_init__(self) -> None:
        """Refuse what is no hull."""
        if self.rings.ndim != 3 or self.rings.shape[1:] != (AROUND, 3) or len(self.rings) < 4:
            raise ValueError(f"a hull has at least four rings (8, 3), not {self.rings.shape}")

    def lowest_of_rings(self, turn: Floats) -> Floats:
        """Points (f, k, 3), along the bone's axes, lowest in each ring for rotations (f, 3, 3)."""
        heights = np.einsum("fj,kij->fki", turn[:, 2], self.rings)
        lowest = heights.argmin(axis=2)
        return np.asarray(self.rings[np.arange(len(self.rings)), lowest])

    def lowest(self, place: Floats, turn: Floats) -> Floats:
        """Lowest heights (f,) of hulls at places (f, 3) with rotations (f, 4), w first."""
        matrices = rotation_matrices(turn)
        points = self.lowest_of_rings(matrices)
        heights = np.einsum("fj,fkj->fk", matrices[:, 2], points)
        return np.asarray(place[:, 2] + heights.min(axis=1))

    @property
    def ends(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which rings are those of an end; (k,)."""
        number = np.arange(len(self.rings))
        return np.asarray((number < 2) | (number >= len(self.rings) - 2))


def rotation_matrices(turn: Floats) -> Floats:
    """Matrices (f, 3, 3) of quaternions (f, 4), w first."""
    return np.asarray(Rotation.from_quat(turn[:, [1, 2, 3, 0]]).as_matrix())


def fit_hull(bone: str, vertices: Floats, along: Floats) -> Hull:
    """The hull of vertices (n, 3), around an axis along a direction (3,)."""
    axis = along / np.linalg.norm(along)
    across = _directions(axis)
    at = vertices @ axis
    low, length = float(at.min()), float(np.ptp(at))
    width = float(np.mean(np.ptp(vertices @ across.T, axis=0)))
    count = int(np.clip(round(length / max(width, 1e-12)) + 1, 2, MOST_SLICES))
    slices = list(_slices(vertices, at, across, low, length, count))
    rings = []
    for outward in (-axis, axis):
        near = vertices[
            (at - at.min() if outward is not axis else at.max() - at) <= END_SHARE * length
        ]
        corner = np.stack([near[(near @ (outward + side)).argmax()] for side in across])
        tip = np.repeat(near[[(near @ outward).argmax()]], AROUND, axis=0)
        rings.append((tip, corner))
    (start, first), (end, last) = rings
    return Hull(bone, np.stack([start, first, *slices, last, end]))


def bare_hull(bone: str, start: Floats, end: Floats, radius: float) -> Hull:
    """The hull of a bone without a mesh: a capsule that reaches from end to end; (3,) each."""
    along = end - start
    length = float(np.linalg.norm(along))
    axis = along / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
    sides = radius * _directions(axis)
    inset = min(radius, length / 2.0) * axis
    start, end, along = start + inset, end - inset, along - 2.0 * inset
    count = int(np.clip(round(length / max(2.0 * radius, 1e-12)) + 1, 2, MOST_SLICES))
    middles = [start + share * along for share in np.linspace(0.0, 1.0, count)]
    slices = [middle + sides for middle in middles]
    poles = [
        np.repeat((end_ + radius * way)[None], AROUND, axis=0)
        for end_, way in ((start, -axis), (end, axis))
    ]
    corners = [
        end_ + (sides + radius * way) * np.sqrt(0.5) for end_, way in ((start, -axis), (end, axis))
    ]
    return Hull(bone, np.stack([poles[0], corners[0], *slices, corners[1], poles[1]]))


def _directions(axis: Floats) -> Floats:
    """Unit vectors around an axis; (8, 3)."""
    one = np.cross(axis, np.eye(3)[int(np.abs(axis).argmin())])
    one /= np.linalg.norm(one)
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)[:, None]
    return np.asarray(np.cos(angles) * one + np.sin(angles) * np.cross(axis, one))


def _slices(
    vertices: Floats, at: Floats, across: Floats, low: float, length: float, count: int
) -> Iterator[Floats]:
    """Rings (8, 3) of slices; those without vertices are between their neighbours."""
    number = np.clip(((at - low) / max(length, 1e-12) * count).astype(int), 0, count - 1)
    filled = np.unique(number)
    rings = np.stack(
        [
            np.stack([own[(own @ side).argmax()] for side in across])
            for own in (vertices[number == k] for k in filled)
        ]
    )
    for k in range(count):
        share = np.interp(k, filled, np.arange(len(filled)))
        first = int(share)
        second = min(first + 1, len(filled) - 1)
        yield rings[first] + (share - first) * (rings[second] - rings[first])
