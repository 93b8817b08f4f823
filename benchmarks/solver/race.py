"""Timing several solvers on the same queries, in turns.

The clock speed of a virtual machine may change by a factor of two within minutes. The solvers
therefore take turns on small blocks of queries, in an order that changes every round, and only
ratios between times from the same round are compared.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from benchmarks.solver.ours import Ours, part
from benchmarks.solver.rivals import Rival, all_rivals
from benchmarks.solver.robots import Bools, Floats, Queries, Robot, judge

WARM_UP = 20
"""Queries every solver solves before the clock starts."""
BATCHED = "ours, batch"
SINGLE = "ours, solve_pose"


@dataclass(frozen=True)
class Contender:
    """A solver in a race: `solve(first, last)` answers the queries first to last - 1."""

    name: str
    queries: int
    solve: Callable[[int, int], Floats]


@dataclass(frozen=True)
class Result:
    """Times `[rounds, blocks]` in seconds and answers `[rounds, queries, n]` of a contender."""

    seconds: Floats
    answers: Floats

    @property
    def queries(self) -> int:
        """Number of queries."""
        return self.answers.shape[1]

    @property
    def mean(self) -> float:
        """Seconds for a query: the mean over queries, each block with its median over rounds."""
        return float(np.median(self.seconds, axis=0).sum() / self.queries)

    def success(self, robot: Robot, queries: Queries) -> float:
        """Share of the queries that the judge finds solved, over all rounds."""
        asked = part(queries, 0, self.queries)
        return float(np.mean([judge(robot, asked, answers) for answers in self.answers]))


def ratio(first: Result, second: Result) -> float:
    """Time of one contender over another's on the blocks of queries both had.

    Each block counts with its median over the rounds, which a disturbance by another process
    does not move.
    """
    blocks = min(first.seconds.shape[1], second.seconds.shape[1])
    times = [np.median(each.seconds[:, :blocks], axis=0).sum() for each in (first, second)]
    return float(times[0] / times[1])


def race(contenders: Sequence[Contender], block: int, rounds: int) -> dict[str, Result]:
    """Let all contenders solve their queries in turns; the number of queries fits the blocks."""
    for contender in contenders:
        if contender.queries % block:
            raise ValueError(f"{contender.name}: {contender.queries} queries, blocks of {block}.")
        contender.solve(0, min(WARM_UP, contender.queries))
    most = max(contender.queries for contender in contenders) // block
    seconds = [np.zeros((rounds, c.queries // block)) for c in contenders]
    answers: list[list[Floats]] = [[] for _ in contenders]
    with undisturbed():
        for number in range(rounds):
            for b in range(most):
                for turn in range(len(contenders)):
                    k = (turn + b + number) % len(contenders)
                    if b >= seconds[k].shape[1]:
                        continue
                    start = time.perf_counter()
                    found = contenders[k].solve(b * block, (b + 1) * block)
                    seconds[k][number, b] = time.perf_counter() - start
                    answers[k].append(found)
    return {
        contender.name: Result(times, np.stack(found).reshape(rounds, contender.queries, -1))
        for contender, times, found in zip(contenders, seconds, answers, strict=True)
    }


def our_contenders(ours: Ours, queries: Queries, block: int) -> list[Contender]:
    """Our solver with one compiled call for a block, and with one Python call for a query."""
    count = len(queries)
    goals = ours.goals(queries.targets)
    tracks = {
        (first, last): ours.tracks(queries.targets[first:last])
        for first, last in [(0, min(WARM_UP, count))]
        + [(first, first + block) for first in range(0, count, block)]
    }

    def batch(first: int, last: int) -> Floats:
        return ours.solve_batch(tracks[first, last], queries.seeds[first:last]).values

    def single(first: int, last: int) -> Floats:
        return np.array(
            [ours.solve_one(goals[i], queries.seeds[i]).values for i in range(first, last)]
        )

    return [Contender(BATCHED, count, batch), Contender(SINGLE, count, single)]


def rival_contender(
    rival: Rival, robot: Robot, queries: Queries, count: int, deadline_s: float
) -> Contender:
    """A rival that is called once for a query."""
    rival.prepare(robot)
    missing = np.full(robot.dof, np.nan)

    def solve(first: int, last: int) -> Floats:
        found = [
            rival.solve(queries.targets[i], queries.seeds[i], deadline_s)
            for i in range(first, last)
        ]
        return np.array([missing if q is None else q for q in found])

    return Contender(rival.name, count, solve)


def rival_named(name: str) -> tuple[Rival, str | None]:
    """A rival and, if it cannot run here, why."""
    rival = next(rival for rival in all_rivals() if rival.name == name)
    return rival, rival.available()


def one_by_one(solve: Callable[[int], Floats], count: int, dof: int) -> tuple[Floats, Floats]:
    """Solve queries one by one: seconds of each and their answers."""
    seconds, answers = np.zeros(count), np.zeros((count, dof))
    for i in range(min(WARM_UP, count)):
        solve(i)
    with undisturbed():
        for i in range(count):
            start = time.perf_counter()
            found = solve(i)
            seconds[i] = time.perf_counter() - start
            answers[i] = found
    return seconds, answers


def batch_success(ours: Ours, queries: Queries) -> tuple[Bools, float]:
    """Which of all queries a batch solves, and its mean seconds for a query."""
    tracks = ours.tracks(queries.targets)
    ours.solve_batch(ours.tracks(queries.targets[:WARM_UP]), queries.seeds[:WARM_UP])
    with undisturbed():
        start = time.perf_counter()
        found = ours.solve_batch(tracks, queries.seeds)
        seconds = time.perf_counter() - start
    return judge(ours.robot, queries, found.values), seconds / len(queries)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep Python's garbage collection out of the timing."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
