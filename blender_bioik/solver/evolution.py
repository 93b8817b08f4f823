"""Global search: the memetic evolution of the paper (section III, Algorithm 1).

A population is a table with a row for each individual: its genes (joint values), its momenta, and
its fitness and extinction factor.
"""

from __future__ import annotations

import math

import numpy as np

from .arena import (
    ELITE,
    ELITES,
    EXPLOITATION,
    JOINT_COUNT,
    LBFGSB_AT,
    LOWER,
    PAPER,
    POLISH_AT,
    POPULATION,
    PRISMATIC,
    REACH,
    REACH_SIZE,
    SEARCH_AT,
    SLOT,
    SLOT_COUNT,
    SOFTNESS,
    TIP_COUNT,
    UPPER,
)
from .compiled import Floats, Ints, kernel
from .evaluate import evaluate
from .local import POLISH_EVALUATIONS, called_search, clip
from .random import State, uniform

# How elites are exploited.
BY_LM, BY_LBFGSB = 0, 1
# An elite that exploitation improves by less than this share counts as not improved (eq. 24).
IMPROVED = 1e-3
# Poses whose joints all differ by less (radians or metres) are one pose.
TWIN = 0.1
# Share of offspring bred limb by limb instead of joint by joint; and for each of their limbs the
# chance to come from the first parent, or from one of both instead of being new.
LIMBWISE = 0.5
FIRST_PARENT, EITHER_PARENT = 0.4, 0.8
# Share of newcomers among the offspring.
NEWCOMERS = 0.15
# How many of the fittest are settled exactly when the budget ends.
SETTLED = 3

# Columns of a population from its end.
FITNESS, EXTINCTION = -2, -1


@kernel
def set_window(I: Ints, F: Floats, q: int, window: Floats) -> None:
    """Where genes are drawn from: the limits or, if wider, one turn around the seed.

    Sliding joints without limits get the length of the longest chain either way.
    """
    span = F[I[REACH] + REACH_SIZE * I[TIP_COUNT]]
    for i in range(I[JOINT_COUNT]):
        low, high = F[I[LOWER] + i], F[I[UPPER] + i]
        half = F[I[SOFTNESS] + i] * (math.pi if I[I[PRISMATIC] + i] == 0 else span)
        centre = F[q + i]
        # A window that would leave the limits is moved inside them.
        centre = max(min(centre, high - half), low + half) if high - low > 2.0 * half else centre
        window[0, i] = max(low, centre - half)
        window[1, i] = min(high, centre + half)


@kernel
def draw(window: Floats, state: State, individual: Floats) -> None:
    """A random individual (eq. 16)."""
    n = window.shape[1]
    for i in range(n):
        individual[i] = window[0, i] + (window[1, i] - window[0, i]) * uniform(state)
        individual[n + i] = 0.0


@kernel
def sort_by_fitness(A: Floats, order: Ints) -> None:
    """Order of the individuals, fittest first (stable), and their extinction factors (eq. 18)."""
    size = order.shape[0]
    for k in range(size):
        b = k - 1
        while b >= 0 and A[order[b], FITNESS] > A[k, FITNESS]:
            order[b + 1] = order[b]
            b -= 1
        order[b + 1] = k
    least = A[order[0], FITNESS]
    most = max(A[order[size - 1], FITNESS], 1e-300)
    for rank in range(size):
        k = order[rank]
        A[k, EXTINCTION] = (A[k, FITNESS] + least * (rank / (size - 1.0) - 1.0)) / most


@kernel
def select(pool: int, state: State) -> int:
    """Rank-based selection: position in a mating pool of `pool` members, the fittest likeliest."""
    u = uniform(state) * 0.5 * pool * (pool + 1)
    position = 0
    total = float(pool)
    while total < u and position < pool - 1:
        position += 1
        total += pool - position
    return position


