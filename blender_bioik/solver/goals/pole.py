"""Goal for the plane in which a knee or elbow bends."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar

from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    FIELDS,
    OTHER_TIP,
    THIRD_TIP,
    TIP,
)
from ..kinematics.tree import KinematicTree
from .base import Field, Goal, Layout, LengthOrAngle, Vector
from .rows import add_tip_row, cleared_row, first_residual
from .tip import goal_at, keep_score, parameters_at, scratch_at, tip_at

# Share of the upper limb's length by which the middle must leave the straight line to count.
STRAIGHT = 0.01
# Scratch: the derivative by the three points.
POINTS_SIZE = 9


@kernel
def pole_residual(F: Floats, a: int, b: int, c: int, p: int, by: int) -> tuple[float, float]:
    """Faded angle and plain angle (radians) at tips a, b, c; `by` gets the derivative by them."""
    ux, uy, uz = F[c] - F[a], F[c + 1] - F[a + 1], F[c + 2] - F[a + 2]
    kx, ky, kz = F[b] - F[a], F[b + 1] - F[a + 1], F[b + 2] - F[a + 2]
    vx, vy, vz = F[p + 2] - F[a], F[p + 3] - F[a + 1], F[p + 4] - F[a + 2]
    for i in range(9):
        F[by + i] = 0.0
    uu = ux * ux + uy * uy + uz * uz
    if uu < 1e-18:
        return 0.0, 0.0
    u = math.sqrt(uu)
    ku = kx * ux + ky * uy + kz * uz
    vu = vx * ux + vy * uy + vz * uz
    kk = kx * kx + ky * ky + kz * kz
    # k x v
    nx, ny, nz = ky * vz - kz * vy, kz * vx - kx * vz, kx * vy - ky * vx
    sine = (ux * nx + uy * ny + uz * nz) / u
    cosine = kx * vx + ky * vy + kz * vz - ku * vu / uu
    size = sine * sine + cosine * cosine
    bend = max(0.0, kk - ku * ku / uu)
    straight = STRAIGHT * STRAIGHT * kk
    if size < 1e-18 or bend + straight < 1e-18:
        return 0.0, 0.0
    angle = math.atan2(sine, cosine)
    fade = bend / (bend + straight)
    # d(angle) = (cosine d(sine) - sine d(cosine)) / size, and the same for the fade, by u, k, v.
    g = fade / size
    h = angle / ((bend + straight) * (bend + straight))
    by_bend = h * straight
    by_straight = -h * bend
    for i in range(3):
        ui = ux if i == 0 else (uy if i == 1 else uz)
        ki = kx if i == 0 else (ky if i == 1 else kz)
        vi = vx if i == 0 else (vy if i == 1 else vz)
        ni = nx if i == 0 else (ny if i == 1 else nz)
        vxu = vy * uz - vz * uy if i == 0 else (vz * ux - vx * uz if i == 1 else vx * uy - vy * ux)
        uxk = uy * kz - uz * ky if i == 0 else (uz * kx - ux * kz if i == 1 else ux * ky - uy * kx)
        sine_u = ni / u - sine * ui / uu
        cosine_u = -(ki * vu + vi * ku) / uu + 2.0 * ku * vu * ui / (uu * uu)
        bend_u = -2.0 * ku * ki / uu + 2.0 * ku * ku * ui / (uu * uu)
        bend_k = 2.0 * ki - 2.0 * ku * ui / uu
        straight_k = 2.0 * STRAIGHT * STRAIGHT * ki
        by_u = g * (cosine * sine_u - sine * cosine_u) + by_bend * bend_u
        by_k = (
            g * (cosine * vxu / u - sine * (vi - vu * ui / uu))
            + by_bend * bend_k
            + by_straight * straight_k
        )
        by_v = g * (cosine * uxk / u - sine * (ki - ku * ui / uu))
        F[by + i] = -by_u - by_k - by_v
        F[by + 3 + i] = by_k
        F[by + 6 + i] = by_u
    return angle * fade, abs(angle)


@kernel
def pole_of(I: Ints, F: Floats, g: int) -> tuple[float, float]:
    """Residual and error of a goal; its derivative by the three points is left in its scratch."""
    goal = goal_at(I, g)
    a, b, c = I[goal + TIP], I[goal + OTHER_TIP], I[goal + THIRD_TIP]
    return pole_residual(
        F, tip_at(I, a), tip_at(I, b), tip_at(I, c), parameters_at(I, g), scratch_at(I, g)
    )


def _pole_score(I: Ints, F: Floats, g: int) -> int:
    r, error = pole_of(I, F, g)
    F[first_residual(I, g)] = r
    keep_score(I, F, r * r, abs(r), error)
    return 0


def _pole_derive(I: Ints, F: Floats, g: int) -> int:
    pole_of(I, F, g)
    row, goal = cleared_row(I, F, g), goal_at(I, g)
    for k in range(3):
        by = scratch_at(I, g) + 3 * k
        add_tip_row(I, F, I[goal + TIP + k], F[by], F[by + 1], F[by + 2], row)
    return 0


@dataclass(frozen=True, eq=False)
class Pole(Goal):
    """The bend of a limb (tips `root`, `middle`, `end`) points towards a point (metres).

    Loss: the angle about the line root - end between the middle and the point, faded out as the
    limb gets straight and the angle loses its meaning. It is a preference unless a tolerance
    (radians) is given.
    """

    root: str
    middle: str
    end: str
    point: Vector
    tolerance: float | None = field(default=None, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_pole_score)
    derive: ClassVar[Unit] = Unit(_pole_derive)
    fields: ClassVar[dict[str, Field]] = {"point": Field(FIELDS, 3)}

    @property
    def label(self) -> str:
        """Name by the middle joint."""
        return f"Pole of '{self.middle}'"

    @property
    def key(self) -> Hashable:
        """The three tips."""
        return (Pole, self.root, self.middle, self.end)

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tips."""
        tips = (self.root, self.middle, self.end)
        numbers = tuple(tree.tip_index(tip) for tip in tips)
        return Layout("rows", numbers, rows=1, scratch=POINTS_SIZE)
