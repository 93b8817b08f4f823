"""Promise 5: goals that no pose meets all of; evolution against random restarts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.report import Scale, Section, Table, digits, percent
from benchmarks.solver.ours import BATCH, Ours
from benchmarks.solver.robots import Bools, Floats, Robot, random_queries

ITEM = 5
ROBOT = "val35"
ENTROPY = (0xB10, 5)
BUDGET = 800
"""Evaluations for a query; an iteration of Levenberg-Marquardt is one evaluation."""
LARGEST_SHARE = 0.6
OFFSET_M = 0.3
TURN_RAD = 0.5
SPREAD = 0.5
"""Offsets and turns vary by this share around their size."""
LONG_BUDGET = 20_000
LONG_RUNS = 2
LONG_RESTARTS = 100
SAME = 1e-3
"""A fitness within this share of the best known counts as the best known."""


@dataclass(frozen=True)
class Found:
    """Fitness of the best pose found for each query, evaluations used, and whether it is met."""

    fitness: Floats
    evaluations: Floats
    met: Bools


def run(scale: Scale) -> Section:
    """Measure the regret of both."""
    section = Section("5. Conflicting goals (val35, perturbed targets)")
    robot = Robot.load(ROBOT)
    ours = Ours(robot)
    rng = np.random.default_rng(ENTROPY)
    drawn = scale.count(200, 30)
    queries = random_queries(robot, drawn, rng)
    targets = perturbed(queries.targets, rng)

    repeats = 1 if scale.quick else 3
    search = _Search(ours, targets, queries.seeds, rng)
    evolved = [search.evolve(BUDGET, seed=100 + k) for k in range(repeats)]
    restarted = [search.restart(BUDGET) for _ in range(repeats)]
    long_runs = [search.evolve(LONG_BUDGET, seed=200 + k) for k in range(LONG_RUNS)]
    long_runs.append(search.restart(LONG_RESTARTS * 100, LONG_RESTARTS))
    everything = evolved + restarted + long_runs
    best = np.min([found.fitness for found in everything], axis=0)
    conflict = ~np.any([found.met for found in everything], axis=0)

    table = Table(
        f"{int(conflict.sum())} queries, {repeats} runs each, {BUDGET} evaluations a run",
        (
            "method",
            "evaluations",
            "mean fitness",
            "mean regret",
            "its standard error",
            "finds the best known %",
        ),
    )
    section.tables.append(table)
    regrets = {}
    for name, runs in (("evolution", evolved), ("random restarts", restarted)):
        fitness = np.array([found.fitness[conflict] for found in runs])
        regret = fitness - best[conflict]
        regrets[name] = float(regret.mean())
        used = np.mean([found.evaluations[conflict].mean() for found in runs])
        error = regret.mean(axis=0).std() / np.sqrt(max(int(conflict.sum()), 1))
        same = np.mean(regret <= SAME * best[conflict])
        table.rows.append(
            (
                name,
                round(float(used)),
                digits(fitness.mean(), 4),
                digits(regrets[name]),
                digits(error),
                percent(same),
            )
        )
    table.rows.append(("best known", None, digits(best[conflict].mean(), 4), 0.0, None, 100.0))
    share = regrets["evolution"] / max(regrets["random restarts"], 1e-300)
    section.at_most(
        ITEM, "regret of evolution / regret of random restarts", digits(share), LARGEST_SHARE
    )
    if int(conflict.sum()) < 100:
        section.notes.append("**Fewer than 100 queries: the numbers say little.**")
    section.notes += [
        f"{drawn} reachable queries were drawn and every target moved by about {OFFSET_M} m and "
        f"turned by about {TURN_RAD} rad; {drawn - int(conflict.sum())} of them could still be "
        "met by some run and were left out.",
        "Regret: fitness (eq. 14) above the best known of that query, the best of all runs here, "
        f"{LONG_RUNS} evolutions of {LONG_BUDGET} evaluations and {LONG_RESTARTS} restarts.",
        "A restart is one solve with strategy 'local' (descent, then settling): the first from "
        "the seed that evolution starts from too, then from random poses until the evaluations "
        "are used up; the last one may finish.",
        "Settling takes most of a restart's evaluations. Restarts that only descend, and settle "
        "no more than their best few in the end, are a stronger opponent than these; the public "
        "interface has none.",
    ]
    return section


def perturbed(targets: Floats, rng: np.random.Generator) -> Floats:
    """Tip poses moved and turned in random directions."""
    shape = targets.shape[:2]

    def vectors(size: float) -> Floats:
        drawn = rng.standard_normal((*shape, 3))
        length = size * rng.uniform(1.0 - SPREAD, 1.0 + SPREAD, (*shape, 1))
        result: Floats = length * drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)
        return result

    moved = targets.copy()
    moved[..., :3, 3] += vectors(OFFSET_M)
    turns = Rotation.from_rotvec(vectors(TURN_RAD).reshape(-1, 3)).as_matrix()
    moved[..., :3, :3] = turns.reshape(*shape, 3, 3) @ targets[..., :3, :3]
    return moved


class _Search:
    """Both methods on the same queries, all queries in one call."""

    def __init__(
        self, ours: Ours, targets: Floats, seeds: Floats, rng: np.random.Generator
    ) -> None:
        self._ours = ours
        self._targets = targets
        self._seeds = seeds
        self._rng = rng

    def evolve(self, evaluations: int, seed: int) -> Found:
        """The default settings with a budget."""
        settings = replace(BATCH, evaluations=evaluations, seed=seed)
        found = self._ours.solve_batch(self._ours.tracks(self._targets), self._seeds, settings)
        return Found(found.fitness, found.evaluations.astype(np.float64), found.success)

    def restart(self, evaluations: int, most: int = 10_000) -> Found:
        """Local searches, the first from the seed and the others from random poses."""
        count = len(self._targets)
        settings = replace(BATCH, strategy="local")
        fitness, used = np.full(count, np.inf), np.zeros(count)
        met = np.zeros(count, dtype=bool)
        for attempt in range(most):
            left = np.flatnonzero((used < evaluations) & ~met)
            if not len(left):
                break
            starts = self._ours.robot.sample(count, self._rng) if attempt else self._seeds
            found = self._ours.solve_batch(
                self._ours.tracks(self._targets[left]), starts[left], settings
            )
            fitness[left] = np.minimum(fitness[left], found.fitness)
            used[left] += found.evaluations
            met[left] |= found.success
        return Found(fitness, used, met)
