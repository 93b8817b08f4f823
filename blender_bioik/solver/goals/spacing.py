"""Goals for the distance between two points: at least (collision avoidance) and at most."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar

from ..checks import not_negative
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    FIELDS,
    OTHER_TIP,
    TIP,
)
from ..kinematics.tree import KinematicTree
from .base import POSITION_TOLERANCE, Field, Goal, Layout, Vector
from .rows import add_tip_row, cleared_row, first_residual
from .tip import goal_at, keep_score, parameters_at, reach_at, tip_at

# The paper's loss is infinite on contact; ranking needs a number that is merely very bad.
CONTACT_LOSS = 1e6
# Clearance in metres below which steps use the tangent of 1 / clearance.
BARRIER_EDGE = 1e-2


@kernel
def span(F: Floats, tip: int, other: int) -> tuple[float, float, float, float]:
    """Unit vector from the point at `other` to the one at `tip`, and the distance in metres."""
    x, y, z = F[tip] - F[other], F[tip + 1] - F[other + 1], F[tip + 2] - F[other + 2]
    d = math.sqrt(x * x + y * y + z * z)
    if d < 1e-12:  # the same place: any direction is valid
        return 1.0, 0.0, 0.0, 0.0
    return x / d, y / d, z / d, d


@kernel
def distance_residual(F: Floats, p: int, d: float) -> tuple[float, float, float, float]:
    """Residual, its slope by the distance, the loss, and the missing distance in metres."""
    clearance = d - F[p + 5]
    error = max(0.0, -clearance)
    if F[p + 6] > 0.0:
        residual = max(0.0, 1.0 - clearance / F[p + 6])
        return residual, -1.0 / F[p + 6] if residual > 0.0 else 0.0, residual, error
    loss = min(1.0 / clearance, CONTACT_LOSS) if clearance > 0.0 else CONTACT_LOSS
    if clearance > BARRIER_EDGE:
        return 1.0 / clearance, -1.0 / (clearance * clearance), loss, error
    slope = -1.0 / (BARRIER_EDGE * BARRIER_EDGE)
    return 1.0 / BARRIER_EDGE + slope * (clearance - BARRIER_EDGE), slope, loss, error


@kernel
def max_distance_residual(
    F: Floats, reach: int, p: int, d: float
) -> tuple[float, float, float, float]:
    """Residual, its slope by the distance, the loss, and the excess in metres."""
    excess = max(0.0, d - F[p + 5])
    s = math.pi / F[reach]
    return s * excess, s if excess > 0.0 else 0.0, s * excess, excess


@kernel
def other_end(I: Ints, goal: int, p: int) -> int:
    """Where the second point of a distance is: another tip, or the goal's own point."""
    return p + FIELDS if I[goal + OTHER_TIP] < 0 else tip_at(I, I[goal + OTHER_TIP])


@kernel
def add_span(I: Ints, F: Floats, g: int, x: float, y: float, z: float) -> None:
    """Write the derivative of (x, y, z) . (tip - other end) into the row of a goal."""
    goal, row = goal_at(I, g), cleared_row(I, F, g)
    add_tip_row(I, F, I[goal + TIP], x, y, z, row)
    if I[goal + OTHER_TIP] >= 0:
        add_tip_row(I, F, I[goal + OTHER_TIP], -x, -y, -z, row)


def _distance_score(I: Ints, F: Floats, g: int) -> int:
    goal, p = goal_at(I, g), parameters_at(I, g)
    d = span(F, tip_at(I, I[goal + TIP]), other_end(I, goal, p))[3]
    r, _, loss, error = distance_residual(F, p, d)
    F[first_residual(I, g)] = r
    keep_score(I, F, r * r, loss, error)
    return 0


def _distance_derive(I: Ints, F: Floats, g: int) -> int:
    goal, p = goal_at(I, g), parameters_at(I, g)
    x, y, z, d = span(F, tip_at(I, I[goal + TIP]), other_end(I, goal, p))
    _, slope, _, _ = distance_residual(F, p, d)
    add_span(I, F, g, slope * x, slope * y, slope * z)
    return 0


def _max_distance_score(I: Ints, F: Floats, g: int) -> int:
    goal, p = goal_at(I, g), parameters_at(I, g)
    d = span(F, tip_at(I, I[goal + TIP]), other_end(I, goal, p))[3]
    r, _, loss, error = max_distance_residual(F, reach_at(I, I[goal + TIP]), p, d)
    F[first_residual(I, g)] = r
    keep_score(I, F, r * r, loss, error)
    return 0


def _max_distance_derive(I: Ints, F: Floats, g: int) -> int:
    goal, p = goal_at(I, g), parameters_at(I, g)
    x, y, z, d = span(F, tip_at(I, I[goal + TIP]), other_end(I, goal, p))
    _, slope, _, _ = max_distance_residual(F, reach_at(I, I[goal + TIP]), p, d)
    add_span(I, F, g, slope * x, slope * y, slope * z)
    return 0


@dataclass(frozen=True, eq=False)
class Spacing(Goal):
    """A goal between a tip and `other`: a fixed point (metres) or the name of another tip."""

    tip: str
    other: str | Vector
    tolerance: float | None = field(default=POSITION_TOLERANCE, kw_only=True)
    point: Vector = field(init=False, default=(0.0, 0.0, 0.0))

    def __post_init__(self) -> None:
        """A fixed point is a field, another tip part of the layout."""
        if not isinstance(self.other, str):
            object.__setattr__(self, "point", self.other)
        super().__post_init__()

    @property
    def key(self) -> Hashable:
        """The two ends."""
        return (type(self), self.tip, self.other if isinstance(self.other, str) else None)

    def ends(self, tree: KinematicTree) -> tuple[int, int]:
        """Indices of both tips, -1 for a fixed point."""
        other = tree.tip_index(self.other) if isinstance(self.other, str) else -1
        return tree.tip_index(self.tip), other


@dataclass(frozen=True, eq=False)
class Distance(Spacing):
    """Two points (centres of spheres) stay at least `minimum` metres apart; add the radii to it.

    Without `activation` the loss is the paper's 1 / (d - minimum) (eq. 15), which pushes at any
    range. With an activation radius (metres) it is one-sided and smooth: zero beyond `minimum +
    activation`, one on contact, growing linearly inside.
    """

    minimum: float = 0.0
    activation: float = 0.0

    score: ClassVar[Unit] = Unit(_distance_score)
    derive: ClassVar[Unit] = Unit(_distance_derive)
    fields: ClassVar[dict[str, Field]] = {
        "point": Field(FIELDS, 3),
        "minimum": Field(FIELDS + 3, 1, not_negative),
        "activation": Field(FIELDS + 4, 1, not_negative),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve both ends."""
        return Layout("rows", self.ends(tree), rows=1)


@dataclass(frozen=True, eq=False)
class MaxDistance(Spacing):
    """Two points stay at most `maximum` metres apart. Loss: pi / L times the excess."""

    maximum: float = 0.0

    score: ClassVar[Unit] = Unit(_max_distance_score)
    derive: ClassVar[Unit] = Unit(_max_distance_derive)
    fields: ClassVar[dict[str, Field]] = {
        "point": Field(FIELDS, 3),
        "maximum": Field(FIELDS + 3, 1, not_negative),
    }

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve both ends."""
        return Layout("rows", self.ends(tree), rows=1)
