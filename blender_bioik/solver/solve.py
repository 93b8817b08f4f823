"""Solving single poses."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from .arena import PREFERENCES, PYTHON_GOALS
from .checks import finite
from .compiled import COMPILED, Floats, Ints
from .evaluate import write_addresses
from .frames import solve_frames
from .goals.base import Goal
from .goals.custom import give_back, lend
from .local import write_search_addresses
from .problem import Problem, compile_problem, python_goals_of, stack_parameters
from .settings import STRATEGIES, Settings
from .solution import STOPS, Solution
from .tree import KinematicTree

DEFAULTS = Settings()
NOTHING_BEFORE = np.empty((0, 0))


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
    parameters = stack_parameters(goals)
    source = full[None] if problem.whole else full[None, problem.active]
    values, errors = np.empty(source.shape), np.empty((1, len(goals)))
    fitness, status = np.empty(1), np.empty((1, 3), np.int64)
    control = np.zeros(2, np.int64)
    preferences = None in [goal.tolerance for goal in goals]

    def solve(number: int) -> None:
        I, F = filled_arena(problem, settings, preferences, number)
        solve_frames(
            I,
            F,
            parameters,
            problem.rest,
            source,
            NOTHING_BEFORE,
            0,
            1,
            0,
            False,
            STRATEGIES[settings.strategy],
            settings.seed,
            control,
            1,
            values,
            errors,
            fitness,
            status,
        )

    if problem.python_goals or settings.time_limit_ms is not None or not COMPILED:
        with lent_goals(problem, goals) as number, deadline(settings, control), quiet_overflow():
            solve(number)
    else:
        solve(0)
    found = errors[0].tolist()
    stop, used, generations = status[0].tolist()
    return Solution(
        values=values[0] if problem.whole else spread(problem, full, values[0]),
        fitness=float(fitness[0]),
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
        stop=STOPS[stop],
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


def filled_arena(
    problem: Problem, settings: Settings, preferences: bool, python_goals: int
) -> tuple[Ints, Floats]:
    """The arrays of one solve with the settings in the header."""
    if problem.prepared.get("settings") is not settings:
        settings.write(problem.arena.ints)
        write_addresses(problem.arena.ints)
        write_search_addresses(problem.arena.ints)
        problem.prepared["settings"] = settings
    I, F = problem.arena.arrays()
    I[PREFERENCES] = preferences
    I[PYTHON_GOALS] = python_goals
    return I, F


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
def deadline(settings: Settings, control: Ints) -> Iterator[None]:
    """Raise the cancel flag when the settings' time limit is over."""
    if settings.time_limit_ms is None:
        yield
        return

    def stop() -> None:
        control[0] = 1

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
