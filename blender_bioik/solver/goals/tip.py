"""Shared by goals of a single tip: a residual of three numbers that depends on the tip's motion."""

from __future__ import annotations

import math

from ..kernels.arena import (
    GOAL_SCORE,
    GOALS,
    MATRICES,
    MATRIX_SIZE,
    PARAMETERS,
    POSE_SIZE,
    REACH,
    REACH_SIZE,
    RESIDUAL,
    SLOT,
    SLOT_COUNT,
    TIP_JOINT,
    TIP_ROWS,
    TIPS,
)
from ..kernels.compiled import Floats, Ints, kernel
from ..kernels.goal_columns import (
    COLUMNS,
    PARAMETER_COUNT,
    SCRATCH,
    TIP,
)


@kernel
def goal_at(I: Ints, g: int) -> int:
    """Where a goal's integers are in I."""
    return I[GOALS] + COLUMNS * g


@kernel
def parameters_at(I: Ints, g: int) -> int:
    """Where a goal's parameters are in F."""
    return I[PARAMETERS] + PARAMETER_COUNT * g


@kernel
def scratch_at(I: Ints, g: int) -> int:
    """Where a goal's own scratch is in F."""
    return I[goal_at(I, g) + SCRATCH]


@kernel
def tip_at(I: Ints, tip: int) -> int:
    """Where a tip's world pose is in F."""
    return I[TIPS] + POSE_SIZE * tip


@kernel
def reach_at(I: Ints, tip: int) -> int:
    """Where a tip's chain length and root are in F."""
    return I[REACH] + REACH_SIZE * tip


@kernel
def places(I: Ints, g: int) -> tuple[int, int, int]:
    """Where the tip, its reach and the parameters of a tip goal are in F."""
    tip = I[goal_at(I, g) + TIP]
    return tip_at(I, tip), reach_at(I, tip), parameters_at(I, g)


@kernel
def keep_score(I: Ints, F: Floats, square: float, loss: float, error: float) -> None:
    """Store a goal's sum of squares, loss, and error in metres or radians."""
    F[I[GOAL_SCORE]], F[I[GOAL_SCORE] + 1], F[I[GOAL_SCORE] + 2] = square, loss, error


@kernel
def keep_residual(I: Ints, F: Floats, g: int, x: float, y: float, z: float, error: float) -> None:
    """Keep a tip goal's residual, whose length is its loss, and its score."""
    r = I[RESIDUAL] + 3 * g
    F[r], F[r + 1], F[r + 2] = x, y, z
    square = x * x + y * y + z * z
    keep_score(I, F, square, math.sqrt(square), error)


@kernel
def clear_rows(F: Floats, rows: int) -> None:
    """Zero the derivative (3, 6) of a tip goal."""
    for k in range(18):
        F[rows + k] = 0.0


@kernel
def matrix_of(I: Ints, g: int) -> int:
    """Where the matrix of a tip goal's segment is in F; one that nothing reads if it is fixed."""
    joint = I[I[TIP_JOINT] + I[goal_at(I, g) + TIP]]
    slot = I[SLOT_COUNT] if joint < 0 else I[I[SLOT] + joint]
    return I[MATRICES] + MATRIX_SIZE * slot


@kernel
def add_tip_rows(I: Ints, F: Floats, g: int) -> None:
    """Add the derivative at TIP_ROWS to the matrix and wrench of the tip's segment.

    They are taken about the tree's origin, so that matrices of different tips can be summed.
    """
    weight = F[I[GOAL_SCORE]]
    tip = tip_at(I, I[goal_at(I, g) + TIP])
    x, y, z = F[tip], F[tip + 1], F[tip + 2]
    rows = I[TIP_ROWS]
    for row in range(rows, rows + 18, 6):
        a, b, c = F[row], F[row + 1], F[row + 2]
        F[row + 3] += y * c - z * b
        F[row + 4] += z * a - x * c
        F[row + 5] += x * b - y * a
    into = matrix_of(I, g)
    wrench = into + 21
    residual = I[RESIDUAL] + 3 * g
    e0, e1, e2 = F[residual], F[residual + 1], F[residual + 2]
    for i in range(6):
        a, b, c = weight * F[rows + i], weight * F[rows + 6 + i], weight * F[rows + 12 + i]
        F[wrench + i] += a * e0 + b * e1 + c * e2
        for j in range(i, 6):
            F[into + j] += a * F[rows + j] + b * F[rows + 6 + j] + c * F[rows + 12 + j]
        into += 5 - i
