"""Goals that keep a tip on a plane or a line: plane, line, and touch for a whole segment.

Lengths are scaled by pi / L (L: length of the tip's chain), so that they have the weight of a
position.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite, unit_length
from ..errors import GoalError
from ..kernels.arena import TIP_ROWS
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    DATA,
    DATA_END,
    FIELDS,
)
from ..kernels.quaternions import rotate
from ..kinematics.tree import KinematicTree
from .base import POSITION_TOLERANCE, Field, Goal, Layout, Vector, tip_layout
from .tip import clear_rows, goal_at, keep_residual, places

PLANE_FIELDS = {"point": Field(FIELDS, 3), "normal": Field(FIELDS + 3, 3, unit_length)}


@kernel
def plane_height(F: Floats, p: int, x: float, y: float, z: float) -> float:
    """Height of a point over the goal's plane, metres."""
    return (x - F[p + 2]) * F[p + 5] + (y - F[p + 3]) * F[p + 6] + (z - F[p + 4]) * F[p + 7]


@kernel
def plane_residual(F: Floats, tip: int, reach: int, p: int) -> tuple[float, float, float, float]:
    """Scaled height over the plane, and its size in metres."""
    h = plane_height(F, p, F[tip], F[tip + 1], F[tip + 2])
    return math.pi / F[reach] * h, 0.0, 0.0, abs(h)


@kernel
def plane_rows(F: Floats, reach: int, p: int, rows: int) -> None:
    """Derivative of the height."""
    clear_rows(F, rows)
    s = math.pi / F[reach]
    F[rows], F[rows + 1], F[rows + 2] = s * F[p + 5], s * F[p + 6], s * F[p + 7]


@kernel
def line_residual(F: Floats, tip: int, reach: int, p: int) -> tuple[float, float, float, float]:
    """Scaled offset from the line, and the distance in metres."""
    x, y, z = F[tip] - F[p + 2], F[tip + 1] - F[p + 3], F[tip + 2] - F[p + 4]
    along = x * F[p + 5] + y * F[p + 6] + z * F[p + 7]
    x, y, z = x - along * F[p + 5], y - along * F[p + 6], z - along * F[p + 7]
    s = math.pi / F[reach]
    return s * x, s * y, s * z, math.sqrt(x * x + y * y + z * z)


@kernel
def line_rows(F: Floats, reach: int, p: int, rows: int) -> None:
    """Derivative: the projection across the line."""
    clear_rows(F, rows)
    s = math.pi / F[reach]
    for i in range(3):
        for j in range(3):
            F[rows + 6 * i + j] = -s * F[p + 5 + i] * F[p + 5 + j]
        F[rows + 7 * i] += s


@kernel
def lowest_point(
    F: Floats, tip: int, p: int, data: int, end: int
) -> tuple[float, float, float, float]:
    """Offset from the tip to the segment's lowest point over the plane, and its height."""
    best = math.inf
    bx, by, bz = 0.0, 0.0, 0.0
    w, qx, qy, qz = F[tip + 3], F[tip + 4], F[tip + 5], F[tip + 6]
    for i in range(data, end, 3):
        x, y, z = rotate(w, qx, qy, qz, F[i], F[i + 1], F[i + 2])
        h = plane_height(F, p, F[tip] + x, F[tip + 1] + y, F[tip + 2] + z)
        if h < best:
            best, bx, by, bz = h, x, y, z
    return bx, by, bz, best


@kernel
def touch_residual(
    F: Floats, tip: int, reach: int, p: int, data: int, end: int
) -> tuple[float, float, float, float]:
    """Scaled height of the lowest point, and its size in metres."""
    h = lowest_point(F, tip, p, data, end)[3]
    return math.pi / F[reach] * h, 0.0, 0.0, abs(h)


@kernel
def touch_rows(F: Floats, tip: int, reach: int, p: int, data: int, end: int, rows: int) -> None:
    """Derivative of the lowest point's height."""
    plane_rows(F, reach, p, rows)
    x, y, z, _ = lowest_point(F, tip, p, data, end)
    nx, ny, nz = F[rows], F[rows + 1], F[rows + 2]
    F[rows + 3], F[rows + 4], F[rows + 5] = y * nz - z * ny, z * nx - x * nz, x * ny - y * nx


