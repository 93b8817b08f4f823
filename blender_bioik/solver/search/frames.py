"""The compiled entries: one pose, or every frame of a stretch of a clip in one call."""

from __future__ import annotations

import math

from ..kernels.arena import (
    BEFORE_ROWS,
    CANCEL,
    CHAINED,
    CONTINUOUS,
    DONE,
    ERROR,
    EVALUATIONS,
    FIRST_FRAME,
    FRAME,
    GENERATIONS,
    GOAL_COUNT,
    JOINT_COUNT,
    KEPT,
    LAST_FRAME,
    PARAMETER_ROWS,
    PARAMETERS,
    POLISH_AT,
    POSE,
    POSE_SIZE,
    PREFERENCES,
    PREVIOUS,
    REST,
    REST_ROWS,
    SCORE,
    SEARCH_AT,
    SOLVE_AT,
    SOURCE,
    STATUS_SIZE,
    STOP,
    STRATEGY,
    USED,
)
from ..kernels.compiled import Floats, Ints, Unit, call_unit, entry, kernel, pointer_to
from ..kernels.goal_columns import (
    PARAMETER_COUNT,
)
from ..kernels.random import start_random
from .evaluate import evaluate
from .evolution import evolve
from .local import called_search, clip, copy_pose

# Strategies: local search only; local search, then evolution; evolution from the start.
LOCAL, MEMETIC, EVOLUTION = 0, 1, 2

# Why a solve ended.
REACHED, STALLED, BUDGET_SPENT, CANCELLED, NO_GOALS, NOT_SOLVED = 0, 1, 2, 3, 4, -1

# In a clip, a compromise must be this much fitter than the one next to the previous frame's.
WORTH_A_JUMP = 0.9


@kernel
def search(I: Ints, F: Floats, q: int) -> tuple[int, int, int]:
    """Search from the pose at `q`, in place: why it ended, evaluations, generations."""
    strategy = I[STRATEGY]
    used, kept = 0, math.inf
    if strategy != EVOLUTION:
        met, _, used = called_search(I, F, I[SEARCH_AT], q)
        # The local compromise is refined where it may be kept.
        if not met and (strategy == LOCAL or I[CONTINUOUS] != 0):
            met, kept, spent = called_search(I, F, I[POLISH_AT], q)
            used += spent
            copy_pose(I, F, q, I[KEPT])
        if met or strategy == LOCAL:
            return REACHED if met else STALLED, used, 0
    met, fitness, spent, generations = evolve(I, F, q, strategy == MEMETIC, I[EVALUATIONS] - used)
    used += spent
    if met:
        return REACHED, used, generations
    if fitness > WORTH_A_JUMP * kept:
        copy_pose(I, F, I[KEPT], q)
    return CANCELLED if I[CANCEL] != 0 else BUDGET_SPENT, used, generations


def _solve(I: Ints, F: Floats, q: int) -> int:
    """Solve the frame in the arena from the pose at `q`, in place; how it ended is in the header.

    The arena is left with the scores of the result.
    """
    for i in range(I[JOINT_COUNT]):
        F[q + i] = clip(I, F, i, F[q + i])
        F[I[SOURCE] + i] = clip(I, F, i, F[I[SOURCE] + i])
    copy_pose(I, F, q, I[PREVIOUS])
    start_random(I)
    stop, used, generations = NO_GOALS, 0, 0
    if I[GOAL_COUNT] > 0:
        stop, used, generations = search(I, F, q)
    for i in range(I[JOINT_COUNT]):
        if not math.isfinite(F[q + i]):  # never used, but still a pose inside the limits
            F[q + i] = F[I[SOURCE] + i]
    # A local search that meets the demands ends with the evaluation of its result.
    if stop != REACHED or generations > 0 or I[PREFERENCES] != 0:
        evaluate(I, F, q)
    I[STOP], I[USED], I[GENERATIONS] = stop, used, generations
    return 0


SOLVE = Unit(_solve)


@kernel
def load_frame(
    I: Ints, F: Floats, f: int, parameters: Floats, rest: Floats, source: Floats
) -> None:
    """Copy a frame's input into the arena; tables of one row hold for all frames."""
    n = I[JOINT_COUNT]
    I[FRAME] = f
    size = I[GOAL_COUNT] * PARAMETER_COUNT
    row = size * min(f, I[PARAMETER_ROWS] - 1)
    for k in range(size):
        F[I[PARAMETERS] + k] = parameters[row + k]
    size = n * POSE_SIZE
    row = size * min(f, I[REST_ROWS] - 1)
    for k in range(size):
        F[I[REST] + k] = rest[row + k]
    for i in range(n):
        F[I[SOURCE] + i] = source[n * f + i]


@kernel
def keep_frame(
    I: Ints, F: Floats, f: int, values: Floats, errors: Floats, fitness: Floats, status: Ints
) -> None:
    """Copy a frame's result out of the arena."""
    n, goals = I[JOINT_COUNT], I[GOAL_COUNT]
    for i in range(n):
        values[n * f + i] = F[I[POSE] + i]
    for g in range(goals):
        errors[goals * f + g] = F[I[ERROR] + g]
    fitness[f] = F[I[SCORE] + 1]
    for k in range(STATUS_SIZE):
        status[STATUS_SIZE * f + k] = I[STOP + k]
    I[DONE] += 1


@entry
def solve_single(I: Ints, F: Floats) -> None:
    """Solve the one frame that is in the arena, from the pose at POSE."""
    call_unit(I[SOLVE_AT], pointer_to(I), pointer_to(F), I[POSE])


@entry
def solve_frames(
    ints: Ints,
    floats: Floats,
    parameter_rows: Floats,
    rest_rows: Floats,
    source_poses: Floats,
    before: Floats,
    found_values: Floats,
    found_errors: Floats,
    found_fitness: Floats,
    found_status: Ints,
) -> None:
    """Solve the frames FIRST_FRAME to LAST_FRAME - 1 and write the results.

    Chained, each frame starts from the pose of the one before, and the first from `before` if
    BEFORE_ROWS is not zero. All others start from their own source pose.
    """
    I, F = pointer_to(ints), pointer_to(floats)
    parameters, rest = pointer_to(parameter_rows), pointer_to(rest_rows)
    source, earlier = pointer_to(source_poses), pointer_to(before)
    values, errors = pointer_to(found_values), pointer_to(found_errors)
    fitness, status = pointer_to(found_fitness), pointer_to(found_status)
    first, q, follows = I[FIRST_FRAME], I[POSE], I[BEFORE_ROWS] != 0
    for f in range(first, I[LAST_FRAME]):
        if I[CANCEL] != 0:
            break
        load_frame(I, F, f, parameters, rest, source)
        if f == first and follows:
            for i in range(I[JOINT_COUNT]):
                F[q + i] = earlier[i]
        elif f == first or I[CHAINED] == 0:
            copy_pose(I, F, I[SOURCE], q)
        I[CONTINUOUS] = 1 if I[CHAINED] != 0 and (f > 0 or follows) else 0
        call_unit(I[SOLVE_AT], I, F, q)
        keep_frame(I, F, f, values, errors, fitness, status)
