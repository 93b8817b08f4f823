"""Goals for where a local axis of a tip points: look-at, direction and cone."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from ..checks import half_turn, unit_length
from ..kernels.arena import TIP_ROWS
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    FIELDS,
    LOOK_AT,
)
from ..kernels.quaternions import rotate
from ..kinematics.tree import KinematicTree
from .base import (
    ANGLE_TOLERANCE,
    Field,
    Goal,
    Layout,
    LengthOrAngle,
    Vector,
    tip_layout,
)
from .tip import clear_rows, keep_residual, places


@kernel
def world_axis(F: Floats, tip: int, p: int) -> tuple[float, float, float]:
    """The goal's local axis in the world."""
    return rotate(F[tip + 3], F[tip + 4], F[tip + 5], F[tip + 6], F[p + 5], F[p + 6], F[p + 7])


@kernel
def line_of_sight(F: Floats, tip: int, p: int) -> tuple[float, float, float, float]:
    """Unit vector from the tip to the point, and the distance; length zero if they coincide."""
    x, y, z = F[p + 2] - F[tip], F[p + 3] - F[tip + 1], F[p + 4] - F[tip + 2]
    d = math.sqrt(x * x + y * y + z * z)
    if d < 1e-12:
        return 0.0, 0.0, 0.0, 0.0
    return x / d, y / d, z / d, d


