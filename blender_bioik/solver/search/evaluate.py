"""Fitness of a pose (eq. 14), and the normal equations of its least-squares form.

Goals of single tips are summed in 6 x 6 matrices: each adds its rows' products to the matrix of its
segment, matrices are summed inwards along the tree, and a joint's part of the Hessian is its twist
through the matrix of all it carries. The cost does not grow with the number of goals on a segment.
"""

from __future__ import annotations

import math

from ..goals.aim import look_at_residual, look_at_rows
from ..goals.pose import (
    add_orientation,
    add_position,
    orientation_residual,
    orientation_rows,
    position_residual,
    position_rows,
)
from ..goals.rows import add_rows
from ..goals.tip import add_tip_rows, goal_at, keep_residual, parameters_at, places
from ..kernels.arena import (
    AT,
    DEPTH,
    ERROR,
    EVALUATE_AT,
    EXACT,
    FRAME_SIZE,
    FRAMES,
    GOAL_COUNT,
    GOAL_SCORE,
    GRADIENT,
    GRADIENT_ONLY,
    HARD_ONLY,
    HESSIAN,
    INNER_SLOT,
    JOINT_COUNT,
    LINEARISE_AT,
    LOSS,
    MATRICES,
    MATRIX_SIZE,
    MEAN_ERROR,
    PARENT,
    PRISMATIC,
    SCORE,
    SLOT,
    SLOT_COUNT,
    TIP_ROWS,
    TWIST,
    WIDTH,
)
from ..kernels.compiled import Floats, Ints, Unit, call_unit, kernel
from ..kernels.goal_columns import (
    CALLED,
    CALLED_TIP,
    DERIVE_AT,
    KIND,
    ORIENTATION,
    POSITION,
    SCORE_AT,
    TOLERANCE,
    WEIGHT,
)
from ..kinematics.forward import forward, forward_tips

SMALLEST_LOSS = 1e-12


@kernel
def is_off(I: Ints, F: Floats, p: int) -> bool:
    """Whether a goal is left out: zero weight, or a preference where only demands count."""
    return F[p + WEIGHT] <= 0.0 or (I[HARD_ONLY] != 0 and F[p + TOLERANCE] == math.inf)


@kernel
def score_goal(I: Ints, F: Floats, g: int) -> None:
    """Store a goal's residual and score."""
    goal = goal_at(I, g)
    kind = I[goal + KIND]
    if kind >= CALLED:
        call_unit(I[goal + SCORE_AT], I, F, g)
        return
    tip, reach, p = places(I, g)
    if kind == POSITION:
        x, y, z, error = position_residual(F, tip, reach, p)
    elif kind == ORIENTATION:
        x, y, z, error = orientation_residual(F, tip, p)
    else:
        x, y, z, error = look_at_residual(F, tip, p)
    keep_residual(I, F, g, x, y, z, error)


@kernel
def derive_goal(I: Ints, F: Floats, g: int) -> None:
    """Add a goal's derivative, with the weight at GOAL_SCORE.

    Units of goals by tip or by rows only derive; those by joints also add their derivative.
    """
    goal = goal_at(I, g)
    kind = I[goal + KIND]
    if kind >= CALLED:
        call_unit(I[goal + DERIVE_AT], I, F, g)
        if kind == CALLED_TIP:
            add_tip_rows(I, F, g)
        else:
            add_rows(I, F, g)
        return
    exact = I[EXACT] != 0
    if kind == POSITION and not exact:
        add_position(I, F, g)
        return
    if kind == ORIENTATION and not exact:
        add_orientation(I, F, g)
        return
    tip, reach, p = places(I, g)
    if kind == POSITION:
        position_rows(F, tip, reach, p, I[TIP_ROWS])
    elif kind == ORIENTATION:
        orientation_rows(F, tip, p, I[TIP_ROWS])
    else:
        look_at_rows(F, tip, p, I[EXACT], I[TIP_ROWS])
    add_tip_rows(I, F, g)


@kernel
def score_pose(I: Ints, F: Floats, q: int) -> None:
    """Score the pose: sum of squared residuals, fitness (eq. 14), and whether demands are met."""
    I[AT] = q
    forward(I, F, q)
    forward_tips(I, F)
    total, fitness, count, met = 0.0, 0.0, 0, 1.0
    mean = I[MEAN_ERROR] != 0
    for g in range(I[GOAL_COUNT]):
        p = parameters_at(I, g)
        loss, error = 0.0, 0.0
        if not is_off(I, F, p):
            score_goal(I, F, g)
            s = I[GOAL_SCORE]
            loss, error = F[s + 1], F[s + 2]
            total += F[p + WEIGHT] * F[s]
            fitness += F[p + WEIGHT] * (loss if mean else loss * loss)
            count += 1
            if error > F[p + TOLERANCE]:
                met = 0.0
        F[I[ERROR] + g] = error
        F[I[LOSS] + g] = loss
    fitness = fitness / count if count > 0 else 0.0
    s = I[SCORE]
    F[s], F[s + 1], F[s + 2] = total, fitness if mean else math.sqrt(fitness), met


