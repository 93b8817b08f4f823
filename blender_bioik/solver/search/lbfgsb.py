"""Local search of the paper: limited-memory BFGS with bounds, on the fitness itself (eq. 22)."""

from __future__ import annotations

import math

from ..kernels.arena import (
    BFGS_CHANGES,
    BFGS_DIRECTION,
    BFGS_GRADIENT,
    BFGS_INVERSE,
    BFGS_MEMORY,
    BFGS_NEXT,
    BFGS_SHARE,
    BFGS_STEPS,
    EXACT,
    GOAL_COUNT,
    GRADIENT,
    GRADIENT_ONLY,
    ITERATIONS,
    JOINT_COUNT,
    LOWER,
    MEAN_ERROR,
    TRIAL,
    UPPER,
)
from ..kernels.compiled import Floats, Ints, Unit, kernel
from .evaluate import evaluate, linearise
from .local import clip, copy_pose, keep_result

BACKTRACKS = 12
# Sufficient decrease of the line search (Armijo).
DECREASE = 1e-4
# The search ends when a step gains less than this share of the fitness.
LEAST_GAIN = 1e-9


@kernel
def fitness_gradient(I: Ints, F: Floats, q: int, gradient: int) -> tuple[float, bool]:
    """Fitness (eq. 14) and its gradient (eq. 21), exact instead of by differences."""
    _, fitness, met = evaluate(I, F, q)
    I[EXACT], I[GRADIENT_ONLY] = 1, 1
    linearise(I, F)
    I[EXACT], I[GRADIENT_ONLY] = 0, 0
    scale = 1.0 / max(1, I[GOAL_COUNT])
    if I[MEAN_ERROR] == 0:
        scale /= max(fitness, 1e-150)
    for i in range(I[JOINT_COUNT]):
        F[gradient + i] = F[I[GRADIENT] + i] * scale
    return fitness, met


@kernel
def dot(F: Floats, a: int, b: int, n: int) -> float:
    """Inner product of two vectors of the arena."""
    s = 0.0
    for i in range(n):
        s += F[a + i] * F[b + i]
    return s


@kernel
def blocked(I: Ints, F: Floats, q: int, i: int) -> bool:
    """Whether a joint is at a limit that descent pushes against."""
    x, g = F[q + i], F[I[BFGS_GRADIENT] + i]
    return (x <= F[I[LOWER] + i] and g > 0.0) or (x >= F[I[UPPER] + i] and g < 0.0)


@kernel
def descent_direction(I: Ints, F: Floats, q: int, head: int, held: int) -> float:
    """Two-loop recursion over the free joints; returns the slope along the direction."""
    n = I[JOINT_COUNT]
    d, share = I[BFGS_DIRECTION], I[BFGS_SHARE]
    for i in range(n):
        F[d + i] = 0.0 if blocked(I, F, q, i) else -F[I[BFGS_GRADIENT] + i]
    for back in range(held):
        h = (head - 1 - back) % BFGS_MEMORY
        step, change = I[BFGS_STEPS] + n * h, I[BFGS_CHANGES] + n * h
        F[share + h] = F[I[BFGS_INVERSE] + h] * dot(F, step, d, n)
        for i in range(n):
            F[d + i] -= F[share + h] * F[change + i]
    if held > 0:
        h = (head - 1) % BFGS_MEMORY
        change = I[BFGS_CHANGES] + n * h
        size = F[I[BFGS_INVERSE] + h] * dot(F, change, change, n)
        for i in range(n):
            F[d + i] /= max(size, 1e-150)
    for back in range(held - 1, -1, -1):
        h = (head - 1 - back) % BFGS_MEMORY
        step, change = I[BFGS_STEPS] + n * h, I[BFGS_CHANGES] + n * h
        rest = F[share + h] - F[I[BFGS_INVERSE] + h] * dot(F, change, d, n)
        for i in range(n):
            F[d + i] += F[step + i] * rest
    for i in range(n):
        if blocked(I, F, q, i):
            F[d + i] = 0.0
    return dot(F, I[BFGS_GRADIENT], d, n)


@kernel
def remember(I: Ints, F: Floats, q: int, head: int) -> bool:
    """Keep the step to the trial pose if the curvature along it is positive."""
    n = I[JOINT_COUNT]
    step, change = I[BFGS_STEPS] + n * head, I[BFGS_CHANGES] + n * head
    for i in range(n):
        F[step + i] = F[I[TRIAL] + i] - F[q + i]
        F[change + i] = F[I[BFGS_NEXT] + i] - F[I[BFGS_GRADIENT] + i]
    curvature = dot(F, step, change, n)
    if curvature <= 1e-16:
        return False
    F[I[BFGS_INVERSE] + head] = 1.0 / curvature
    return True


@kernel
def descend_lbfgsb(I: Ints, F: Floats, q: int) -> tuple[bool, float, int]:
    """Projected L-BFGS with backtracking from `q`, in place.

    Returns whether the demands are met, the fitness and the evaluations used.
    """
    n = I[JOINT_COUNT]
    trial, direction = I[TRIAL], I[BFGS_DIRECTION]
    at, into = q, I[BFGS_GRADIENT]
    used, head, held, iteration, attempt = 0, int(0.0), int(0.0), 0, 0
    fitness, met, slope, length = math.inf, False, 0.0, 0.0
    # One call site for the first evaluation and all trials keeps the machine code small.
    while True:
        now, now_met = fitness_gradient(I, F, at, into)
        used += 1
        if used == 1:
            fitness, met = now, now_met
        elif now > fitness + DECREASE * length * slope:
            attempt += 1
            if attempt == BACKTRACKS:
                break
            length *= 0.5 if attempt < 4 else 0.2
            for i in range(n):
                F[trial + i] = clip(I, F, i, F[q + i] + length * F[direction + i])
            continue
        else:
            if remember(I, F, q, head):
                head, held = (head + 1) % BFGS_MEMORY, min(held + 1, BFGS_MEMORY)
            gain = fitness - now
            copy_pose(I, F, trial, q)
            copy_pose(I, F, I[BFGS_NEXT], I[BFGS_GRADIENT])
            fitness, met = now, now_met
            if gain < LEAST_GAIN * fitness:
                break
        if met or iteration == I[ITERATIONS]:
            break
        iteration += 1
        while True:  # a loop, because a second call would be compiled a second time
            slope = descent_direction(I, F, q, head, held)
            if slope < 0.0 or held == 0:
                break
            held = int(0.0)
        if slope > -1e-18:
            break
        length = 1.0
        if held == 0:
            size = math.sqrt(dot(F, direction, direction, n))
            length = min(1.0, 0.2 * max(fitness, 1e-3) / size)
        attempt = 0
        at, into = trial, I[BFGS_NEXT]
        for i in range(n):
            F[trial + i] = clip(I, F, i, F[q + i] + length * F[direction + i])
    return met, fitness, used


def _descend_lbfgsb(I: Ints, F: Floats, q: int) -> int:
    met, fitness, used = descend_lbfgsb(I, F, q)
    keep_result(I, F, met, fitness, used)
    return 0


LBFGSB = Unit(_descend_lbfgsb)
