"""Goals for the position and orientation of a tip."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from ..checks import unit_length
from ..kernels.arena import GOAL_SCORE, RESIDUAL
from ..kernels.compiled import Floats, Ints, kernel
from ..kernels.goal_columns import (
    FIELDS,
    ORIENTATION,
    POSITION,
)
from ..kinematics.tree import KinematicTree
from .base import (
    ANGLE_TOLERANCE,
    POSITION_TOLERANCE,
    Field,
    Goal,
    Layout,
    LengthOrAngle,
    Vector,
    tip_layout,
)
from .tip import clear_rows, matrix_of, places


@kernel
def position_scale(F: Floats, tip: int, reach: int, d: float) -> tuple[float, float]:
    """Factor from metres to the loss of eq. 15, and lambda; `reach` is L and the chain's root."""
    x, y, z = F[tip] - F[reach + 1], F[tip + 1] - F[reach + 2], F[tip + 2] - F[reach + 3]
    # A target on the chain's root would have no finite slope: lambda stays above L/1000.
    far = max(math.sqrt(x * x + y * y + z * z), 1e-3 * F[reach])
    return math.pi / math.sqrt((F[reach] + d) * (far + d)), far


@kernel
def position_residual(F: Floats, tip: int, reach: int, p: int) -> tuple[float, float, float, float]:
    """Scaled offset from the target, and the distance in metres."""
    x, y, z = F[tip] - F[p + 2], F[tip + 1] - F[p + 3], F[tip + 2] - F[p + 4]
    d = math.sqrt(x * x + y * y + z * z)
    s, _ = position_scale(F, tip, reach, d)
    return s * x, s * y, s * z, d


@kernel
def position_rows(F: Floats, tip: int, reach: int, p: int, rows: int) -> None:
    """Exact derivative by the tip's motion."""
    x, y, z = F[tip] - F[p + 2], F[tip + 1] - F[p + 3], F[tip + 2] - F[p + 4]
    d = math.sqrt(x * x + y * y + z * z)
    s, far = position_scale(F, tip, reach, d)
    clear_rows(F, rows)
    F[rows] = s
    F[rows + 7] = s
    F[rows + 14] = s
    if d > 0.0:
        along = -0.5 * s * (1.0 / (F[reach] + d) + 1.0 / (far + d)) / d
        outward = -0.5 * s / (far + d) / far if far > 1e-3 * F[reach] else 0.0
        gx = along * x + outward * (F[tip] - F[reach + 1])
        gy = along * y + outward * (F[tip + 1] - F[reach + 2])
        gz = along * z + outward * (F[tip + 2] - F[reach + 3])
        F[rows] += x * gx
        F[rows + 1] += x * gy
        F[rows + 2] += x * gz
        F[rows + 6] += y * gx
        F[rows + 7] += y * gy
        F[rows + 8] += y * gz
        F[rows + 12] += z * gx
        F[rows + 13] += z * gy
        F[rows + 14] += z * gz


@kernel
def orientation_residual(F: Floats, tip: int, p: int) -> tuple[float, float, float, float]:
    """Rotation vector from the target to the tip (radians), and its angle."""
    w, x, y, z = F[tip + 3], F[tip + 4], F[tip + 5], F[tip + 6]
    tw, tx, ty, tz = F[p + 2], F[p + 3], F[p + 4], F[p + 5]
    ew = w * tw + x * tx + y * ty + z * tz
    ex = -w * tx + x * tw - y * tz + z * ty
    ey = -w * ty + x * tz + y * tw - z * tx
    ez = -w * tz - x * ty + y * tx + z * tw
    if ew < 0.0:
        ew, ex, ey, ez = -ew, -ex, -ey, -ez
    sine = math.sqrt(ex * ex + ey * ey + ez * ez)
    angle = 2.0 * math.atan2(sine, ew)
    f = angle / sine if sine > 1e-9 else 2.0
    return f * ex, f * ey, f * ez, angle


