"""Global search: the memetic evolution of the paper (section III, Algorithm 1).

A population is a table in F with a row for each individual: its genes (joint values), its momenta,
its fitness and its extinction factor. The kernels know an individual by where its row starts.
"""

from __future__ import annotations

import math

from ..kernels.arena import (
    CANCEL,
    ELITE,
    ELITE_FITNESS,
    ELITES,
    EXPLOITATION,
    FIRST_POPULATION,
    JOINT_COUNT,
    LBFGSB_AT,
    LIMBS,
    LOWER,
    ORDER,
    PAPER,
    PER_GENE,
    PER_INDIVIDUAL,
    POLISH_AT,
    POOL,
    POPULATION,
    PRISMATIC,
    REACH,
    REACH_SIZE,
    SEARCH_AT,
    SECOND_POPULATION,
    SLOT,
    SLOT_COUNT,
    SOFTNESS,
    TIP_COUNT,
    UPPER,
    WINDOW,
)
from ..kernels.compiled import Floats, Ints, kernel
from ..kernels.random import uniform
from .evaluate import evaluate
from .local import POLISH_EVALUATIONS, called_search, clip, copy_pose

# Local searches for elites.
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
# Number of the fittest that are refined exactly when the budget ends.
SETTLED = 3


@kernel
def row(I: Ints, population: int, k: int) -> int:
    """Where individual k of a population starts."""
    return population + (PER_GENE * I[JOINT_COUNT] + PER_INDIVIDUAL) * k


@kernel
def fitness_of(I: Ints, individual: int) -> int:
    """Where an individual's fitness is; its extinction factor follows."""
    return individual + PER_GENE * I[JOINT_COUNT]


@kernel
def set_window(I: Ints, F: Floats, q: int) -> None:
    """The range of random genes: the limits or, if wider, one turn around the seed.

    Sliding joints without limits get the length of the longest chain either way.
    """
    n = I[JOINT_COUNT]
    span = F[I[REACH] + REACH_SIZE * I[TIP_COUNT]]
    for i in range(n):
        low, high = F[I[LOWER] + i], F[I[UPPER] + i]
        half = F[I[SOFTNESS] + i] * (math.pi if I[I[PRISMATIC] + i] == 0 else span)
        centre = F[q + i]
        # A window that would leave the limits is moved inside them.
        centre = max(min(centre, high - half), low + half) if high - low > 2.0 * half else centre
        F[I[WINDOW] + i] = max(low, centre - half)
        F[I[WINDOW] + n + i] = min(high, centre + half)


@kernel
def draw_gene(I: Ints, F: Floats, i: int, individual: int) -> None:
    """A random gene at rest."""
    n, low = I[JOINT_COUNT], F[I[WINDOW] + i]
    F[individual + i] = low + (F[I[WINDOW] + n + i] - low) * uniform(I)
    F[individual + n + i] = 0.0


@kernel
def sort_by_fitness(I: Ints, F: Floats, population: int) -> None:
    """Order of the individuals, fittest first (stable), and their extinction factors (eq. 18)."""
    size, order = I[POPULATION], I[ORDER]
    for k in range(size):
        fitness = F[fitness_of(I, row(I, population, k))]
        b = k - 1
        while b >= 0 and F[fitness_of(I, row(I, population, I[order + b]))] > fitness:
            I[order + b + 1] = I[order + b]
            b -= 1
        I[order + b + 1] = k
    least = F[fitness_of(I, row(I, population, I[order]))]
    most = F[fitness_of(I, row(I, population, I[order + size - 1]))]
    most = min(max(most, 1e-300), 1e300)  # infinite: not created before the budget ended
    for rank in range(size):
        at = fitness_of(I, row(I, population, I[order + rank]))
        F[at + 1] = (F[at] + least * (rank / (size - 1.0) - 1.0)) / most


@kernel
def select(I: Ints, left: int) -> int:
    """Rank-based selection from the `left` members of the mating pool, the fittest likeliest."""
    u = uniform(I) * 0.5 * left * (left + 1)
    position = 0
    total = float(left)
    while total < u and position < left - 1:
        position += 1
        total += left - position
    return I[I[POOL] + position]