def _plane_score(I: Ints, F: Floats, g: int) -> int:
    tip, reach, p = places(I, g)
    x, y, z, error = plane_residual(F, tip, reach, p)
    keep_residual(I, F, g, x, y, z, error)
    return 0


def _plane_derive(I: Ints, F: Floats, g: int) -> int:
    _, reach, p = places(I, g)
    plane_rows(F, reach, p, I[TIP_ROWS])
    return 0


def _line_score(I: Ints, F: Floats, g: int) -> int:
    tip, reach, p = places(I, g)
    x, y, z, error = line_residual(F, tip, reach, p)
    keep_residual(I, F, g, x, y, z, error)
    return 0


def _line_derive(I: Ints, F: Floats, g: int) -> int:
    _, reach, p = places(I, g)
    line_rows(F, reach, p, I[TIP_ROWS])
    return 0


def _touch_score(I: Ints, F: Floats, g: int) -> int:
    tip, reach, p = places(I, g)
    data, end = I[goal_at(I, g) + DATA], I[goal_at(I, g) + DATA_END]
    x, y, z, error = touch_residual(F, tip, reach, p, data, end)
    keep_residual(I, F, g, x, y, z, error)
    return 0


def _touch_derive(I: Ints, F: Floats, g: int) -> int:
    tip, reach, p = places(I, g)
    data, end = I[goal_at(I, g) + DATA], I[goal_at(I, g) + DATA_END]
    touch_rows(F, tip, reach, p, data, end, I[TIP_ROWS])
    return 0


@dataclass(frozen=True, eq=False)
class Plane(Goal):
    """The tip is on the plane through `point` with a `normal`. Loss: pi / L times n . (p - x0)."""

    tip: str
    point: Vector
    normal: Vector = (0.0, 0.0, 1.0)
    tolerance: float | None = field(default=POSITION_TOLERANCE, kw_only=True)

    score: ClassVar[Unit] = Unit(_plane_score)
    derive: ClassVar[Unit] = Unit(_plane_derive)
    fields: ClassVar[dict[str, Field]] = PLANE_FIELDS

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class Line(Goal):
    """The tip is on the line through `point` along `direction`. Loss: pi / L times the distance."""

    tip: str
    point: Vector
    direction: Vector
    tolerance: float | None = field(default=POSITION_TOLERANCE, kw_only=True)

    score: ClassVar[Unit] = Unit(_line_score)
    derive: ClassVar[Unit] = Unit(_line_derive)
    fields: ClassVar[dict[str, Field]] = {
        "point": Field(FIELDS, 3),
        "direction": Field(FIELDS + 3, 3, unit_length),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class Touch(Goal):
    """The lowest of several points of the tip's segment is on a plane.

    `points` are (m, 3) in the tip's frame, metres; lowest is along the plane's `normal`. Loss:
    pi / L times the least of n . (R v + p - x0) over the points.
    """

    tip: str
    points: ArrayLike
    point: Vector
    normal: Vector = (0.0, 0.0, 1.0)
    tolerance: float | None = field(default=POSITION_TOLERANCE, kw_only=True)

    score: ClassVar[Unit] = Unit(_touch_score)
    derive: ClassVar[Unit] = Unit(_touch_derive)
    fields: ClassVar[dict[str, Field]] = PLANE_FIELDS

    def __post_init__(self) -> None:
        """Check the points."""
        super().__post_init__()
        points = finite(self.points, (None, 3), f"{self.label}: 'points'")
        if len(points) == 0:
            raise GoalError(f"{self.label}: it needs at least one point.")
        object.__setattr__(self, "points", points)

    @property
    def key(self) -> Hashable:
        """The tip and its points."""
        return (Touch, self.tip, np.asarray(self.points).tobytes())

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip; the points are the goal's data."""
        return Layout("tip", (tree.tip_index(self.tip),), np.asarray(self.points).ravel())
