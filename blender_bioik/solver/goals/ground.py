"""Goals for feet on the ground: a point held at its place, kept above a surface, a knee kept bent.

They are measured in plain metres and radians, not in shares of a chain's length, because feet must
have the same weight everywhere along the path: a weight of 1 / sigma^2 allows an error of about
sigma. The ground is the plane that touches the terrain under the tip; the solve has to move it
along with the tip.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..checks import unit_length
from ..kernels.arena import AT, TIP_ROWS
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    FIELDS,
)
from ..kernels.quaternions import rotate
from ..kinematics.tree import KinematicTree
from .base import Field, Goal, Layout, LengthOrAngle, Vector, tip_layout
from .joints import add_joint, joint_of
from .surface import PLANE_FIELDS, plane_height
from .tip import clear_rows, keep_residual, keep_score, parameters_at, places


@kernel
def depth_below(F: Floats, tip: int, p: int) -> float:
    """How far a tip is below the goal's plane, metres, as a negative number; zero above it."""
    return min(0.0, plane_height(F, p, F[tip], F[tip + 1], F[tip + 2]))


@kernel
def place_below(F: Floats, tip: int, p: int) -> tuple[float, float, float, float]:
    """Offset from a tip to the goal's place on its segment, and its depth below the plane, <= 0."""
    x, y, z = rotate(F[tip + 3], F[tip + 4], F[tip + 5], F[tip + 6], F[p + 2], F[p + 3], F[p + 4])
    h = (F[tip] + x) * F[p + 5] + (F[tip + 1] + y) * F[p + 6] + (F[tip + 2] + z) * F[p + 7]
    return x, y, z, min(0.0, h - F[p + 8])


@kernel
def place_away(F: Floats, tip: int, p: int) -> tuple[float, float, float]:
    """Offset from a tip to the goal's place on its segment."""
    return rotate(F[tip + 3], F[tip + 4], F[tip + 5], F[tip + 6], F[p + 2], F[p + 3], F[p + 4])


@kernel
def missing_value(I: Ints, F: Floats, g: int) -> float:
    """How far a joint is below the wanted value, as a negative number; zero above it."""
    return min(0.0, F[I[AT] + joint_of(I, g, int(0.0))] - F[parameters_at(I, g) + FIELDS])


