"""The goals of a clip's frames at given poses: costs, errors and derivatives of each frame."""

from __future__ import annotations

from typing import NamedTuple

from ..kernels.arena import (
    CANCEL,
    ERROR,
    EXACT,
    GOAL_COUNT,
    GRADIENT,
    HESSIAN,
    JOINT_COUNT,
    POSE,
    POSE_SIZE,
    PREVIOUS,
    REST,
    REST_ROWS,
    SCORE,
    TIP_COUNT,
    TIPS,
    WIDTH,
)
from ..kernels.compiled import Floats, Ints, entry, kernel, pointer_to
from ..kinematics.forward import forward, forward_tips
from ..search.evaluate import evaluate, linearise
from ..search.frames import load_frame


class Expansion(NamedTuple):
    """The goals evaluated at the poses of a stretch.

    Attributes:
        costs: Half the sum of the squared residuals of each frame.
        gradient: Its gradient (f, n), if derived.
        hessian: Its Gauss-Newton Hessian, the rows of each frame as in the arena, if derived.
        errors: Errors of the goals (f, goals), metres or radians.
        fitness: Eq. 14 for each frame.
    """

    costs: Floats
    gradient: Floats
    hessian: Floats
    errors: Floats
    fitness: Floats

    @property
    def total(self) -> float:
        """Half the sum of all squared residuals."""
        return float(self.costs.sum())


@kernel
def place_pose(I: Ints, F: Floats, f: int, values: Floats) -> None:
    """Load a frame's pose, and that of the frame before as the previous one."""
    n, before = I[JOINT_COUNT], max(0, f - 1)
    for i in range(n):
        F[I[POSE] + i] = values[n * f + i]
        F[I[PREVIOUS] + i] = values[n * before + i]


@entry
def expand_frames(
    ints: Ints,
    floats: Floats,
    parameter_rows: Floats,
    rest_rows: Floats,
    source_poses: Floats,
    poses: Floats,
    frames: int,
    derive: bool,
    found_total: Floats,
    found_gradient: Floats,
    found_hessian: Floats,
    found_errors: Floats,
    found_fitness: Floats,
) -> None:
    """Half the sum of squares, errors and fitness of every frame; derivatives if `derive`."""
    I, F = pointer_to(ints), pointer_to(floats)
    parameters, rest = pointer_to(parameter_rows), pointer_to(rest_rows)
    source, values = pointer_to(source_poses), pointer_to(poses)
    total, gradient = pointer_to(found_total), pointer_to(found_gradient)
    hessian, errors = pointer_to(found_hessian), pointer_to(found_errors)
    fitness = pointer_to(found_fitness)
    n, goals = I[JOINT_COUNT], I[GOAL_COUNT]
    size = n * I[WIDTH]
    I[EXACT] = 1
    for f in range(frames):
        if I[CANCEL] != 0:
            break
        load_frame(I, F, f, parameters, rest, source)
        place_pose(I, F, f, values)
        evaluate(I, F, I[POSE])
        total[f] = 0.5 * F[I[SCORE]]
        fitness[f] = F[I[SCORE] + 1]
        for g in range(goals):
            errors[goals * f + g] = F[I[ERROR] + g]
        if derive:
            linearise(I, F)
            for i in range(n):
                gradient[n * f + i] = F[I[GRADIENT] + i]
            for k in range(size):
                hessian[size * f + k] = F[I[HESSIAN] + k]
    I[EXACT] = 0


@entry
def pose_tips(
    ints: Ints, floats: Floats, rest_rows: Floats, poses: Floats, frames: int, found: Floats
) -> None:
    """World poses of the problem's tips in every frame: positions and quaternions."""
    I, F = pointer_to(ints), pointer_to(floats)
    rest, values, tips = pointer_to(rest_rows), pointer_to(poses), pointer_to(found)
    n, count = I[JOINT_COUNT], I[TIP_COUNT] * POSE_SIZE
    size = n * POSE_SIZE
    for f in range(frames):
        row = size * min(f, I[REST_ROWS] - 1)
        for k in range(size):
            F[I[REST] + k] = rest[row + k]
        for i in range(n):
            F[I[POSE] + i] = values[n * f + i]
        forward(I, F, I[POSE])
        forward_tips(I, F)
        for k in range(count):
            tips[count * f + k] = F[I[TIPS] + k]