@kernel
def breed(
    I: Ints, F: Floats, first: int, second: int, prototype: int, limbwise: bool, child: int
) -> None:
    """A new individual by recombination (17), mutation (19) and adoption (20), clipped (13).

    Limbwise, whole limbs are inherited from one parent, or drawn at random, which preserves poses
    of limbs that work. Such a child is not mutated and adopts nothing.
    """
    n, limbs = I[JOINT_COUNT], I[LIMBS]
    extinction = 0.5 * (F[fitness_of(I, first) + 1] + F[fitness_of(I, second) + 1])
    rate = (extinction * (n - 1.0) + 1.0) / n
    for s in range(I[SLOT_COUNT] if limbwise else 0):
        u = uniform(I)
        F[limbs + s] = 1.0 if u < FIRST_PARENT else (0.0 if u < EITHER_PARENT else -1.0)
    for i in range(n):
        slot = I[I[SLOT] + i]
        weight = F[limbs + slot] if limbwise and slot >= 0 else uniform(I)
        if weight < 0.0:  # a limb of its own
            draw_gene(I, F, i, child)
            continue
        x1, x2 = F[first + i], F[second + i]
        g = uniform(I) * F[first + n + i] + uniform(I) * F[second + n + i]
        x = weight * x1 + (1.0 - weight) * x2 + g
        if not limbwise:
            change = 0.0
            if uniform(I) < rate:
                span = F[I[WINDOW] + n + i] - F[I[WINDOW] + i]
                change = (2.0 * uniform(I) - 1.0) * extinction * span
            weight = uniform(I)
            to_parents = uniform(I) * (0.5 * (x1 + x2) - x - change)
            to_prototype = uniform(I) * (F[prototype + i] - x - change)
            change += weight * to_parents + (1.0 - weight) * to_prototype
            x += change
            g += change
        F[child + i] = clip(I, F, i, x)
        F[child + n + i] = g + F[child + i] - x


@kernel
def exploit(I: Ints, F: Floats, individual: int) -> tuple[bool, int]:
    """Local search from an individual (eq. 22): whether all demands are met, evaluations."""
    n, elite, at = I[JOINT_COUNT], I[ELITE], fitness_of(I, individual)
    copy_pose(I, F, individual, elite)
    how = I[LBFGSB_AT] if I[EXPLOITATION] == BY_LBFGSB else I[SEARCH_AT]
    met, fitness, used = called_search(I, F, how, elite)
    if met or fitness < F[at]:
        for i in range(n):
            change = F[elite + i] - F[individual + i]
            F[individual + n + i] = uniform(I) * F[individual + n + i] + change
            F[individual + i] = F[elite + i]
        F[at] = fitness
    return met, used


@kernel
def exploit_elites(I: Ints, F: Floats, population: int) -> tuple[int, int]:
    """Exploit the fittest and sort again: one that meets all demands (or -1), evaluations."""
    used = 0
    for rank in range(I[ELITES]):
        individual = row(I, population, I[I[ORDER] + rank])
        met, spent = exploit(I, F, individual)
        used += spent
        if met:
            return individual, used
    sort_by_fitness(I, F, population)
    return -1, used


@kernel
def judge(I: Ints, F: Floats, individual: int, exploited: bool) -> tuple[bool, int]:
    """Fitness of a newborn, exploited or not: whether all demands are met, evaluations."""
    at = fitness_of(I, individual)
    F[at] = math.inf
    if exploited:
        return exploit(I, F, individual)
    _, F[at], met = evaluate(I, F, individual)
    return met, 1


@kernel
def is_twin(I: Ints, F: Floats, individual: int, others: int, count: int) -> bool:
    """Whether an individual is the same pose as one of the first `count` of a population."""
    for e in range(count):
        apart = 0.0
        for i in range(I[JOINT_COUNT]):
            apart = max(apart, abs(F[individual + i] - F[row(I, others, e) + i]))
        if apart < TWIN:
            return True
    return False


@kernel
def keep_elites(I: Ints, F: Floats, population: int, heirs: int) -> tuple[int, bool]:
    """Copy the elites to the next population; how many, and whether any rank got fitter (eq. 24).

    ELITE_FITNESS holds the ranks' fitness of the last generation (zero: none, which any beats).
    Twins of a fitter elite are left out except in the paper's configuration: they would fill the
    ranks with one pose.
    """
    kept, improved = int(0.0), False
    for rank in range(I[POPULATION]):
        if kept == I[ELITES]:
            break
        individual, heir = row(I, population, I[I[ORDER] + rank]), row(I, heirs, kept)
        if I[PAPER] == 0 and is_twin(I, F, individual, heirs, kept):
            continue
        for c in range(PER_GENE * I[JOINT_COUNT] + PER_INDIVIDUAL):
            F[heir + c] = F[individual + c]
        last, fitness = F[I[ELITE_FITNESS] + kept], F[fitness_of(I, individual)]
        improved = improved or last == 0.0 or fitness < last * (1.0 - IMPROVED)
        F[I[ELITE_FITNESS] + kept] = fitness
        kept += 1
    return kept, improved


@kernel
def refill_pool(I: Ints) -> None:
    """All individuals may mate again, the fittest first."""
    for k in range(I[POPULATION]):
        I[I[POOL] + k] = I[I[ORDER] + k]


@kernel
def remove_beaten(
    I: Ints, F: Floats, left: int, population: int, first: int, second: int, fitness: float
) -> int:
    """Take parents whose child is fitter out of the mating pool (eq. 23); how many are left."""
    kept, pool = 0, I[POOL]
    for k in range(left):
        member = row(I, population, I[pool + k])
        # Not `in (first, second)`, which takes numba long to compile.
        if (member == first or member == second) and fitness < F[fitness_of(I, member)]:  # noqa: SIM109
            continue
        I[pool + kept] = I[pool + k]
        kept += 1
    return kept


