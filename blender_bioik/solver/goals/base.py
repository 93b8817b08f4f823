"""The base of all goals: a weight, a tolerance, fields that may change over frames, and a layout.

A goal is written once as a smooth residual vector in metres or radians, scaled so that its length
is the paper's loss (eq. 15). The scalar fitness (eq. 14) and the least-squares steps both use it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite
from ..errors import GoalError
from ..kernels.compiled import Floats, Ints, Unit
from ..kernels.goal_columns import CALLED, PARAMETER_COUNT, TOLERANCE, WEIGHT
from ..kinematics.tree import KinematicTree

LengthOrAngle = Literal["m", "rad"]
Vector = tuple[float, float, float]

# Tolerances of section III-K.
POSITION_TOLERANCE = 1e-4
ANGLE_TOLERANCE = 1e-3

# "tip": moves with one tip; "joints": a residual for each joint; "rows": rows over all joints.
Family = Literal["tip", "joints", "rows"]


class Field(NamedTuple):
    """A number or vector of a goal: its columns, its check, and whether tracks may change it."""

    column: int
    width: int
    check: Callable[[ArrayLike, tuple[int | None, ...], str], Floats] = finite
    tracked: bool = True


class Layout(NamedTuple):
    """The part of a goal that does not change over frames, as the kernels use it.

    Attributes:
        family: How its derivative is made.
        tips: Its tips, at most three; -1 for none.
        data: Its fixed numbers.
        joints: Its joints.
        rows: Its rows of the Jacobian, if it is over rows.
        variant: Which of several formulas of its class.
        moves: False if it does not move joints that no other goal moves.
        carried: Whether it depends on where its joints are, and so on all joints that carry them.
        in_python: Whether it runs in Python, and so depends on all joints.
        scratch: Size of its kernels' scratch memory.
    """

    family: Family
    tips: tuple[int, ...] = ()
    data: Floats = np.empty(0)
    joints: Ints = np.empty(0, np.int64)
    rows: int = 0
    variant: int = 0
    moves: bool = True
    carried: bool = False
    in_python: bool = False
    scratch: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Goal:
    """A requirement on a pose.

    `weight` scales the squared loss against other goals (1 is the default, see section III-C).
    `tolerance` is in metres or radians, by the goal's unit; None makes the goal a preference, which
    is met as far as the others allow and never counts as missed.
    """

    weight: float = 1.0
    tolerance: float | None = None

    unit: ClassVar[LengthOrAngle] = "m"
    kind: ClassVar[int] = CALLED
    # How the kernels score the goal and add its derivative, unless its kind is built in.
    score: ClassVar[Unit | None] = None
    derive: ClassVar[Unit | None] = None
    fields: ClassVar[dict[str, Field]] = {}

    def __post_init__(self) -> None:
        """Check the fields and lay the numbers out for the kernels."""
        parameters = np.zeros(PARAMETER_COUNT)
        parameters[WEIGHT] = checked_weight(self.weight, self.label)
        parameters[TOLERANCE] = checked_tolerance(self.tolerance, self.label)
        for name, field in self.fields.items():
            shape = () if field.width == 1 else (field.width,)
            value = field.check(getattr(self, name), shape, f"{self.label}: '{name}'")
            parameters[field.column : field.column + field.width] = value
            object.__setattr__(
                self, name, float(value) if field.width == 1 else tuple(value.tolist())
            )
        parameters.setflags(write=False)
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "packed", parameters.tobytes())
        limit = parameters[TOLERANCE] if self.weight > 0.0 else math.inf
        object.__setattr__(self, "limit", float(limit))

    # For the kernels (also as bytes, which join faster than small arrays), and the error up to
    # which the goal counts as reached, metres or radians.
    parameters: ClassVar[Floats]
    packed: ClassVar[bytes]
    limit: ClassVar[float]

    @property
    def label(self) -> str:
        """Name for messages: the type, and the tip or joint."""
        subject = getattr(self, "tip", None) or getattr(self, "joint", None)
        name = type(self).__name__
        return f"{name} of '{subject}'" if subject else name

    @property
    def key(self) -> Hashable:
        """Equal for goals with the same layout on any one tree."""
        return (type(self), getattr(self, "tip", None))

    def unit_on(self, tree: KinematicTree) -> LengthOrAngle:
        """Unit of the error on a tree; goals on a joint have the joint's."""
        return self.unit

    def units(self) -> tuple[Unit, Unit] | None:
        """How the kernels score and derive the goal; None if built in."""
        if self.score is None or self.derive is None:
            return None
        return self.score, self.derive

    def layout(self, tree: KinematicTree) -> Layout:
        """Resolve names on a tree; raises if it lacks one."""
        raise NotImplementedError


def checked_weight(weight: float, label: str) -> float:
    """A weight that is finite and not negative."""
    if not isinstance(weight, Real) or not (math.isfinite(weight) and weight >= 0.0):
        raise GoalError(f"{label}: the weight must be zero or more, not {weight!r}.")
    return float(weight)


def checked_tolerance(tolerance: float | None, label: str) -> float:
    """A tolerance for the kernels: infinite for a preference."""
    if tolerance is None:
        return math.inf
    if not isinstance(tolerance, Real) or not tolerance > 0.0:
        raise GoalError(f"{label}: the tolerance must be above zero, not {tolerance!r}.")
    return float(tolerance)


def tip_layout(tree: KinematicTree, tip: str) -> Layout:
    """Layout of a goal that needs only its tip."""
    return Layout("tip", (tree.tip_index(tip),))
