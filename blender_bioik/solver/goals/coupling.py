"""Goal for a joint that follows other joints."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import GoalError
from ..kernels.arena import AT
from ..kernels.compiled import Floats, Ints, Unit, kernel
from ..kernels.goal_columns import (
    DATA,
    FIELDS,
)
from ..kinematics.tree import KinematicTree
from .base import ANGLE_TOLERANCE, Field, Goal, Layout, LengthOrAngle
from .custom import CustomGoal, Pose
from .joints import joint_count, joint_of
from .rows import cleared_row, first_residual
from .tip import goal_at, keep_score, parameters_at


@kernel
def coupling_residual(I: Ints, F: Floats, g: int) -> float:
    """X - h(x) of a linear coupling."""
    r = -F[parameters_at(I, g) + FIELDS]
    for a in range(joint_count(I, g)):
        r += F[I[goal_at(I, g) + DATA] + a] * F[I[AT] + joint_of(I, g, a)]
    return r


def _coupling_score(I: Ints, F: Floats, g: int) -> int:
    r = coupling_residual(I, F, g)
    F[first_residual(I, g)] = r
    keep_score(I, F, r * r, abs(r), abs(r))
    return 0


def _coupling_derive(I: Ints, F: Floats, g: int) -> int:
    row = cleared_row(I, F, g)
    for a in range(joint_count(I, g)):
        F[row + joint_of(I, g, a)] = F[I[goal_at(I, g) + DATA] + a]
    return 0


@dataclass(frozen=True, eq=False)
class JointFunction(Goal):
    """A joint follows others: x = offset + sum of factor * x_j. Loss: eq. 15, |x - h(x)|.

    `function` maps the names of the other joints to their factors, or is any Python function of
    all joint values by name that gives h(x) without the offset (slower).
    """

    joint: str
    function: Mapping[str, float] | Callable[[Mapping[str, float]], float]
    offset: float = 0.0
    tolerance: float | None = field(default=ANGLE_TOLERANCE, kw_only=True)

    unit: ClassVar[LengthOrAngle] = "rad"
    score: ClassVar[Unit] = Unit(_coupling_score)
    derive: ClassVar[Unit] = Unit(_coupling_derive)
    fields: ClassVar[dict[str, Field]] = {"offset": Field(FIELDS, 1)}

    @property
    def key(self) -> Hashable:
        """The joints and their factors."""
        if not isinstance(self.function, Mapping):
            return (JointFunction, self.joint, id(self))
        return (JointFunction, self.joint, tuple(self.function.items()))

    def unit_on(self, tree: KinematicTree) -> LengthOrAngle:
        """The joint's unit."""
        return "m" if tree.prismatic[tree.joint_index(self.joint)] else "rad"

    def layout(self, tree: KinematicTree) -> Layout:
        """The coupled joints with the coefficients of x - h(x)."""
        own = tree.joint_index(self.joint)
        if not isinstance(self.function, Mapping):
            return Layout("rows", rows=1, in_python=True)
        coefficients = {own: 1.0}
        for name, factor in self.function.items():
            index = tree.joint_index(name)
            if not math.isfinite(factor):
                raise GoalError(f"{self.label}: the factor of '{name}' must be finite.")
            coefficients[index] = coefficients.get(index, 0.0) - factor
        return Layout(
            "rows",
            (),
            np.array(list(coefficients.values())),
            np.array(list(coefficients), dtype=np.int64),
            rows=1,
        )

    def units(self) -> tuple[Unit, Unit] | None:
        """A coupling's units, or those that call Python."""
        if isinstance(self.function, Mapping):
            return super().units()
        return CustomGoal.score, CustomGoal.derive

    def residual(self, pose: Pose) -> ArrayLike:
        """X - h(x) of a Python function."""
        assert not isinstance(self.function, Mapping)
        values = dict(zip(pose.tree.names, pose.values.tolist(), strict=True))
        return [values[self.joint] - self.offset - float(self.function(values))]

    def jacobian(self, pose: Pose) -> ArrayLike | None:
        """Unknown; uses differences."""
        return None
