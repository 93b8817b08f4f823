"""Solving single poses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite
from ..goals.base import Goal
from ..goals.custom import give_back, lend
from ..kernels.arena import (
    CANCEL,
    EVALUATE_AT,
    LINEARISE_AT,
    POLISH_AT,
    PREFERENCES,
    PYTHON_GOALS,
    SEARCH_AT,
    SOLVE_AT,
    STATUS_SIZE,
    STOP,
)
from ..kernels.compiled import COMPILED, Floats, Ints
from ..kernels.together import compile_together
from ..kinematics.tree import KinematicTree
from ..search.evaluate import EVALUATE, LINEARISE
from ..search.frames import SOLVE, solve_single
from ..search.local import POLISH, SEARCH
from .problem import Problem, compile_problem, python_goals_of, stack_parameters
from .settings import Settings
from .solution import STOPS, Solution

DEFAULTS = Settings()


def solve_pose(
    tree: KinematicTree,
    goals: Sequence[Goal],
    seed: ArrayLike,
    settings: Settings | None = None,
) -> Solution:
    """Find joint values that meet the goals, near the pose `seed` where the goals leave a choice.

    Where the goals cannot all be met, the best compromise found is returned, with the goals that
    were missed marked in `reached`.
    """
    settings = settings or DEFAULTS
    problem = compile_problem(tree, goals)
    full = finite(seed, (tree.size,), "The seed")
    if not problem.whole:  # the kernel moves only the joints it gets into their limits
        full = np.minimum(np.maximum(full, tree.lower), tree.upper)
    workspace = prepared(problem, settings)
    I, F = workspace.borrow()
    I[PREFERENCES] = None in [goal.tolerance for goal in goals]
    places = problem.places
    F[places.parameters] = stack_parameters(goals)
    F[places.source] = F[places.pose] = full if problem.whole else full[problem.active]
    if problem.python_goals or settings.time_limit_ms is not None or not COMPILED:
        _solve_watched(problem, goals, settings, I, F)
    else:
        solve_single(I, F)
    found = F[places.error].tolist()
    values = F[places.pose].copy()
    ended, used, generations = I[STOP : STOP + STATUS_SIZE].tolist()
    fitness = float(F[places.fitness])
    workspace.give_back(I, F)
    return Solution(
        spread(problem, full, values),
        fitness,
        tuple([error * unit for error, unit in zip(found, problem.readable, strict=True)]),
        tuple([error <= goal.limit for error, goal in zip(found, goals, strict=True)]),
        used,
        generations,
        STOPS[ended],
    )


def _solve_watched(
    problem: Problem, goals: Sequence[Goal], settings: Settings, I: Ints, F: Floats
) -> None:
    """Solve where Python goals may be called or a time limit may end it."""

    def stop() -> None:
        I[CANCEL] = 1

    with lent_goals(problem, goals) as number, deadline(settings, stop), quiet_overflow():
        I[PYTHON_GOALS] = number
        solve_single(I, F)


def checked_pose(tree: KinematicTree, seed: ArrayLike) -> Floats:
    """A copy of the seed, inside the limits."""
    pose = finite(seed, (tree.size,), "The seed")
    return np.minimum(np.maximum(pose, tree.lower), tree.upper)


def spread(problem: Problem, full: Floats, values: Floats) -> Floats:
    """Values of the active joints among those of all joints."""
    if problem.whole:
        return values
    result = full.copy()
    result[..., problem.active] = values
    return result


class Workspace:
    """A problem's arena with settings in its header, and arrays of it that are free to use."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self.settings = settings
        self._arena = problem.arena.with_population(settings.population, settings.elites)
        settings.write(self._arena.ints)
        write_addresses(self._arena.ints)
        self._spare: list[tuple[Ints, Floats]] = []

    def borrow(self) -> tuple[Ints, Floats]:
        """`I` and `F` for one solve, not shared with others until returned."""
        try:
            return self._spare.pop()
        except IndexError:
            return self._arena.arrays()

    def give_back(self, I: Ints, F: Floats) -> None:
        """Let the next solve use the arrays; not after an error, which leaves them as they are."""
        I[CANCEL] = 0
        self._spare.append((I, F))


def prepared(problem: Problem, settings: Settings) -> Workspace:
    """The workspace for these settings; the last one is kept."""
    held = cast("Workspace | None", problem.held.get("workspace"))
    if held is None or held.settings is not settings:
        held = problem.held["workspace"] = Workspace(problem, settings)
    return held


# The longest to compile first.
CORE = {
    SOLVE_AT: SOLVE,
    LINEARISE_AT: LINEARISE,
    SEARCH_AT: SEARCH,
    EVALUATE_AT: EVALUATE,
    POLISH_AT: POLISH,
}


def write_addresses(I: Ints) -> None:
    """Enter the units into an arena's header."""
    compile_together(list(CORE.values()))
    for entry, unit in CORE.items():
        I[entry] = unit.address()


@contextmanager
def lent_goals(problem: Problem, goals: Sequence[Goal]) -> Iterator[int]:
    """The number under which the kernels can call the problem's Python goals during a solve."""
    if not problem.python_goals:
        yield 0
        return
    number = lend(problem.tree, python_goals_of(goals))
    try:
        yield number
    finally:
        give_back(number)


@contextmanager
def deadline(settings: Settings, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when the settings' time limit is over."""
    if settings.time_limit_ms is None:
        yield
        return

    timer = threading.Timer(settings.time_limit_ms / 1000.0, stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def quiet_overflow() -> Iterator[None]:
    """Let the random numbers wrap around silently where they run as plain Python."""
    if COMPILED:
        yield
        return
    with np.errstate(over="ignore"):
        yield