@kernel
def perpendicular(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Some unit vector perpendicular to a unit vector."""
    if abs(x) < 0.9:
        s = 1.0 / math.sqrt(y * y + z * z)
        return 0.0, z * s, -y * s
    s = 1.0 / math.sqrt(x * x + z * z)
    return -z * s, 0.0, x * s


@kernel
def look_at_residual(F: Floats, tip: int, p: int) -> tuple[float, float, float, float]:
    """Rotation vector from the line of sight to the viewing axis (radians), and its angle."""
    ux, uy, uz, d = line_of_sight(F, tip, p)
    if d == 0.0:  # a point at the eye is seen from any direction
        return 0.0, 0.0, 0.0, 0.0
    ax, ay, az = world_axis(F, tip, p)
    cx, cy, cz = uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax
    sine = math.sqrt(cx * cx + cy * cy + cz * cz)
    cosine = ax * ux + ay * uy + az * uz
    angle = math.atan2(sine, cosine)
    if sine < 1e-9:
        if cosine > 0.0:
            return cx, cy, cz, angle
        # Looking in the opposite direction: any way round is equally good, so pick one.
        cx, cy, cz = perpendicular(ux, uy, uz)
        return angle * cx, angle * cy, angle * cz, angle
    f = angle / sine
    return f * cx, f * cy, f * cz, angle


@kernel
def look_at_rows(F: Floats, tip: int, p: int, exact: int, rows: int) -> None:
    """Derivative by the tip's motion; not exact: as if the axis were on the line of sight."""
    clear_rows(F, rows)
    ux, uy, uz, d = line_of_sight(F, tip, p)
    if d == 0.0:
        return
    ax, ay, az = ux, uy, uz
    f, k = 1.0, 0.0
    if exact != 0:
        ax, ay, az = world_axis(F, tip, p)
    cx, cy, cz = uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax
    sine = math.sqrt(cx * cx + cy * cy + cz * cz)
    cosine = ux * ax + uy * ay + uz * az
    if exact != 0:
        angle = math.atan2(sine, cosine)
        f = angle / sine if sine > 1e-9 else 1.0
        k = (sine - angle * cosine) / (sine * sine * sine) if sine > 1e-3 else 1.0 / 3.0
    # component of a across the line of sight
    bx, by, bz = ax - cosine * ux, ay - cosine * uy, az - cosine * uz
    i = 1.0 / d
    F[rows] = i * (f * ux * cx + k * cx * bx)
    F[rows + 1] = i * (f * (-az + uy * cx) + k * cx * by)
    F[rows + 2] = i * (f * (ay + uz * cx) + k * cx * bz)
    F[rows + 6] = i * (f * (az + ux * cy) + k * cy * bx)
    F[rows + 7] = i * (f * uy * cy + k * cy * by)
    F[rows + 8] = i * (f * (-ax + uz * cy) + k * cy * bz)
    F[rows + 12] = i * (f * (-ay + ux * cz) + k * cz * bx)
    F[rows + 13] = i * (f * (ax + uy * cz) + k * cz * by)
    F[rows + 14] = i * (f * uz * cz + k * cz * bz)
    F[rows + 3] = f * (cosine - ax * ux) + k * cx * cx
    F[rows + 4] = -f * ax * uy + k * cx * cy
    F[rows + 5] = -f * ax * uz + k * cx * cz
    F[rows + 9] = -f * ay * ux + k * cy * cx
    F[rows + 10] = f * (cosine - ay * uy) + k * cy * cy
    F[rows + 11] = -f * ay * uz + k * cy * cz
    F[rows + 15] = -f * az * ux + k * cz * cx
    F[rows + 16] = -f * az * uy + k * cz * cy
    F[rows + 17] = f * (cosine - az * uz) + k * cz * cz


@kernel
def axis_angle_between(ax: float, ay: float, az: float, dx: float, dy: float, dz: float) -> float:
    """Angle between two unit vectors, accurate also when it is small."""
    cx, cy, cz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
    return math.atan2(math.sqrt(cx * cx + cy * cy + cz * cz), ax * dx + ay * dy + az * dz)


@kernel
def direction_residual(F: Floats, tip: int, p: int) -> tuple[float, float, float, float]:
    """Difference of the axis and the direction, and the angle between them (radians)."""
    ax, ay, az = world_axis(F, tip, p)
    return (
        ax - F[p + 2],
        ay - F[p + 3],
        az - F[p + 4],
        axis_angle_between(ax, ay, az, F[p + 2], F[p + 3], F[p + 4]),
    )


@kernel
def direction_rows(F: Floats, tip: int, p: int, rows: int) -> None:
    """Derivative of the axis by the tip's rotation."""
    ax, ay, az = world_axis(F, tip, p)
    clear_rows(F, rows)
    F[rows + 4] = az
    F[rows + 5] = -ay
    F[rows + 9] = -az
    F[rows + 11] = ax
    F[rows + 15] = ay
    F[rows + 16] = -ax


@kernel
def cone_residual(F: Floats, tip: int, p: int) -> tuple[float, float, float, float]:
    """Angle by which the axis leaves the cone (radians)."""
    ax, ay, az = world_axis(F, tip, p)
    outside = max(0.0, axis_angle_between(ax, ay, az, F[p + 2], F[p + 3], F[p + 4]) - F[p + 8])
    return outside, 0.0, 0.0, outside


@kernel
def cone_rows(F: Floats, tip: int, p: int, rows: int) -> None:
    """Derivative of the angle to the direction; zero inside the cone."""
    clear_rows(F, rows)
    ax, ay, az = world_axis(F, tip, p)
    if axis_angle_between(ax, ay, az, F[p + 2], F[p + 3], F[p + 4]) <= F[p + 8]:
        return
    cx, cy, cz = (
        F[p + 3] * az - F[p + 4] * ay,
        F[p + 4] * ax - F[p + 2] * az,
        F[p + 2] * ay - F[p + 3] * ax,
    )
    sine = math.sqrt(cx * cx + cy * cy + cz * cz)
    if sine < 1e-9:
        cx, cy, cz = perpendicular(ax, ay, az)
        sine = 1.0
    F[rows + 3], F[rows + 4], F[rows + 5] = cx / sine, cy / sine, cz / sine


def _direction_score(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    x, y, z, error = direction_residual(F, tip, p)
    keep_residual(I, F, g, x, y, z, error)
    return 0


def _direction_derive(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    direction_rows(F, tip, p, I[TIP_ROWS])
    return 0


def _cone_score(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    x, y, z, error = cone_residual(F, tip, p)
    keep_residual(I, F, g, x, y, z, error)
    return 0


def _cone_derive(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    cone_rows(F, tip, p, I[TIP_ROWS])
    return 0


@dataclass(frozen=True, eq=False)
class LookAt(Goal):
    """The tip's local viewing `axis` points at a point (metres). Loss: eq. 15, the angle."""

    tip: str
    point: Vector
    axis: Vector = (0.0, 1.0, 0.0)
    tolerance: float | None = field(default=ANGLE_TOLERANCE, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    kind: ClassVar[int] = LOOK_AT
    fields: ClassVar[dict[str, Field]] = {
        "point": Field(FIELDS, 3),
        "axis": Field(FIELDS + 3, 3, unit_length),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class Direction(Goal):
    """The tip's local `axis` points along a world direction. Loss: |R a - d|."""

    tip: str
    direction: Vector
    axis: Vector = (0.0, 1.0, 0.0)
    tolerance: float | None = field(default=ANGLE_TOLERANCE, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_direction_score)
    derive: ClassVar[Unit] = Unit(_direction_derive)
    fields: ClassVar[dict[str, Field]] = {
        "direction": Field(FIELDS, 3, unit_length),
        "axis": Field(FIELDS + 3, 3, unit_length),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class Cone(Goal):
    """The tip's local `axis` stays within `angle` (radians) of a world direction.

    Loss: the angle by which it leaves the cone.
    """

    tip: str
    direction: Vector
    angle: float
    axis: Vector = (0.0, 1.0, 0.0)
    tolerance: float | None = field(default=ANGLE_TOLERANCE, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_cone_score)
    derive: ClassVar[Unit] = Unit(_cone_derive)
    fields: ClassVar[dict[str, Field]] = {
        "direction": Field(FIELDS, 3, unit_length),
        "axis": Field(FIELDS + 3, 3, unit_length),
        "angle": Field(FIELDS + 6, 1, half_turn),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)
