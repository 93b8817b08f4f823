"""Shared by goals over several segments or joints: rows of a Jacobian over all joints."""

from __future__ import annotations

from ..kernels.arena import (
    ANCESTORS,
    DEPTH,
    FRAME_SIZE,
    FRAMES,
    GOAL_SCORE,
    GRADIENT,
    HESSIAN,
    JACOBIAN,
    JOINT_COUNT,
    PARENT,
    PRISMATIC,
    ROW_RESIDUAL,
    TIP_JOINT,
    WIDTH,
)
from ..kernels.compiled import Floats, Ints, kernel
from ..kernels.goal_columns import (
    ROW,
    ROW_END,
)
from .tip import goal_at, tip_at


@kernel
def first_residual(I: Ints, g: int) -> int:
    """Where a goal's residuals are in F."""
    return I[ROW_RESIDUAL] + I[goal_at(I, g) + ROW]


@kernel
def cleared_row(I: Ints, F: Floats, g: int) -> int:
    """Where a goal's Jacobian is in F, zeroed."""
    n, goal = I[JOINT_COUNT], goal_at(I, g)
    start = I[JACOBIAN] + n * I[goal + ROW]
    for k in range(start, I[JACOBIAN] + n * I[goal + ROW_END]):
        F[k] = 0.0
    return start


@kernel
def add_point_row(
    I: Ints,
    F: Floats,
    joint: int,
    px: float,
    py: float,
    pz: float,
    ax: float,
    ay: float,
    az: float,
    row: int,
) -> None:
    """Add to the row the derivative of a . p by every joint that moves the point p of a segment."""
    i = joint
    while i >= 0:
        f = I[FRAMES] + FRAME_SIZE * i
        zx, zy, zz = F[f + 7], F[f + 8], F[f + 9]
        if I[I[PRISMATIC] + i] == 0:
            dx, dy, dz = px - F[f], py - F[f + 1], pz - F[f + 2]
            F[row + i] += (
                ax * (zy * dz - zz * dy) + ay * (zz * dx - zx * dz) + az * (zx * dy - zy * dx)
            )
        else:
            F[row + i] += ax * zx + ay * zy + az * zz
        i = I[I[PARENT] + i]


@kernel
def add_tip_row(I: Ints, F: Floats, tip: int, x: float, y: float, z: float, row: int) -> None:
    """Add to the row the derivative of (x, y, z) . (position of a tip)."""
    t = tip_at(I, tip)
    add_point_row(I, F, I[I[TIP_JOINT] + tip], F[t], F[t + 1], F[t + 2], x, y, z, row)


@kernel
def add_rows(I: Ints, F: Floats, g: int) -> None:
    """Add a goal's Jacobian rows to the normal equations."""
    n, goal = I[JOINT_COUNT], goal_at(I, g)
    weight = F[I[GOAL_SCORE]]
    for r in range(I[goal + ROW], I[goal + ROW_END]):
        row = I[JACOBIAN] + n * r
        for a in range(n):
            scaled = weight * F[row + a]
            if scaled == 0.0:
                continue
            F[I[GRADIENT] + a] += scaled * F[I[ROW_RESIDUAL] + r]
            into = I[HESSIAN] + I[WIDTH] * a
            ancestors = I[ANCESTORS] + I[WIDTH] * a
            for k in range(I[I[DEPTH] + a] + 1):
                F[into + k] += scaled * F[row + I[ancestors + k]]