@kernel
def breed(
    I: Ints,
    F: Floats,
    A: Floats,
    p1: int,
    p2: int,
    prototype: int,
    limbs: Floats,
    window: Floats,
    state: State,
    child: Floats,
) -> None:
    """A new individual by recombination (17), mutation (19) and adoption (20), clipped (13).

    With `limbs` whole limbs are inherited from one parent, or drawn anew: a limb's pose that works
    is not torn apart. Such a child is not mutated and adopts nothing.
    """
    n = I[JOINT_COUNT]
    limbwise = limbs.shape[0] > 0
    extinction = 0.5 * (A[p1, EXTINCTION] + A[p2, EXTINCTION])
    rate = (extinction * (n - 1.0) + 1.0) / n
    for s in range(limbs.shape[0]):
        u = uniform(state)
        limbs[s] = 1.0 if u < FIRST_PARENT else (0.0 if u < EITHER_PARENT else -1.0)
    for i in range(n):
        x1, x2 = A[p1, i], A[p2, i]
        slot = I[I[SLOT] + i]
        weight = limbs[slot] if limbwise and slot >= 0 else uniform(state)
        if weight < 0.0:  # a limb of its own
            child[i] = window[0, i] + (window[1, i] - window[0, i]) * uniform(state)
            child[n + i] = 0.0
            continue
        g = uniform(state) * A[p1, n + i] + uniform(state) * A[p2, n + i]
        x = weight * x1 + (1.0 - weight) * x2 + g
        if not limbwise and uniform(state) < rate:
            change = (2.0 * uniform(state) - 1.0) * extinction * (window[1, i] - window[0, i])
            x += change
            g += change
        if not limbwise:
            weight = uniform(state)
            to_parents = uniform(state) * (0.5 * (x1 + x2) - x)
            to_prototype = uniform(state) * (A[prototype, i] - x)
            change = weight * to_parents + (1.0 - weight) * to_prototype
            x += change
            g += change
        child[i] = clip(I, F, i, x)
        child[n + i] = g + child[i] - x


@kernel
def judge(I: Ints, F: Floats, individual: Floats) -> bool:
    """Evaluate an individual's fitness; returns whether it meets all demands."""
    for i in range(I[JOINT_COUNT]):
        F[I[ELITE] + i] = individual[i]
    _, individual[FITNESS], met = evaluate(I, F, I[ELITE])
    return met


@kernel
def exploit(I: Ints, F: Floats, state: State, individual: Floats) -> tuple[bool, int]:
    """Local search from an individual (eq. 22): whether all demands are met, evaluations."""
    n = I[JOINT_COUNT]
    for i in range(n):
        F[I[ELITE] + i] = individual[i]
    how = I[LBFGSB_AT] if I[EXPLOITATION] == BY_LBFGSB else I[SEARCH_AT]
    met, fitness, used = called_search(I, F, how, I[ELITE])
    if met or fitness < individual[FITNESS]:
        for i in range(n):
            change = F[I[ELITE] + i] - individual[i]
            individual[n + i] = uniform(state) * individual[n + i] + change
            individual[i] = F[I[ELITE] + i]
        individual[FITNESS] = fitness
    return met, used


@kernel
def is_twin(A: Floats, k: int, B: Floats, count: int, n: int) -> bool:
    """Whether individual k is the same pose as one of the first `count` of another population."""
    for e in range(count):
        apart = 0.0
        for i in range(n):
            apart = max(apart, abs(A[k, i] - B[e, i]))
        if apart < TWIN:
            return True
    return False


@kernel
def keep_elites(I: Ints, A: Floats, order: Ints, B: Floats, before: Floats) -> tuple[int, bool]:
    """Copy the elites of A to B; returns how many, and whether any rank got fitter (eq. 24).

    `before` holds the elites' fitness of the last generation (zero: none, which any beats). Twins
    of a fitter elite are left out except in the paper's configuration: they would fill the ranks
    with one pose.
    """
    kept = 0
    improved = False
    for rank in range(order.shape[0]):
        k = order[rank]
        if kept == I[ELITES]:
            break
        if I[PAPER] == 0 and is_twin(A, k, B, kept, I[JOINT_COUNT]):
            continue
        for c in range(A.shape[1]):
            B[kept, c] = A[k, c]
        last = before[kept]
        improved = improved or last == 0.0 or A[k, FITNESS] < last * (1.0 - IMPROVED)
        before[kept] = A[k, FITNESS]
        kept += 1
    return kept, improved


@kernel
def remove_beaten(A: Floats, pool: Ints, left: int, p1: int, p2: int, fitness: float) -> int:
    """Take parents whose child is fitter out of the mating pool (eq. 23); returns who is left."""
    kept = 0
    for k in range(left):
        member = pool[k]
        beaten = member in (p1, p2) and fitness < A[member, FITNESS]
        if not beaten:
            pool[kept] = member
            kept += 1
    return kept


