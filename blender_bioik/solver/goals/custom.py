"""Goals written by the user in Python, and the pose as they see it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..errors import GoalError, ShapeError
from ..kernels import quaternions
from ..kernels.arena import (
    AT,
    FLOAT_LENGTH,
    FRAME,
    FRAME_SIZE,
    FRAMES,
    GOALS,
    INT_LENGTH,
    JACOBIAN,
    POSE_SIZE,
    PYTHON_GOALS,
    ROW_RESIDUAL,
    TIP_COUNT,
    TIPS,
)
from ..kernels.compiled import Floats, Ints, Unit, as_array, kernel, python_block
from ..kernels.goal_columns import (
    COLUMNS,
    ROW,
    ROW_END,
)
from ..kinematics.tree import KinematicTree
from .base import Goal, Layout
from .rows import first_residual
from .tip import goal_at, keep_score

# Step of the central differences, radians or metres.
DIFFERENCE = 1e-6


class Pose:
    """One pose as a custom goal sees it: joint values and world poses of the tips."""

    def __init__(
        self, tree: KinematicTree, values: Floats, tips: Floats, frames: Floats, frame: int
    ) -> None:
        """Wrap the solver's arrays; they are valid only during the call."""
        self.tree = tree
        self.values = values
        self.frame = frame
        self._tips = tips
        self._frames = frames

    def value(self, joint: str) -> float:
        """Value of a joint, radians or metres."""
        return float(self.values[self.tree.joint_index(joint)])

    def position(self, tip: str) -> Floats:
        """World position of a tip, metres."""
        return np.array(self._tips[self.tree.tip_index(tip), :3])

    def quaternion(self, tip: str) -> Floats:
        """World orientation of a tip, w, x, y, z."""
        return np.array(self._tips[self.tree.tip_index(tip), 3:])

    def rotation(self, tip: str) -> Floats:
        """World orientation of a tip as a 3 x 3 matrix."""
        return quaternions.to_matrix(self.quaternion(tip))

    def tip_jacobian(self, tip: str) -> Floats:
        """Derivative (6, n) of a tip's position and rotation by the joint values."""
        k = self.tree.tip_index(tip)
        jacobian = np.zeros((6, self.tree.size))
        for i in self.tree.chain(int(self.tree.tip_joint[k])):
            axis = self._frames[i, 7:10]
            if self.tree.prismatic[i]:
                jacobian[:3, i] = axis
            else:
                jacobian[:3, i] = np.cross(axis, self._tips[k, :3] - self._frames[i, :3])
                jacobian[3:, i] = axis
        return jacobian

    def what_if(self, joint: int, change: float) -> Pose:
        """The pose with one joint changed, its tips found without a new forward pass.

        This is the OFKT paper's prediction R_(i-1) L_i R_i^-1 R_ee: a turn or slide of everything
        that the joint carries, about its current axis.
        """
        values = self.values.copy()
        values[joint] += change
        tips = self._tips.copy()
        carried = [k for k, j in enumerate(self.tree.tip_joint) if joint in self.tree.chain(int(j))]
        axis, origin = self._frames[joint, 7:10], self._frames[joint, :3]
        if self.tree.prismatic[joint]:
            tips[carried, :3] += change * axis
        else:
            turn = quaternions.from_axis_angle(axis, change)
            tips[carried, :3] = origin + quaternions.rotated(turn, tips[carried, :3] - origin)
            tips[carried, 3:] = quaternions.product(turn, tips[carried, 3:])
        return Pose(self.tree, values, tips, self._frames, self.frame)


class PythonGoal(Protocol):
    """The interface of a goal that runs in Python."""

    label: str

    def residual(self, pose: Pose) -> ArrayLike:
        """Residual vector."""

    def jacobian(self, pose: Pose) -> ArrayLike | None:
        """Its derivative (rows, n), or None to have differences taken."""


@dataclass
class Loan:
    """Goals the kernels may call for a while, and the first error one of them raised."""

    tree: KinematicTree
    goals: Sequence[PythonGoal]
    error: Exception | None = None


_loans: dict[int, Loan] = {}
_numbers = itertools.count(1)


def lend(tree: KinematicTree, goals: Sequence[PythonGoal]) -> int:
    """Make goals callable from the kernels, under the returned number, until given back."""
    number = next(_numbers)
    _loans[number] = Loan(tree, goals)
    return number


def give_back(number: int) -> None:
    """End a loan; raises the first error that a goal raised during it."""
    error = _loans.pop(number).error
    if error is not None:
        raise error


def fill_residual(I: Ints, F: Floats, g: int) -> None:
    """Write a custom goal's residual (called from the kernels)."""
    loan = _loans[int(I[PYTHON_GOALS])]
    start, rows = _place(I, g)
    out = F[I[ROW_RESIDUAL] + start : I[ROW_RESIDUAL] + start + rows]
    out[:] = 0.0
    if loan.error is not None:
        return
    try:
        out[:] = _checked_residual(loan.goals[g], _pose(loan, I, F), rows)
    except Exception as error:  # it cannot pass through compiled code, so give_back raises it
        loan.error = error


