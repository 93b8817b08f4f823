"""Goal for the centre of mass over its support."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite, unit_length
from ..errors import GoalError
from ..kernels import quaternions
from ..kernels.arena import FRAME_SIZE, FRAMES, JOINT_COUNT, TIP_COUNT
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    DATA,
    DATA_END,
    FIELDS,
    JOINTS,
    JOINTS_END,
)
from ..kernels.quaternions import rotate
from ..kinematics.tree import KinematicTree
from .base import POSITION_TOLERANCE, Field, Goal, Layout, Vector
from .rows import add_point_row, cleared_row, first_residual
from .tip import goal_at, keep_score, parameters_at, reach_at, scratch_at

# Scratch: the derivative of the offset from the support by the centre of mass (3 x 3).
ACROSS_SIZE = 9


@kernel
def mass_point(I: Ints, F: Floats, joint: int, entry: int) -> tuple[float, float, float]:
    """World position of one segment's centre of mass; its entry is its share and local centre."""
    f = I[FRAMES] + FRAME_SIZE * joint
    x, y, z = rotate(
        F[f + 3], F[f + 4], F[f + 5], F[f + 6], F[entry + 1], F[entry + 2], F[entry + 3]
    )
    return F[f] + x, F[f + 1] + y, F[f + 2] + z


@kernel
def centre_of_mass(
    I: Ints, F: Floats, joints: int, count: int, data: int
) -> tuple[float, float, float]:
    """World position of the centre of mass."""
    cx, cy, cz = 0.0, 0.0, 0.0
    for m in range(count):
        entry = data + 4 * m
        x, y, z = mass_point(I, F, I[joints + m], entry)
        cx, cy, cz = cx + F[entry] * x, cy + F[entry] * y, cz + F[entry] * z
    return cx, cy, cz


@kernel
def support_offset(
    F: Floats, x: float, y: float, z: float, corners: int, end: int, p: int, across: int
) -> tuple[float, float, float]:
    """Horizontal offset from the support of a point given relative to it.

    The 3 x 3 matrix at `across` gets the derivative by the point.
    """
    ux, uy, uz = F[p + 5], F[p + 6], F[p + 7]
    height = x * ux + y * uy + z * uz
    x, y, z = x - height * ux, y - height * uy, z - height * uz
    project_out(F, across, ux, uy, uz, True)
    if corners == end:
        return x, y, z
    inside = True
    best = math.inf
    bx, by, bz = 0.0, 0.0, 0.0
    ex, ey, ez = 0.0, 0.0, 0.0
    for a in range(corners, end, 3):
        b = a + 3 if a + 3 < end else corners
        sx, sy, sz = F[b] - F[a], F[b + 1] - F[a + 1], F[b + 2] - F[a + 2]
        dx, dy, dz = x - F[a], y - F[a + 1], z - F[a + 2]
        if ux * (sy * dz - sz * dy) + uy * (sz * dx - sx * dz) + uz * (sx * dy - sy * dx) < 0.0:
            inside = False
        length = sx * sx + sy * sy + sz * sz
        t = min(1.0, max(0.0, (dx * sx + dy * sy + dz * sz) / length))
        ox, oy, oz = dx - t * sx, dy - t * sy, dz - t * sz
        d = ox * ox + oy * oy + oz * oz
        if d < best:
            best, bx, by, bz = d, ox, oy, oz
            f = 1.0 / math.sqrt(length) if 0.0 < t < 1.0 else 0.0
            ex, ey, ez = f * sx, f * sy, f * sz
    if inside:
        for k in range(9):
            F[across + k] = 0.0
        return 0.0, 0.0, 0.0
    project_out(F, across, ex, ey, ez, False)
    return bx, by, bz


@kernel
def project_out(F: Floats, matrix: int, x: float, y: float, z: float, fresh: bool) -> None:
    """Take a unit vector's direction out of a symmetric projection, or of the identity."""
    for i in range(3):
        a = x if i == 0 else (y if i == 1 else z)
        for j in range(3):
            b = x if j == 0 else (y if j == 1 else z)
            old = F[matrix + 3 * i + j]
            if fresh:
                old = 1.0 if i == j else 0.0
            F[matrix + 3 * i + j] = old - a * b


@kernel
def balance_offset(I: Ints, F: Floats, g: int) -> tuple[float, float, float]:
    """Offset of the centre of mass from the support, metres; its derivative is in the scratch."""
    goal, p = goal_at(I, g), parameters_at(I, g)
    count = I[goal + JOINTS_END] - I[goal + JOINTS]
    data = I[goal + DATA]
    x, y, z = centre_of_mass(I, F, I[goal + JOINTS], count, data)
    return support_offset(
        F,
        x - F[p + FIELDS],
        y - F[p + FIELDS + 1],
        z - F[p + FIELDS + 2],
        data + 4 * count,
        I[goal + DATA_END],
        p,
        scratch_at(I, g),
    )


@kernel
def balance_scale(I: Ints, F: Floats) -> float:
    """Factor from metres to a balance goal's loss, by the longest chain."""
    return math.pi / F[reach_at(I, I[TIP_COUNT])]