@kernel
def evolve(
    I: Ints, F: Floats, q: int, seeded: bool, budget: int, state: State, control: Ints
) -> tuple[bool, float, int, int]:
    """Algorithm 1 from the seed at `q`, in place.

    Returns whether all demands are met, the fitness, the evaluations used and the generations. In
    the paper's configuration the elites of each generation are exploited. By default every
    individual is, once, at its birth: Levenberg-Marquardt is so much cheaper than L-BFGS that
    choosing where to use it costs more than it saves, and choosing the fittest starts loses
    diversity, which is what finds solutions.
    """
    n, size, paper = I[JOINT_COUNT], I[POPULATION], I[PAPER] != 0
    A, B = np.zeros((size, 2 * n + 2)), np.zeros((size, 2 * n + 2))
    for m in range(size):  # the budget may end before everybody is born
        A[m, FITNESS], B[m, FITNESS] = math.inf, math.inf
    order, pool = np.arange(size), np.arange(size)
    limbs, no_limbs = np.zeros(I[SLOT_COUNT]), np.zeros(0)
    window, before = np.zeros((2, n)), np.zeros(I[ELITES])
    set_window(I, F, q, window)
    best, used, generations = math.inf, 0, 0
    spendable = budget - (0 if paper else SETTLED * POLISH_EVALUATIONS)
    survivors, left = 0, 0  # nobody yet: the first population is random, with the seed
    while True:
        generations += 1
        # Offspring of A into B, or random individuals where there is nobody to breed from.
        for m in range(survivors, size):
            child = B[m]
            p1, p2 = -1, -1
            if m == 0:
                for i in range(n):
                    child[i], child[n + i] = F[q + i], 0.0
            elif left == 0 or (not paper and uniform(state) < NEWCOMERS):
                draw(window, state, child)
            else:
                p1, p2 = pool[select(left, state)], pool[select(left, state)]
                prototype = pool[select(left, state)]
                limbwise = not paper and I[SLOT_COUNT] > 1 and uniform(state) < LIMBWISE
                kept = limbs if limbwise else no_limbs
                breed(I, F, A, p1, p2, prototype, kept, window, state, child)
            # The seed has been exploited before, where local search comes first.
            if paper or (m == 0 and (seeded or generations > 1)):
                met, spent = judge(I, F, child), 1
            else:
                child[FITNESS] = math.inf
                met, spent = exploit(I, F, state, child)
            used += spent
            if met:
                return finish(I, F, q, child, used, generations)
            left = remove_beaten(A, pool, left, p1, p2, child[FITNESS])
            if used >= spendable or control[0] != 0:
                break
        A, B = B, A
        sort_by_fitness(A, order)
        for rank in range(I[ELITES] if paper else 0):
            met, spent = exploit(I, F, state, A[order[rank]])
            used += spent
            if met:
                return finish(I, F, q, A[order[rank]], used, generations)
        sort_by_fitness(A, order)
        if A[order[0], FITNESS] < best:
            best = A[order[0], FITNESS]
            for i in range(n):
                F[q + i] = A[order[0], i]
        if control[0] != 0 or (paper and used >= budget):
            return False, best, used, generations
        if used >= spendable and not paper:
            return settle(I, F, A, order, q, best, used, generations)
        survivors, improved = keep_elites(I, A, order, B, before)
        left = size
        for k in range(size):
            pool[k] = order[k]
        if not improved:  # wipe-out: start again with only the best (section III-J)
            survivors, left = 0, 0
            for e in range(I[ELITES]):
                before[e] = 0.0


@kernel
def finish(
    I: Ints, F: Floats, q: int, individual: Floats, used: int, generations: int
) -> tuple[bool, float, int, int]:
    """Take an individual that meets all demands as the result."""
    for i in range(I[JOINT_COUNT]):
        F[q + i] = individual[i]
    return True, individual[FITNESS], used, generations


@kernel
def settle(
    I: Ints,
    F: Floats,
    A: Floats,
    order: Ints,
    q: int,
    best: float,
    used: int,
    generations: int,
) -> tuple[bool, float, int, int]:
    """Settle the fittest few exactly and take the best: what falls short is a close race."""
    for rank in range(min(SETTLED, order.shape[0])):
        individual = A[order[rank]]
        if individual[FITNESS] == math.inf:
            break
        for i in range(I[JOINT_COUNT]):
            F[I[ELITE] + i] = individual[i]
        met, fitness, spent = called_search(I, F, I[POLISH_AT], I[ELITE])
        used += spent
        if met or fitness <= best:
            best = fitness
            for i in range(I[JOINT_COUNT]):
                F[q + i] = F[I[ELITE] + i]
        if met:
            return True, best, used, generations
    return False, best, used, generations
