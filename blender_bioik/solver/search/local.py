"""Local search: bounded Levenberg-Marquardt, fast and free-running or monotone."""

from __future__ import annotations

import math

from ..kernels.arena import (
    BEST,
    EXACT,
    FROZEN,
    GRADIENT,
    HARD_ONLY,
    ITERATIONS,
    JOINT_COUNT,
    LOWER,
    MET,
    MET_SEEN,
    PREFERENCES,
    SCORE,
    SNAPPED,
    STEP,
    TRIAL,
    UPPER,
)
from ..kernels.compiled import Floats, Ints, Unit, call_unit, kernel
from .evaluate import evaluate, linearise
from .linear import add_column, solve_damped

# Damping as a share of the squared error; measured best without accepting or rejecting steps.
DAMPING_SHARE = 0.04
LEAST_DAMPING = 1e-9
# An attempt is given up after this many iterations in a row that gain less than this share.
PATIENCE = 2
LEAST_GAIN = 0.05
# Largest change of a joint in one iteration, radians or metres.
LARGEST_STEP = 1.0
# A preference counts as optimised when an iteration gains less than this share.
PREFERENCE_GAIN = 1e-4
# The monotone descent ends when a step gains less than this share of the squared error.
POLISHED_GAIN = 1e-7
MOST_DAMPING = 1e8
POLISH_EVALUATIONS = 50


@kernel
def copy_pose(I: Ints, F: Floats, q: int, to: int) -> None:
    """Copy a pose."""
    for i in range(I[JOINT_COUNT]):
        F[to + i] = F[q + i]


@kernel
def clip(I: Ints, F: Floats, i: int, x: float) -> float:
    """A joint's value moved into its limits (eq. 13)."""
    return min(max(x, F[I[LOWER] + i]), F[I[UPPER] + i])


@kernel
def freeze_at_limits(I: Ints, F: Floats, q: int) -> None:
    """Freeze joints at a limit that the gradient pushes against."""
    for i in range(I[JOINT_COUNT]):
        x, g = F[q + i], F[I[GRADIENT] + i]
        outward = (x <= F[I[LOWER] + i] and g > 0.0) or (x >= F[I[UPPER] + i] and g < 0.0)
        F[I[FROZEN] + i] = 1.0 if outward else 0.0


@kernel
def freeze_leaving(I: Ints, F: Floats, q: int) -> bool:
    """Put joints that the step would take over a limit at the limit, and freeze them there.

    The gradient is corrected for their move, so that the others can make up for the limit.
    Returns whether there are any.
    """
    any_left = False
    for i in range(I[JOINT_COUNT]):
        if F[I[FROZEN] + i] != 0.0:
            continue
        x = F[q + i] + F[I[STEP] + i]
        moved = clip(I, F, i, x)
        if moved == x:
            continue
        any_left = True
        change = moved - F[q + i]
        F[q + i] = moved
        F[I[FROZEN] + i] = 1.0
        add_column(I, F, i, change)
    return any_left


@kernel
def take_step(I: Ints, F: Floats, q: int, to: int) -> None:
    """Move a pose by the step, shortened to the largest one allowed and clipped to the limits."""
    largest = 0.0
    for i in range(I[JOINT_COUNT]):
        largest = max(largest, abs(F[I[STEP] + i]))
    scale = 1.0 if largest <= LARGEST_STEP else LARGEST_STEP / largest
    for i in range(I[JOINT_COUNT]):
        F[to + i] = clip(I, F, i, F[q + i] + scale * F[I[STEP] + i])


