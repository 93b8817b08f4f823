"""One goal at one pose, as in the searches: residual, Jacobian, loss and error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..goals.base import Goal
from ..kernels.arena import (
    DEPTH,
    ERROR,
    EXACT,
    GRADIENT,
    HESSIAN,
    JACOBIAN,
    LOSS,
    POSE,
    PREFERENCES,
    PREVIOUS,
    PYTHON_GOALS,
    RESIDUAL,
    ROW_RESIDUAL,
    SLOT,
    TIP_ROWS,
    TWIST,
    WIDTH,
)
from ..kernels.compiled import Floats, Ints, entry, pointer_to
from ..kernels.goal_columns import (
    WEIGHT,
)
from ..kinematics.tree import KinematicTree
from ..search.evaluate import evaluate, linearise
from .problem import Problem, compile_problem, stack_parameters
from .solve import DEFAULTS, checked_pose, lent_goals, prepared, quiet_overflow


class Probe(NamedTuple):
    """A goal at a pose: residual (m,), Jacobian (m, n), loss of eq. 15, error in m or radians.

    Steps are made from the residual: its squared length is the goal's least-squares form.
    """

    residual: Floats
    jacobian: Floats
    loss: float
    error: float


@entry
def score_and_linearise(ints: Ints, floats: Floats) -> None:
    """Evaluate and linearise the pose in the arena."""
    I, F = pointer_to(ints), pointer_to(floats)
    evaluate(I, F, I[POSE])
    linearise(I, F)


def probe(
    tree: KinematicTree, goal: Goal, values: ArrayLike, reference: ArrayLike | None = None
) -> Probe:
    """Residual, exact Jacobian, loss and error of a goal at a pose.

    `reference` stands for the previous frame and the source pose; the pose itself if not given.
    """
    problem = compile_problem(tree, [goal], all_joints=True)
    pose = checked_pose(tree, values)
    base = pose if reference is None else checked_pose(tree, reference)
    I, F = prepared(problem, DEFAULTS).borrow()
    places = problem.places
    F[places.parameters] = stack_parameters([goal])
    F[places.parameters.start + WEIGHT] = 1.0
    F[places.pose] = pose[problem.active]
    F[I[PREVIOUS] : I[PREVIOUS] + len(problem.active)] = base[problem.active]
    F[places.source] = base[problem.active]
    I[EXACT], I[PREFERENCES] = 1, 0
    with lent_goals(problem, [goal]) as number, quiet_overflow():
        I[PYTHON_GOALS] = number
        score_and_linearise(I, F)
    residual, active = _rows(problem, goal, I, F)
    jacobian = np.zeros((len(residual), tree.size))
    jacobian[:, problem.active] = active
    return Probe(residual, jacobian, float(F[I[LOSS]]), float(F[I[ERROR]]))


def _rows(problem: Problem, goal: Goal, I: Ints, F: Floats) -> tuple[Floats, Floats]:
    """Residual and Jacobian over the active joints, read from the solver's memory."""
    n = len(problem.active)
    layout = goal.layout(problem.tree)
    if layout.family == "tip":
        rows = F[I[TIP_ROWS] : I[TIP_ROWS] + 18].reshape(3, 6)
        moves = I[I[SLOT] : I[SLOT] + n] >= 0  # the others' twists are not set
        jacobian = np.zeros((3, n))
        jacobian[:, moves] = rows @ F[I[TWIST] : I[TWIST] + 6 * n].reshape(n, 6)[moves].T
        return F[I[RESIDUAL] : I[RESIDUAL] + 3].copy(), jacobian
    if layout.family == "rows":
        size = layout.rows * n
        jacobian = F[I[JACOBIAN] : I[JACOBIAN] + size].reshape(layout.rows, n).copy()
        return F[I[ROW_RESIDUAL] : I[ROW_RESIDUAL] + layout.rows].copy(), jacobian
    # One residual a joint, with weight one: the slopes' squares are the Hessian's diagonal, and
    # the gradient is slope times residual.
    joints = np.arange(n)
    diagonal = F[I[HESSIAN] + I[WIDTH] * joints + I[I[DEPTH] + joints]]
    slope = np.sqrt(diagonal)
    gradient = F[I[GRADIENT] : I[GRADIENT] + n]
    return gradient / np.where(slope > 0.0, slope, 1.0), np.diag(slope)
