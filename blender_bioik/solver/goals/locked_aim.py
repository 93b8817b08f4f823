"""A goal for the direction of an axis that may only turn about another axis."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..checks import finite
from ..errors import GoalError
from ..kernels.arena import TIP_ROWS
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    DATA,
    FIELDS,
)
from ..kernels.quaternions import rotate
from ..kinematics.tree import KinematicTree
from .base import ANGLE_TOLERANCE, Field, Goal, Layout, LengthOrAngle, Vector
from .tip import clear_rows, goal_at, keep_residual, places

# A point this near to the lock axis, metres, is on it, and turning about it does nothing.
ON_AXIS = 1e-9


@kernel
def data_axis(F: Floats, tip: int, data: int) -> tuple[float, float, float]:
    """A unit vector of the goal's data in the world."""
    w, x, y, z = F[tip + 3], F[tip + 4], F[tip + 5], F[tip + 6]
    return rotate(w, x, y, z, F[data], F[data + 1], F[data + 2])


@kernel
def locked_aim_residual(F: Floats, tip: int, p: int, data: int) -> float:
    """Angle about the lock axis from the aimed axis to the point (radians)."""
    x, y, z = F[p + 2] - F[tip], F[p + 3] - F[tip + 1], F[p + 4] - F[tip + 2]
    ax, ay, az = data_axis(F, tip, data)
    nx, ny, nz = data_axis(F, tip, data + 3)
    ahead, aside = ax * x + ay * y + az * z, nx * x + ny * y + nz * z
    if ahead * ahead + aside * aside < ON_AXIS * ON_AXIS:
        return 0.0
    return math.atan2(aside, ahead)


@kernel
def locked_aim_rows(F: Floats, tip: int, p: int, data: int, rows: int) -> None:
    """Derivative of the angle by the tip's motion."""
    clear_rows(F, rows)
    x, y, z = F[p + 2] - F[tip], F[p + 3] - F[tip + 1], F[p + 4] - F[tip + 2]
    ax, ay, az = data_axis(F, tip, data)
    nx, ny, nz = data_axis(F, tip, data + 3)
    ahead, aside = ax * x + ay * y + az * z, nx * x + ny * y + nz * z
    square = ahead * ahead + aside * aside
    if square < ON_AXIS * ON_AXIS:
        return
    # How the angle grows with the point, which a turn of the tip moves the other way round.
    a, n = -aside / square, ahead / square
    gx, gy, gz = a * ax + n * nx, a * ay + n * ny, a * az + n * nz
    F[rows], F[rows + 1], F[rows + 2] = -gx, -gy, -gz
    F[rows + 3] = gy * z - gz * y
    F[rows + 4] = gz * x - gx * z
    F[rows + 5] = gx * y - gy * x


def _score(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    angle = locked_aim_residual(F, tip, p, I[goal_at(I, g) + DATA])
    keep_residual(I, F, g, angle, 0.0, 0.0, abs(angle))
    return 0


def _derive(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    locked_aim_rows(F, tip, p, I[goal_at(I, g) + DATA], I[TIP_ROWS])
    return 0


@dataclass(frozen=True, eq=False)
class LockedLookAt(Goal):
    """The tip's `axis` points at a point as far as a turn about its `lock` axis allows.

    Both axes are local to the tip. Loss: the remaining angle about the lock axis.
    """

    tip: str
    point: Vector
    axis: Vector = (0.0, 1.0, 0.0)
    lock: Vector = (0.0, 0.0, 1.0)
    tolerance: float | None = field(default=ANGLE_TOLERANCE, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_score)
    derive: ClassVar[Unit] = Unit(_derive)
    fields: ClassVar[dict[str, Field]] = {"point": Field(FIELDS, 3)}

    def __post_init__(self) -> None:
        """Check the axes."""
        super().__post_init__()
        for name in ("axis", "lock"):
            finite(getattr(self, name), (3,), f"{self.label}: '{name}'")
        if np.linalg.norm(np.cross(self.axis, self.lock)) < 1e-9:
            raise GoalError(f"{self.label}: 'axis' and 'lock' must be two directions.")

    @property
    def key(self) -> Hashable:
        """The tip and its axes."""
        return (LockedLookAt, self.tip, tuple(self.axis), tuple(self.lock))

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip; the data are the aimed axis across the lock axis, and left of it."""
        left = np.cross(self.lock, self.axis)
        ahead = np.cross(left, self.lock)
        axes = [vector / np.linalg.norm(vector) for vector in (ahead, left)]
        return Layout("tip", (tree.tip_index(self.tip),), np.concatenate(axes))