@kernel
def beget(
    I: Ints, F: Floats, q: int, population: int, m: int, left: int, child: int
) -> tuple[int, int]:
    """Make newborn m: the seed, a random individual (eq. 16), or a child of the returned two."""
    paper = I[PAPER] != 0
    if m == 0:
        for i in range(I[JOINT_COUNT]):
            F[child + i], F[child + I[JOINT_COUNT] + i] = F[q + i], 0.0
        return -1, -1
    if left == 0 or (not paper and uniform(I) < NEWCOMERS):
        for i in range(I[JOINT_COUNT]):
            draw_gene(I, F, i, child)
        return -1, -1
    first, second = row(I, population, select(I, left)), row(I, population, select(I, left))
    prototype = row(I, population, select(I, left))
    limbwise = not paper and I[SLOT_COUNT] > 1 and uniform(I) < LIMBWISE
    breed(I, F, first, second, prototype, limbwise, child)
    return first, second


@kernel
def start_evolution(I: Ints, F: Floats, q: int) -> None:
    """Set every fitness to infinity: the budget may end before all individuals are created."""
    set_window(I, F, q)
    for k in range(I[POPULATION]):
        F[fitness_of(I, row(I, I[FIRST_POPULATION], k))] = math.inf
        F[fitness_of(I, row(I, I[SECOND_POPULATION], k))] = math.inf
    forget_elites(I, F)


@kernel
def forget_elites(I: Ints, F: Floats) -> None:
    """Clear the fitness that each rank has to beat."""
    for e in range(I[ELITES]):
        F[I[ELITE_FITNESS] + e] = 0.0


@kernel
def evolve(I: Ints, F: Floats, q: int, seeded: bool, budget: int) -> tuple[bool, float, int, int]:
    """Algorithm 1 from the seed at `q`, in place.

    Returns whether all demands are met, the fitness, the evaluations used and the generations. In
    the paper's configuration the elites of each generation are exploited. By default every
    individual is, once, at its birth: Levenberg-Marquardt is so much cheaper than L-BFGS that
    choosing where to use it costs more than it saves, and choosing the fittest starts loses
    the diversity that finds solutions.
    """
    size, paper = I[POPULATION], I[PAPER] != 0
    population, heirs = I[FIRST_POPULATION], I[SECOND_POPULATION]
    start_evolution(I, F, q)
    best, used, generations = math.inf, 0, 0
    # int(0.0) is not a literal: numba compiles a kernel again for every literal argument.
    spendable = budget - (0 if paper else SETTLED * POLISH_EVALUATIONS)
    survivors, left = 0, int(0.0)  # none yet: the first population is random, with the seed
    while True:
        generations += 1
        found = -1
        for m in range(survivors, size):
            child = row(I, heirs, m)
            first, second = beget(I, F, q, population, m, left, child)
            # The seed has been exploited before, where local search comes first.
            known = m == 0 and (seeded or generations > 1)
            met, spent = judge(I, F, child, not paper and not known)
            used += spent
            if met:
                found = child
                break
            left = remove_beaten(I, F, left, population, first, second, F[fitness_of(I, child)])
            if used >= spendable or I[CANCEL] != 0:
                break
        population, heirs = heirs, population
        if found < 0:
            sort_by_fitness(I, F, population)
            if paper:
                found, spent = exploit_elites(I, F, population)
                used += spent
        if found >= 0:
            copy_pose(I, F, found, q)
            return True, F[fitness_of(I, found)], used, generations
        fittest = row(I, population, I[I[ORDER]])
        if F[fitness_of(I, fittest)] < best:
            best = F[fitness_of(I, fittest)]
            copy_pose(I, F, fittest, q)
        if I[CANCEL] != 0 or (paper and used >= budget):
            return False, best, used, generations
        if used >= spendable and not paper:
            met, best, spent = settle(I, F, population, q, best)
            return met, best, used + spent, generations
        survivors, improved = keep_elites(I, F, population, heirs)
        left = size
        refill_pool(I)
        if not improved:  # wipe-out: start again with only the best (section III-J)
            survivors, left = 0, int(0.0)
            forget_elites(I, F)


@kernel
def settle(I: Ints, F: Floats, population: int, q: int, best: float) -> tuple[bool, float, int]:
    """Refine the fittest few exactly and take the best, because compromises differ little."""
    used, elite = 0, I[ELITE]
    for rank in range(min(SETTLED, I[POPULATION])):
        individual = row(I, population, I[I[ORDER] + rank])
        if F[fitness_of(I, individual)] == math.inf:
            break
        copy_pose(I, F, individual, elite)
        met, fitness, spent = called_search(I, F, I[POLISH_AT], elite)
        used += spent
        if met or fitness <= best:
            best = fitness
            copy_pose(I, F, elite, q)
        if met:
            return True, best, used
    return False, best, used
