"""Goals on joint values alone: displacement, values and limits."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite
from ..errors import GoalError
from ..kernels.arena import (
    AT,
    DEPTH,
    GOAL_SCORE,
    GRADIENT,
    HESSIAN,
    LOWER,
    PREVIOUS,
    SOFTNESS,
    SOURCE,
    UPPER,
    WIDTH,
)
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    DATA,
    FIELDS,
    JOINTS,
    JOINTS_END,
    VARIANT,
)
from ..kinematics.tree import KinematicTree
from .base import ANGLE_TOLERANCE, Field, Goal, Layout, LengthOrAngle
from .tip import goal_at, keep_score, parameters_at

# The pose that a displacement is measured from.
FROM_PREVIOUS, FROM_SOURCE, FROM_POSE = 0, 1, 2


@kernel
def joint_count(I: Ints, g: int) -> int:
    """How many joints a goal has."""
    return I[goal_at(I, g) + JOINTS_END] - I[goal_at(I, g) + JOINTS]


@kernel
def joint_of(I: Ints, g: int, a: int) -> int:
    """The a-th of a goal's joints."""
    return I[I[goal_at(I, g) + JOINTS] + a]


@kernel
def add_joint(I: Ints, F: Floats, g: int, a: int, r: float, slope: float) -> None:
    """Add the residual of a goal's a-th joint to the normal equations."""
    weight = F[I[GOAL_SCORE]]
    i = joint_of(I, g, a)
    F[I[GRADIENT] + i] += weight * slope * r
    F[I[HESSIAN] + I[WIDTH] * i + I[I[DEPTH] + i]] += weight * slope * slope


@kernel
def displacement_residual(I: Ints, F: Floats, g: int, a: int) -> tuple[float, float]:
    """Weighted change of a joint from the reference, and its slope."""
    goal, i = goal_at(I, g), joint_of(I, g, a)
    if I[goal + VARIANT] == FROM_POSE:
        reference = F[I[goal + DATA] + a]
    elif I[goal + VARIANT] == FROM_PREVIOUS:
        reference = F[I[PREVIOUS] + i]
    else:
        reference = F[I[SOURCE] + i]
    slope = 1.0 / F[I[SOFTNESS] + i]
    return (F[I[AT] + i] - reference) * slope, slope


@kernel
def centre_residual(I: Ints, F: Floats, g: int, a: int) -> tuple[float, float]:
    """A joint's share of the distance from the middle of its range, and the slope."""
    i = joint_of(I, g, a)
    share = 1.0 / joint_count(I, g)
    return (F[I[AT] + i] - 0.5 * (F[I[LOWER] + i] + F[I[UPPER] + i])) * share, share


@kernel
def limits_residual(I: Ints, F: Floats, g: int, a: int) -> tuple[float, float]:
    """How far into the outer half of its range a joint is, signed, and the slope."""
    i = joint_of(I, g, a)
    low, high = F[I[LOWER] + i], F[I[UPPER] + i]
    offset = F[I[AT] + i] - 0.5 * (low + high)
    excess = 2.0 * abs(offset) - 0.5 * (high - low)
    if excess <= 0.0:
        return 0.0, 0.0
    share = 1.0 / joint_count(I, g)
    return (excess if offset > 0.0 else -excess) * share, 2.0 * share


@kernel
def value_residual(I: Ints, F: Floats, g: int, a: int) -> tuple[float, float]:
    """Difference of a joint from the wanted value, and the slope."""
    return F[I[AT] + joint_of(I, g, a)] - F[parameters_at(I, g) + FIELDS], 1.0


def _displacement_score(I: Ints, F: Floats, g: int) -> int:
    square, total = 0.0, 0.0
    count = joint_count(I, g)
    for a in range(count):
        r, _ = displacement_residual(I, F, g, a)
        square += r * r
        total += abs(r)
    keep_score(I, F, square, total, total / max(1, count))
    return 0


def _displacement_derive(I: Ints, F: Floats, g: int) -> int:
    for a in range(joint_count(I, g)):
        r, slope = displacement_residual(I, F, g, a)
        add_joint(I, F, g, a, r, slope)
    return 0


def _centre_score(I: Ints, F: Floats, g: int) -> int:
    square = 0.0
    for a in range(joint_count(I, g)):
        r, _ = centre_residual(I, F, g, a)
        square += r * r
    keep_score(I, F, square, math.sqrt(square), math.sqrt(square))
    return 0


def _centre_derive(I: Ints, F: Floats, g: int) -> int:
    for a in range(joint_count(I, g)):
        r, slope = centre_residual(I, F, g, a)
        add_joint(I, F, g, a, r, slope)
    return 0


def _limits_score(I: Ints, F: Floats, g: int) -> int:
    square = 0.0
    for a in range(joint_count(I, g)):
        r, _ = limits_residual(I, F, g, a)
        square += r * r
    keep_score(I, F, square, math.sqrt(square), math.sqrt(square))
    return 0


