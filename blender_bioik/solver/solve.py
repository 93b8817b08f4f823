"""Solving single poses."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from .arena import (
    CANCEL,
    EVALUATE_AT,
    LINEARISE_AT,
    POLISH_AT,
    PREFERENCES,
    PYTHON_GOALS,
    SEARCH_AT,
    SOLVE_AT,
    STOP,
)
from .checks import finite
from .compiled import COMPILED, Floats, Ints
from .evaluate import EVALUATE, LINEARISE
from .frames import SOLVE, solve_single
from .goals.base import Goal
from .goals.custom import give_back, lend
from .local import POLISH, SEARCH
from .problem import Problem, compile_problem, python_goals_of, stack_parameters
from .settings import Settings
from .solution import STOPS, Solution
from .tree import KinematicTree

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
    full = checked_pose(tree, seed)
    preferences = None in [goal.tolerance for goal in goals]
    I, F = filled_arena(problem, settings, preferences)
    places = problem.places
    F[places.parameters] = stack_parameters(goals)
    F[places.source] = F[places.pose] = full if problem.whole else full[problem.active]
    if problem.python_goals or settings.time_limit_ms is not None or not COMPILED:

        def stop() -> None:
            I[CANCEL] = 1

        with lent_goals(problem, goals) as number, deadline(settings, stop), quiet_overflow():
            I[PYTHON_GOALS] = number
            solve_single(I, F)
    else:
        solve_single(I, F)
    found = F[places.error].tolist()
    ended, used, generations = I[STOP : STOP + 3].tolist()
    values = F[places.pose].copy()
    return Solution(
        values=values if problem.whole else spread(problem, full, values),
        fitness=float(F[places.fitness]),
        errors=tuple(
            [
                math.degrees(error) if angle else error
                for error, angle in zip(found, problem.angles, strict=True)
            ]
        ),
        reached=tuple(
            [
                goal.tolerance is None or error <= goal.tolerance or goal.weight == 0.0
                for error, goal in zip(found, goals, strict=True)
            ]
        ),
        evaluations=used,
        iterations=generations,
        stop=STOPS[ended],
    )


def checked_pose(tree: KinematicTree, seed: ArrayLike) -> Floats:
    """The seed as an array of its own, inside the limits."""
    pose = finite(seed, (tree.size,), "The seed")
    return np.minimum(np.maximum(pose, tree.lower), tree.upper)


def spread(problem: Problem, full: Floats, values: Floats) -> Floats:
    """Values of the active joints among those of all joints."""
    result = full.copy()
    result[..., problem.active] = values
    return result


def filled_arena(problem: Problem, settings: Settings, preferences: bool) -> tuple[Ints, Floats]:
    """The arrays of one solve with the settings in the header."""
    held = problem.held.get("arena")
    if held is None or held[0] is not settings:
        arena = problem.arena.with_population(settings.population, settings.elites)
        settings.write(arena.ints)
        write_addresses(arena.ints)
        held = problem.held["arena"] = settings, arena
    I, F = held[1].arrays()
    I[PREFERENCES] = preferences
    return I, F


def write_addresses(I: Ints) -> None:
    """Enter the units into an arena's header."""
    I[EVALUATE_AT] = EVALUATE.address()
    I[LINEARISE_AT] = LINEARISE.address()
    I[SEARCH_AT] = SEARCH.address()
    I[POLISH_AT] = POLISH.address()
    I[SOLVE_AT] = SOLVE.address()


@contextmanager
def lent_goals(problem: Problem, goals: Sequence[Goal]) -> Iterator[int]:
    """The number under which the kernels can call the problem's Python goals meanwhile."""
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