@kernel
def add_mass_row(I: Ints, F: Floats, g: int, m: int, row: int) -> None:
    """Add the share of one segment's mass to the rows of a balance goal."""
    goal = goal_at(I, g)
    joint, entry = I[I[goal + JOINTS] + m], I[goal + DATA] + 4 * m
    x, y, z = mass_point(I, F, joint, entry)
    s = balance_scale(I, F) * F[entry]
    for r in range(3):
        a = scratch_at(I, g) + 3 * r
        into = row + I[JOINT_COUNT] * r
        add_point_row(I, F, joint, x, y, z, s * F[a], s * F[a + 1], s * F[a + 2], into)


def _balance_score(I: Ints, F: Floats, g: int) -> int:
    x, y, z = balance_offset(I, F, g)
    s, r = balance_scale(I, F), first_residual(I, g)
    F[r], F[r + 1], F[r + 2] = s * x, s * y, s * z
    d = math.sqrt(x * x + y * y + z * z)
    keep_score(I, F, s * s * d * d, s * d, d)
    return 0


def _balance_derive(I: Ints, F: Floats, g: int) -> int:
    balance_offset(I, F, g)
    row, goal = cleared_row(I, F, g), goal_at(I, g)
    for m in range(I[goal + JOINTS_END] - I[goal + JOINTS]):
        add_mass_row(I, F, g, m, row)
    return 0


@dataclass(frozen=True, eq=False)
class Balance(Goal):
    """The centre of mass is over a support, seen along `up`.

    `masses` gives the mass (kg) of the segment each named joint moves; `centres` where its centre
    of mass is in the joint's frame (metres; the joint itself if not given). The support is `point`
    or, with `polygon` ((m, 3), metres, relative to `point`), the convex area around it. Loss:
    pi / L times the horizontal distance to the support, L being the longest chain.
    """

    masses: Mapping[str, float]
    point: Vector = (0.0, 0.0, 0.0)
    up: Vector = (0.0, 0.0, 1.0)
    polygon: ArrayLike | None = None
    centres: Mapping[str, Vector] = field(default_factory=dict)
    tolerance: float | None = field(default=POSITION_TOLERANCE, kw_only=True)

    score: ClassVar[Unit] = Unit(_balance_score)
    derive: ClassVar[Unit] = Unit(_balance_derive)
    fields: ClassVar[dict[str, Field]] = {
        "point": Field(FIELDS, 3),
        "up": Field(FIELDS + 3, 3, unit_length, tracked=False),
    }

    def __post_init__(self) -> None:
        """Check the masses and the polygon."""
        super().__post_init__()
        for name, mass in self.masses.items():
            if not (math.isfinite(mass) and mass >= 0.0):
                raise GoalError(f"Balance: the mass of '{name}' must be zero or more, not {mass}.")
        if not sum(self.masses.values()) > 0.0:
            raise GoalError("Balance: at least one segment needs a mass above zero.")
        if self.polygon is not None:
            polygon = finite(self.polygon, (None, 3), "Balance: 'polygon'")
            if len(polygon) < 3:
                raise GoalError("Balance: the polygon needs at least three corners.")
            object.__setattr__(self, "polygon", polygon)

    @property
    def key(self) -> Hashable:
        """Masses, centres and the support's shape."""
        polygon = None if self.polygon is None else np.asarray(self.polygon).tobytes()
        centres = tuple((name, tuple(centre)) for name, centre in self.centres.items())
        return (Balance, tuple(self.masses.items()), centres, polygon, self.up)

    def layout(self, tree: KinematicTree) -> Layout:
        """Masses with their centres in the kernels' frames, then the polygon's corners."""
        joints = np.array([tree.joint_index(name) for name in self.masses], dtype=np.int64)
        for name in self.centres:
            if name not in self.masses:
                raise GoalError(f"Balance: '{name}' has a centre of mass but no mass.")
        total = sum(self.masses.values())
        turns = quaternions.conjugate(tree.turn)
        rows = []
        for name, mass in self.masses.items():
            centre = finite(
                self.centres.get(name, (0.0, 0.0, 0.0)), (3,), f"Balance: centre of '{name}'"
            )
            local = quaternions.rotated(turns[tree.joint_index(name)], centre)
            rows.append([mass / total, *local])
        corners = np.empty((0, 3)) if self.polygon is None else self._outline()
        data = np.concatenate([np.ravel(rows), corners.ravel()])
        return Layout("rows", (), data, joints, rows=3, carried=True, scratch=ACROSS_SIZE)

    def _outline(self) -> Floats:
        """Corners of the polygon's convex hull seen along `up`, counter-clockwise."""
        up = np.array(self.up)
        side = quaternions.rotated(quaternions.aligning_z(up), np.eye(3)[:2])
        corners = np.asarray(self.polygon) - np.outer(np.asarray(self.polygon) @ up, up)
        return corners[_convex_hull(corners @ side.T)]


def _convex_hull(points: Floats) -> list[int]:
    """Indices of the convex hull of 2-D points, counter-clockwise (monotone chain)."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()

    def half(indices: list[int]) -> list[int]:
        hull: list[int] = []
        for index in indices:
            while len(hull) > 1:
                (ax, ay), (bx, by) = (
                    points[hull[-1]] - points[hull[-2]],
                    points[index] - points[hull[-2]],
                )
                if ax * by - ay * bx > 1e-12:
                    break
                hull.pop()
            hull.append(index)
        return hull

    hull = half(order)[:-1] + half(order[::-1])[:-1]
    if len(hull) < 3:
        raise GoalError("Balance: the polygon has no area.")
    return hull