def _limits_derive(I: Ints, F: Floats, g: int) -> int:
    for a in range(joint_count(I, g)):
        r, slope = limits_residual(I, F, g, a)
        add_joint(I, F, g, a, r, slope)
    return 0


def _value_score(I: Ints, F: Floats, g: int) -> int:
    square = 0.0
    for a in range(joint_count(I, g)):
        r, _ = value_residual(I, F, g, a)
        square += r * r
    keep_score(I, F, square, math.sqrt(square), math.sqrt(square))
    return 0


def _value_derive(I: Ints, F: Floats, g: int) -> int:
    for a in range(joint_count(I, g)):
        r, slope = value_residual(I, F, g, a)
        add_joint(I, F, g, a, r, slope)
    return 0


@dataclass(frozen=True, eq=False)
class Displacement(Goal):
    """The pose stays near a reference pose. Loss: eq. 15, the sum of |x* - x|.

    `reference` is "previous" (the frame solved before; in a single pose the seed), "source" (the
    clip's own pose in this frame; in a single pose the seed) or joint values. Stiff joints count
    more. The paper suggests weights of 0.001 to 0.01.
    """

    reference: Literal["previous", "source"] | ArrayLike = "previous"
    weight: float = field(default=0.01, kw_only=True)
    tolerance: float | None = field(default=None, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_displacement_score)
    derive: ClassVar[Unit] = Unit(_displacement_derive)

    def __post_init__(self) -> None:
        """Check the reference."""
        super().__post_init__()
        if isinstance(self.reference, str):
            if self.reference not in ("previous", "source"):
                raise GoalError(
                    "Displacement: the reference is 'previous', 'source' or joint values, "
                    f"not '{self.reference}'."
                )
        else:
            pose = finite(self.reference, (None,), "Displacement: 'reference'")
            object.__setattr__(self, "reference", pose)

    @property
    def key(self) -> Hashable:
        """The reference."""
        fixed = (
            self.reference
            if isinstance(self.reference, str)
            else np.asarray(self.reference).tobytes()
        )
        return (Displacement, fixed)

    def layout(self, tree: KinematicTree) -> Layout:
        """All joints, and the reference values if they are fixed."""
        joints = np.arange(tree.size, dtype=np.int64)
        if isinstance(self.reference, str):
            which = FROM_PREVIOUS if self.reference == "previous" else FROM_SOURCE
            return Layout("joints", joints=joints, variant=which, moves=False)
        data = finite(self.reference, (tree.size,), "Displacement: 'reference'")
        return Layout("joints", (), data, joints, variant=FROM_POSE)


@dataclass(frozen=True, eq=False)
class JointValue(Goal):
    """A joint has a value (radians or metres). Loss: eq. 15, |x* - x|."""

    joint: str
    value: float
    tolerance: float | None = field(default=ANGLE_TOLERANCE, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_value_score)
    derive: ClassVar[Unit] = Unit(_value_derive)
    fields: ClassVar[dict[str, Field]] = {"value": Field(FIELDS, 1)}

    @property
    def key(self) -> Hashable:
        """The joint."""
        return (JointValue, self.joint)

    def unit_on(self, tree: KinematicTree) -> LengthOrAngle:
        """The joint's unit."""
        return "m" if tree.prismatic[tree.joint_index(self.joint)] else "rad"

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve the joint."""
        return Layout("joints", joints=np.array([tree.joint_index(self.joint)]))


@dataclass(frozen=True, eq=False)
class CentreJoints(Goal):
    """Joints with two limits stay near the middle. Loss: (1/n) sqrt(sum (x - mid)^2)."""

    weight: float = field(default=0.01, kw_only=True)
    tolerance: float | None = field(default=None, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_centre_score)
    derive: ClassVar[Unit] = Unit(_centre_derive)

    def layout(self, tree: KinematicTree) -> Layout:
        """The joints with two limits."""
        return Layout("joints", joints=_limited(tree))


@dataclass(frozen=True, eq=False)
class AvoidLimits(Goal):
    """Joints stay out of the outer half of their range.

    Loss: (1/n) sqrt(sum max(0, 2 |x - mid| - range / 2)^2) over joints with two limits.
    """

    weight: float = field(default=0.01, kw_only=True)
    tolerance: float | None = field(default=None, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_limits_score)
    derive: ClassVar[Unit] = Unit(_limits_derive)

    def layout(self, tree: KinematicTree) -> Layout:
        """The joints with two limits."""
        return Layout("joints", joints=_limited(tree))


def _limited(tree: KinematicTree) -> Ints:
    """Indices of the joints with two limits."""
    return np.flatnonzero(np.isfinite(tree.lower) & np.isfinite(tree.upper)).astype(np.int64)
