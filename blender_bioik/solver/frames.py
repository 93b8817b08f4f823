"""The compiled entry: every frame of a stretch solved in one call, each from the one before."""

from __future__ import annotations

import math

import numpy as np

from .arena import (
    ERROR,
    EVALUATIONS,
    FRAME,
    GOAL_COUNT,
    JOINT_COUNT,
    KEPT,
    LOWER,
    PARAMETERS,
    POLISH_AT,
    POSE,
    POSE_SIZE,
    PREFERENCES,
    PREVIOUS,
    REST,
    SCORE,
    SEARCH_AT,
    SOURCE,
    UPPER,
)
from .compiled import Floats, Ints, entry, kernel
from .evaluate import evaluate
from .evolution import evolve
from .goals.base import PARAMETER_COUNT
from .local import called_search, clip, copy_pose
from .random import State, start_random

# Strategies: local search only; local search, then evolution; evolution from the start.
LOCAL, MEMETIC, EVOLUTION = 0, 1, 2

# Why a solve ended.
REACHED, STALLED, BUDGET_SPENT, CANCELLED, NO_GOALS, NOT_SOLVED = 0, 1, 2, 3, 4, -1

# Columns of a frame's status.
STOP, USED, GENERATIONS = 0, 1, 2

# In a clip, a compromise must be this much fitter than the one next to the previous frame's.
WORTH_A_JUMP = 0.9


@kernel
def solve_frame(
    I: Ints, F: Floats, strategy: int, continuous: bool, state: State, control: Ints
) -> tuple[int, int, int]:
    """Solve one frame from the pose at POSE, in place: why it ended, evaluations, generations."""
    q = I[POSE]
    for i in range(I[JOINT_COUNT]):
        F[q + i] = clip(I, F, i, F[q + i])
    if I[GOAL_COUNT] == 0:
        return NO_GOALS, 0, 0
    used, generations = 0, 0
    kept = math.inf
    if strategy != EVOLUTION:
        met, _, used = called_search(I, F, I[SEARCH_AT], q)
        if met:
            return REACHED, used, 0
        # The local compromise is settled where it may be the one to keep.
        if strategy == LOCAL or continuous:
            met, kept, spent = called_search(I, F, I[POLISH_AT], q)
            used += spent
            if met:
                return REACHED, used, 0
            copy_pose(I, F, q, I[KEPT])
        if strategy == LOCAL:
            return STALLED, used, 0
    met, fitness, spent, generations = evolve(
        I, F, q, strategy == MEMETIC, I[EVALUATIONS] - used, state, control
    )
    used += spent
    if met:
        return REACHED, used, generations
    if fitness > WORTH_A_JUMP * kept:
        copy_pose(I, F, I[KEPT], q)
    return CANCELLED if control[0] != 0 else BUDGET_SPENT, used, generations


@kernel
def load_frame(
    I: Ints, F: Floats, f: int, parameters: Floats, rest: Floats, source: Floats
) -> None:
    """Copy what a frame wants into the arena; tables of one row hold for all frames."""
    n = I[JOINT_COUNT]
    I[FRAME] = f
    p = parameters[min(f, parameters.shape[0] - 1)]
    for k in range(I[GOAL_COUNT] * PARAMETER_COUNT):
        F[I[PARAMETERS] + k] = p[k]
    r = rest[min(f, rest.shape[0] - 1)]
    for k in range(n * POSE_SIZE):
        F[I[REST] + k] = r[k]
    for i in range(n):
        F[I[SOURCE] + i] = source[f, i]


@entry
def solve_frames(
    I: Ints,
    F: Floats,
    parameters: Floats,
    rest: Floats,
    source: Floats,
    before: Floats,
    first: int,
    last: int,
    lead_in: int,
    chained: bool,
    strategy: int,
    seed: int,
    control: Ints,
    counter: int,
    values: Floats,
    errors: Floats,
    fitness: Floats,
    status: Ints,
) -> None:
    """Solve the frames first to last - 1 and write their values, errors, fitness and status.

    Chained, each frame starts from the pose of the one before; the first starts from `before` (if
    that has a row), or is led up to by `lead_in` unwritten frames that start from the source.
    Otherwise each frame starts from its own source pose. `control`, shared with other threads,
    holds the cancel flag and, at `counter`, how many frames this call has done.
    """
    n, q = I[JOINT_COUNT], I[POSE]
    state = np.zeros(1, np.uint64)
    start = first
    if chained and before.shape[0] == 0:
        start = max(0, first - lead_in)
    for f in range(start, last):
        if control[0] != 0:
            return
        load_frame(I, F, f, parameters, rest, source)
        if f == start and chained and before.shape[0] > 0:
            for i in range(n):
                F[q + i] = before[0, i]
        elif f == start or not chained:
            copy_pose(I, F, I[SOURCE], q)
        copy_pose(I, F, q, I[PREVIOUS])
        start_random(seed, f, state)
        stop, used, generations = solve_frame(I, F, strategy, chained and f > 0, state, control)
        for i in range(n):
            if not math.isfinite(F[q + i]):  # never seen; a pose inside the limits all the same
                F[q + i] = min(max(source[f, i], F[I[LOWER] + i]), F[I[UPPER] + i])
        if f < first:
            continue
        # A local search that meets the demands ends with the evaluation of its result.
        if stop != REACHED or generations > 0 or I[PREFERENCES] != 0:
            evaluate(I, F, q)
        fitness[f] = F[I[SCORE] + 1]
        for i in range(n):
            values[f, i] = F[q + i]
        for g in range(I[GOAL_COUNT]):
            errors[f, g] = F[I[ERROR] + g]
        status[f, STOP], status[f, USED], status[f, GENERATIONS] = stop, used, generations
        control[counter] += 1