@kernel
def orientation_rows(F: Floats, tip: int, p: int, rows: int) -> None:
    """Exact derivative by the tip's rotation: the inverse left Jacobian of SO(3)."""
    clear_rows(F, rows)
    x, y, z, angle = orientation_residual(F, tip, p)
    k = 1.0 / 12.0
    if angle > 1e-4:
        k = (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / (angle * angle)
    F[rows + 3] = 1.0 - k * (y * y + z * z)
    F[rows + 10] = 1.0 - k * (x * x + z * z)
    F[rows + 17] = 1.0 - k * (x * x + y * y)
    F[rows + 4] = 0.5 * z + k * x * y
    F[rows + 5] = -0.5 * y + k * x * z
    F[rows + 9] = -0.5 * z + k * x * y
    F[rows + 11] = 0.5 * x + k * y * z
    F[rows + 15] = 0.5 * y + k * x * z
    F[rows + 16] = -0.5 * x + k * y * z


@kernel
def add_position(I: Ints, F: Floats, g: int) -> None:
    """Add a position goal with its scale held to its segment's matrix: few terms are not zero."""
    tip, reach, p = places(I, g)
    x, y, z = F[tip] - F[p + 2], F[tip + 1] - F[p + 3], F[tip + 2] - F[p + 4]
    s, _ = position_scale(F, tip, reach, math.sqrt(x * x + y * y + z * z))
    weight = F[I[GOAL_SCORE]] * s * s
    x, y, z = weight * x, weight * y, weight * z
    a, b, c = F[tip], F[tip + 1], F[tip + 2]
    m = matrix_of(I, g)
    F[m] += weight
    F[m + 4] += weight * c
    F[m + 5] -= weight * b
    F[m + 6] += weight
    F[m + 8] -= weight * c
    F[m + 10] += weight * a
    F[m + 11] += weight
    F[m + 12] += weight * b
    F[m + 13] -= weight * a
    F[m + 15] += weight * (b * b + c * c)
    F[m + 16] -= weight * a * b
    F[m + 17] -= weight * a * c
    F[m + 18] += weight * (a * a + c * c)
    F[m + 19] -= weight * b * c
    F[m + 20] += weight * (a * a + b * b)
    F[m + 21] += x
    F[m + 22] += y
    F[m + 23] += z
    F[m + 24] += b * z - c * y
    F[m + 25] += c * x - a * z
    F[m + 26] += a * y - b * x


@kernel
def add_orientation(I: Ints, F: Floats, g: int) -> None:
    """Add an orientation goal with a derivative of one to its segment's matrix."""
    weight = F[I[GOAL_SCORE]]
    r = I[RESIDUAL] + 3 * g
    m = matrix_of(I, g)
    F[m + 15] += weight
    F[m + 18] += weight
    F[m + 20] += weight
    F[m + 24] += weight * F[r]
    F[m + 25] += weight * F[r + 1]
    F[m + 26] += weight * F[r + 2]


@dataclass(frozen=True, eq=False)
class Position(Goal):
    """The tip is at a point (metres). Loss: eq. 15, pi d / sqrt((L + d)(lambda + d))."""

    tip: str
    point: Vector
    tolerance: float | None = field(default=POSITION_TOLERANCE, kw_only=True)

    kind: ClassVar[int] = POSITION
    fields: ClassVar[dict[str, Field]] = {"point": Field(FIELDS, 3)}

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class Orientation(Goal):
    """The tip has the orientation of a quaternion w, x, y, z. Loss: eq. 15, 2 acos |q . q*|."""

    tip: str
    quaternion_wxyz: tuple[float, float, float, float]
    tolerance: float | None = field(default=ANGLE_TOLERANCE, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    kind: ClassVar[int] = ORIENTATION
    fields: ClassVar[dict[str, Field]] = {"quaternion_wxyz": Field(FIELDS, 4, unit_length)}

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)