def fill_jacobian(I: Ints, F: Floats, g: int) -> None:
    """Write a custom goal's Jacobian (called from the kernels)."""
    loan = _loans[int(I[PYTHON_GOALS])]
    n = loan.tree.size
    start, rows = _place(I, g)
    out = F[I[JACOBIAN] + n * start : I[JACOBIAN] + n * (start + rows)]
    out[:] = 0.0
    if loan.error is not None:
        return
    try:
        out[:] = _checked_jacobian(loan.goals[g], _pose(loan, I, F), rows).ravel()
    except Exception as error:  # see fill_residual
        loan.error = error


def _place(I: Ints, g: int) -> tuple[int, int]:
    """First row of a goal, and how many it has."""
    goal = int(I[GOALS]) + COLUMNS * g
    return int(I[goal + ROW]), int(I[goal + ROW_END] - I[goal + ROW])


def _pose(loan: Loan, I: Ints, F: Floats) -> Pose:
    """The pose that a kernel evaluates."""
    n = loan.tree.size
    tips = F[I[TIPS] : I[TIPS] + POSE_SIZE * I[TIP_COUNT]].reshape(-1, POSE_SIZE)
    frames = F[I[FRAMES] : I[FRAMES] + FRAME_SIZE * n].reshape(-1, FRAME_SIZE)
    return Pose(loan.tree, F[I[AT] : I[AT] + n].copy(), tips, frames, int(I[FRAME]))


def _checked_residual(goal: PythonGoal, pose: Pose, rows: int) -> Floats:
    residual = np.atleast_1d(np.asarray(goal.residual(pose), float))
    if residual.shape != (rows,):
        raise ShapeError(
            f"{goal.label}: the residual has the shape {residual.shape}, not ({rows},)."
        )
    if not np.isfinite(residual).all():
        raise GoalError(f"{goal.label}: the residual contains NaN or infinity.")
    return residual


def _checked_jacobian(goal: PythonGoal, pose: Pose, rows: int) -> Floats:
    given = goal.jacobian(pose)
    jacobian = _differences(goal, pose, rows) if given is None else np.asarray(given, float)
    if jacobian.shape != (rows, pose.tree.size):
        wanted = (rows, pose.tree.size)
        raise ShapeError(
            f"{goal.label}: the Jacobian has the shape {jacobian.shape}, not {wanted}."
        )
    if not np.isfinite(jacobian).all():
        raise GoalError(f"{goal.label}: the Jacobian contains NaN or infinity.")
    return jacobian


def _differences(goal: PythonGoal, pose: Pose, rows: int) -> Floats:
    """Central differences over every joint."""
    columns = [
        _checked_residual(goal, pose.what_if(joint, DIFFERENCE), rows)
        - _checked_residual(goal, pose.what_if(joint, -DIFFERENCE), rows)
        for joint in range(pose.tree.size)
    ]
    return np.stack(columns, axis=-1) / (2.0 * DIFFERENCE)


@kernel
def ask_residual(I: Ints, F: Floats, g: int) -> None:
    """Let a custom goal write its residual."""
    with python_block():
        fill_residual(I, F, g)


@kernel
def ask_jacobian(I: Ints, F: Floats, g: int) -> None:
    """Let a custom goal write its Jacobian."""
    with python_block():
        fill_jacobian(I, F, g)


def _custom_score(I: Ints, F: Floats, g: int) -> int:
    ask_residual(as_array(I, I[INT_LENGTH]), as_array(F, I[FLOAT_LENGTH]), g)
    square = 0.0
    first = first_residual(I, g)
    for k in range(I[goal_at(I, g) + ROW_END] - I[goal_at(I, g) + ROW]):
        square += F[first + k] * F[first + k]
    keep_score(I, F, square, math.sqrt(square), math.sqrt(square))
    return 0


def _custom_derive(I: Ints, F: Floats, g: int) -> int:
    ask_jacobian(as_array(I, I[INT_LENGTH]), as_array(F, I[FLOAT_LENGTH]), g)
    return 0


@dataclass(frozen=True, eq=False)
class CustomGoal(Goal):
    """Base of custom goals: subclass it and write `residual`, and `jacobian` if you can.

    `rows` is the length of the residual. Its length as a vector is both the loss and the error
    compared with the tolerance.
    """

    rows: int = field(default=1, kw_only=True)

    score: ClassVar[Unit] = Unit(_custom_score, cached=False)
    derive: ClassVar[Unit] = Unit(_custom_derive, cached=False)

    def residual(self, pose: Pose) -> ArrayLike:
        """Residual vector of `rows` numbers, zero when the goal is met, smooth in the pose."""
        raise NotImplementedError

    def jacobian(self, pose: Pose) -> ArrayLike | None:
        """Derivative (rows, n) by the joint values, or None to have differences taken."""
        return None

    @property
    def key(self) -> Hashable:
        """Every custom goal has a layout of its own."""
        return (type(self), id(self))

    def layout(self, tree: KinematicTree) -> Layout:
        """Rows over all joints."""
        if self.rows < 1:
            raise GoalError(f"{self.label}: 'rows' must be at least 1.")
        return Layout("rows", rows=self.rows, in_python=True)