@kernel
def linearise_pose(I: Ints, F: Floats) -> None:
    """Gradient and Gauss-Newton Hessian of half the sum of squares at the pose last scored.

    EXACT uses the true derivative of every residual; otherwise some scales are held constant,
    which gives the same gradient near a solution and better steps far from it.
    """
    clear(I, F)
    for g in range(I[GOAL_COUNT]):
        p = parameters_at(I, g)
        if is_off(I, F, p):
            continue
        weight = F[p + WEIGHT]
        if I[MEAN_ERROR] != 0:  # the slope of a length is that of its square over twice the length
            weight /= max(F[I[LOSS] + g], SMALLEST_LOSS)
        F[I[GOAL_SCORE]] = weight
        derive_goal(I, F, g)
    gather(I, F)


@kernel
def clear(I: Ints, F: Floats) -> None:
    """Zero the sums over goals; of the Hessian only the entries that can be filled."""
    for i in range(I[JOINT_COUNT]):
        F[I[GRADIENT] + i] = 0.0
        row = I[HESSIAN] + I[WIDTH] * i
        for k in range(row, row + I[I[DEPTH] + i] + 1):
            F[k] = 0.0
    for k in range(I[MATRICES], I[MATRICES] + MATRIX_SIZE * I[SLOT_COUNT]):
        F[k] = 0.0


@kernel
def gather(I: Ints, F: Floats) -> None:
    """Sum the segments' matrices inwards and read the joints' normal equations off them."""
    for s in range(I[SLOT_COUNT]):
        if I[I[INNER_SLOT] + s] >= 0:
            outer = I[MATRICES] + MATRIX_SIZE * s
            inner = I[MATRICES] + MATRIX_SIZE * I[I[INNER_SLOT] + s]
            for k in range(MATRIX_SIZE):
                F[inner + k] += F[outer + k]
    parent, twists, depth = I[PARENT], I[TWIST], I[DEPTH]
    for i in range(I[JOINT_COUNT]):
        if I[I[SLOT] + i] < 0:
            continue
        m = I[MATRICES] + MATRIX_SIZE * I[I[SLOT] + i]
        a, b, c, d, e, f = set_twist(I, F, i)
        F[I[GRADIENT] + i] += times(F, m + 21, a, b, c, d, e, f)
        if I[GRADIENT_ONLY] != 0:
            continue
        ya = F[m] * a + F[m + 1] * b + F[m + 2] * c + F[m + 3] * d + F[m + 4] * e + F[m + 5] * f
        yb = (
            F[m + 1] * a + F[m + 6] * b + F[m + 7] * c + F[m + 8] * d + F[m + 9] * e + F[m + 10] * f
        )
        yc = (
            F[m + 2] * a
            + F[m + 7] * b
            + F[m + 11] * c
            + F[m + 12] * d
            + F[m + 13] * e
            + F[m + 14] * f
        )
        yd = (
            F[m + 3] * a
            + F[m + 8] * b
            + F[m + 12] * c
            + F[m + 15] * d
            + F[m + 16] * e
            + F[m + 17] * f
        )
        ye = (
            F[m + 4] * a
            + F[m + 9] * b
            + F[m + 13] * c
            + F[m + 16] * d
            + F[m + 18] * e
            + F[m + 19] * f
        )
        yf = (
            F[m + 5] * a
            + F[m + 10] * b
            + F[m + 14] * c
            + F[m + 17] * d
            + F[m + 19] * e
            + F[m + 20] * f
        )
        row = I[HESSIAN] + I[WIDTH] * i
        j = i
        while j >= 0:
            F[row + I[depth + j]] += times(F, twists + 6 * j, ya, yb, yc, yd, ye, yf)
            j = I[parent + j]


@kernel
def times(F: Floats, at: int, a: float, b: float, c: float, d: float, e: float, f: float) -> float:
    """Product of a row of six with a vector of six."""
    return F[at] * a + F[at + 1] * b + F[at + 2] * c + F[at + 3] * d + F[at + 4] * e + F[at + 5] * f


@kernel
def set_twist(I: Ints, F: Floats, i: int) -> tuple[float, float, float, float, float, float]:
    """Motion of the point at the origin, and rotation, that a joint's unit speed causes."""
    f = I[FRAMES] + FRAME_SIZE * i
    twist = I[TWIST] + 6 * i
    a, b, c = F[f + 7], F[f + 8], F[f + 9]
    d, e, g = 0.0, 0.0, 0.0
    if I[I[PRISMATIC] + i] == 0:
        x, y, z = F[f], F[f + 1], F[f + 2]
        d, e, g = a, b, c
        a, b, c = y * g - z * e, z * d - x * g, x * e - y * d
    F[twist], F[twist + 1], F[twist + 2] = a, b, c
    F[twist + 3], F[twist + 4], F[twist + 5] = d, e, g
    return a, b, c, d, e, g


def _evaluate(I: Ints, F: Floats, q: int) -> int:
    score_pose(I, F, q)
    return 0


def _linearise(I: Ints, F: Floats, _: int) -> int:
    linearise_pose(I, F)
    return 0


EVALUATE = Unit(_evaluate)
LINEARISE = Unit(_linearise)


@kernel
def evaluate(I: Ints, F: Floats, q: int) -> tuple[float, float, bool]:
    """Sum of squared residuals, fitness (eq. 14) and whether all demands are met, of a pose."""
    call_unit(I[EVALUATE_AT], I, F, q)
    return F[I[SCORE]], F[I[SCORE] + 1], F[I[SCORE] + 2] != 0.0


@kernel
def linearise(I: Ints, F: Floats) -> None:
    """Gradient and Hessian at the pose just evaluated."""
    call_unit(I[LINEARISE_AT], I, F, 0)