def _hold_score(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    x, y, z = F[tip] - F[p + 2], F[tip + 1] - F[p + 3], F[tip + 2] - F[p + 4]
    error = (x * x + y * y + z * z) ** 0.5
    keep_residual(I, F, g, F[p + 5] * x, F[p + 6] * y, F[p + 7] * z, error)
    return 0


def _hold_derive(I: Ints, F: Floats, g: int) -> int:
    _, _, p = places(I, g)
    rows = I[TIP_ROWS]
    clear_rows(F, rows)
    F[rows], F[rows + 7], F[rows + 14] = F[p + 5], F[p + 6], F[p + 7]
    return 0


def _above_score(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    h = depth_below(F, tip, p)
    keep_residual(I, F, g, h, 0.0, 0.0, -h)
    return 0


def _above_derive(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    rows = I[TIP_ROWS]
    clear_rows(F, rows)
    if depth_below(F, tip, p) < 0.0:
        F[rows], F[rows + 1], F[rows + 2] = F[p + 5], F[p + 6], F[p + 7]
    return 0


def _place_above_score(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    h = place_below(F, tip, p)[3]
    keep_residual(I, F, g, h, 0.0, 0.0, -h)
    return 0


def _place_above_derive(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    rows = I[TIP_ROWS]
    clear_rows(F, rows)
    x, y, z, h = place_below(F, tip, p)
    if h < 0.0:
        nx, ny, nz = F[p + 5], F[p + 6], F[p + 7]
        F[rows], F[rows + 1], F[rows + 2] = nx, ny, nz
        F[rows + 3], F[rows + 4], F[rows + 5] = y * nz - z * ny, z * nx - x * nz, x * ny - y * nx
    return 0


def _place_hold_score(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    x, y, z = place_away(F, tip, p)
    x, y, z = x + F[tip] - F[p + 5], y + F[tip + 1] - F[p + 6], z + F[tip + 2] - F[p + 7]
    error = (x * x + y * y + z * z) ** 0.5
    keep_residual(I, F, g, F[p + 8] * x, F[p + 8] * y, F[p + 9] * z, error)
    return 0


def _place_hold_derive(I: Ints, F: Floats, g: int) -> int:
    tip, _, p = places(I, g)
    x, y, z = place_away(F, tip, p)
    plan, height = F[p + 8], F[p + 9]
    rows = I[TIP_ROWS]
    clear_rows(F, rows)
    F[rows], F[rows + 4], F[rows + 5] = plan, plan * z, -plan * y
    F[rows + 7], F[rows + 9], F[rows + 11] = plan, -plan * z, plan * x
    F[rows + 14], F[rows + 15], F[rows + 16] = height, height * y, -height * x
    return 0


def _minimum_score(I: Ints, F: Floats, g: int) -> int:
    r = missing_value(I, F, g)
    keep_score(I, F, r * r, -r, -r)
    return 0


def _minimum_derive(I: Ints, F: Floats, g: int) -> int:
    r = missing_value(I, F, g)
    add_joint(I, F, g, int(0.0), r, 1.0 if r < 0.0 else 0.0)
    return 0


@dataclass(frozen=True, eq=False)
class Hold(Goal):
    """The tip is at a point; `share` scales the metres along each world axis, for example less up.

    Loss: the length of share * (p - x0), metres.
    """

    tip: str
    point: Vector
    share: Vector = (1.0, 1.0, 1.0)

    score: ClassVar[Unit] = Unit(_hold_score)
    derive: ClassVar[Unit] = Unit(_hold_derive)
    fields: ClassVar[dict[str, Field]] = {"point": Field(FIELDS, 3), "share": Field(FIELDS + 3, 3)}

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class Above(Goal):
    """The tip is not below a plane through `point`. Loss: max(0, -n . (p - x0)), metres."""

    tip: str
    point: Vector
    normal: Vector = (0.0, 0.0, 1.0)
    tolerance: float | None = field(default=None, kw_only=True)

    score: ClassVar[Unit] = Unit(_above_score)
    derive: ClassVar[Unit] = Unit(_above_derive)
    fields: ClassVar[dict[str, Field]] = PLANE_FIELDS

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class PlaceAbove(Goal):
    """A place on the tip's segment, which tracks may change, is not below a plane.

    The place is in the tip's frame, metres; the plane is all points x with normal . x = level.
    Loss: max(0, level - n . (p + R place)), metres.
    """

    tip: str
    place: Vector = (0.0, 0.0, 0.0)
    normal: Vector = (0.0, 0.0, 1.0)
    level: float = 0.0
    tolerance: float | None = field(default=None, kw_only=True)

    score: ClassVar[Unit] = Unit(_place_above_score)
    derive: ClassVar[Unit] = Unit(_place_above_derive)
    fields: ClassVar[dict[str, Field]] = {
        "place": Field(FIELDS, 3),
        "normal": Field(FIELDS + 3, 3, unit_length),
        "level": Field(FIELDS + 6, 1),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class PlaceHold(Goal):
    """A place on the tip's segment, which tracks may change, is at a point.

    The place is in the tip's frame, metres; `plan` and `height` scale the metres across and up.
    Loss: the length of (plan, plan, height) * (p + R place - x0), metres.
    """

    tip: str
    place: Vector = (0.0, 0.0, 0.0)
    point: Vector = (0.0, 0.0, 0.0)
    plan: float = 1.0
    height: float = 1.0

    score: ClassVar[Unit] = Unit(_place_hold_score)
    derive: ClassVar[Unit] = Unit(_place_hold_derive)
    fields: ClassVar[dict[str, Field]] = {
        "place": Field(FIELDS, 3),
        "point": Field(FIELDS + 3, 3),
        "plan": Field(FIELDS + 6, 1),
        "height": Field(FIELDS + 7, 1),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the tip."""
        return tip_layout(tree, self.tip)


@dataclass(frozen=True, eq=False)
class JointMinimum(Goal):
    """A joint's value is not below a minimum (radians or metres). Loss: max(0, minimum - x)."""

    joint: str
    minimum: float

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_minimum_score)
    derive: ClassVar[Unit] = Unit(_minimum_derive)
    fields: ClassVar[dict[str, Field]] = {"minimum": Field(FIELDS, 1)}

    @property
    def key(self) -> Hashable:
        """The joint."""
        return (JointMinimum, self.joint)

    def unit_on(self, tree: KinematicTree) -> LengthOrAngle:
        """The joint's unit."""
        return "m" if tree.prismatic[tree.joint_index(self.joint)] else "rad"

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the joint."""
        return Layout("joints", joints=np.array([tree.joint_index(self.joint)]))