@kernel
def descend(I: Ints, F: Floats, q: int) -> tuple[bool, float, int]:
    """Levenberg-Marquardt from `q`, in place, with damping proportional to the squared error.

    Steps are taken without checking them, and the attempt is abandoned once it stalls, which is
    cheaper than continuing. Ends at once when all demands are met or, with preferences, when all of
    it stops improving; a pose met on the way is then kept at MET. Returns whether the demands are
    met, the fitness, and the evaluations used; `q` is the best pose seen.
    """
    refine = I[PREFERENCES] != 0 and I[HARD_ONLY] == 0
    best, best_met, fitness, least_met = math.inf, False, math.inf, math.inf
    mark, stalled, used = math.inf, 0, 0
    while True:
        total, now, met = evaluate(I, F, q)
        used += 1
        if met and not refine:
            return True, now, used
        if total < best:
            best, best_met, fitness = total, met, now
            copy_pose(I, F, q, I[BEST])
        if met and total < least_met:
            least_met = total
            I[MET_SEEN] = 1
            copy_pose(I, F, q, I[MET])
        if total < mark * (1.0 - (PREFERENCE_GAIN if refine else LEAST_GAIN)):
            mark, stalled = total, 0
        else:
            stalled += 1
        if stalled >= PATIENCE or used >= I[ITERATIONS]:
            break
        linearise(I, F)
        freeze_at_limits(I, F, q)
        damping = DAMPING_SHARE * total + LEAST_DAMPING
        solve_damped(I, F, damping)
        if freeze_leaving(I, F, q):
            solve_damped(I, F, damping)
        take_step(I, F, q, q)
    copy_pose(I, F, I[BEST], q)
    return best_met, fitness, used


@kernel
def polish(I: Ints, F: Floats, q: int, evaluations: int) -> tuple[bool, float, int]:
    """Monotone Levenberg-Marquardt (Marquardt's rule) with exact derivatives, in place.

    Slower than `descend` on goals that can be met, but it converges exactly where goals conflict.
    """
    total, fitness, met = evaluate(I, F, q)
    damping = 1e-3 * total + LEAST_DAMPING
    stale = True
    used = 1
    while used < evaluations and total > 0.0 and damping < MOST_DAMPING:
        if stale:
            I[EXACT] = 1
            linearise(I, F)
            I[EXACT] = 0
            freeze_at_limits(I, F, q)
        solve_damped(I, F, damping)
        take_step(I, F, q, I[TRIAL])
        trial_total, trial_fitness, trial_met = evaluate(I, F, I[TRIAL])
        used += 1
        stale = trial_total < total
        if stale:
            gain = total - trial_total
            copy_pose(I, F, I[TRIAL], q)
            total, fitness, met = trial_total, trial_fitness, trial_met
            damping = max(0.2 * damping, LEAST_DAMPING)
            if gain < POLISHED_GAIN * total:
                break
        else:
            damping *= 5.0
    return met, fitness, used


@kernel
def search_locally(I: Ints, F: Floats, q: int) -> tuple[bool, float, int]:
    """Descend on all goals; if preferences kept the demands from being met, then on those alone.

    The second descent starts where the preferences left off and takes the shortest way, so the
    demands are met as near to the preferences as they allow. If it fails, a pose that was met on
    the way is better than none.
    """
    I[MET_SEEN] = 0
    met, fitness, used = descend(I, F, q)
    if met or I[PREFERENCES] == 0:
        return met, fitness, used
    seen = I[MET_SEEN] != 0
    copy_pose(I, F, q, I[SNAPPED])
    I[HARD_ONLY] = 1
    met, _, more = descend(I, F, I[SNAPPED])
    I[HARD_ONLY] = 0
    used += more
    if not met and seen:
        copy_pose(I, F, I[MET], I[SNAPPED])
    if met or seen:
        copy_pose(I, F, I[SNAPPED], q)
        _, fitness, _ = evaluate(I, F, q)
        used += 1
    return met or seen, fitness, used


@kernel
def keep_result(I: Ints, F: Floats, met: bool, fitness: float, used: int) -> None:
    """Leave a local search's result where `called_search` finds it."""
    F[I[SCORE]], F[I[SCORE] + 1], F[I[SCORE] + 2] = used, fitness, 1.0 if met else 0.0


def _search(I: Ints, F: Floats, q: int) -> int:
    met, fitness, used = search_locally(I, F, q)
    keep_result(I, F, met, fitness, used)
    return 0


def _polish(I: Ints, F: Floats, q: int) -> int:
    met, fitness, used = polish(I, F, q, POLISH_EVALUATIONS)
    keep_result(I, F, met, fitness, used)
    return 0


SEARCH = Unit(_search)
POLISH = Unit(_polish)


@kernel
def called_search(I: Ints, F: Floats, address: int, q: int) -> tuple[bool, float, int]:
    """Call a local search: whether all demands are met, the fitness, the evaluations used."""
    call_unit(address, I, F, q)
    return F[I[SCORE] + 2] != 0.0, F[I[SCORE] + 1], int(F[I[SCORE]])
