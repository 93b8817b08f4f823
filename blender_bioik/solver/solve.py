"""Solving single poses."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from .arena import PREFERENCES, PYTHON_GOALS
from .checks import finite
from .compiled import COMPILED, Floats, Ints
from .errors import ShapeError
from .evaluate import write_addresses
from .frames import GENERATIONS, STOP, USED, solve_frames
from .goals.base import PARAMETER_COUNT, TOLERANCE, Goal
from .goals.custom import give_back, lend
from .problem import Problem, compile_problem, python_goals_of, stack_parameters
from .settings import STRATEGIES, Settings
from .solution import STOPS, Solution, reached_goals
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
    with lent_goals(problem, goals) as number, deadline(settings, control), quiet_overflow():
        I, F = filled_arena(problem, settings, parameters, number)
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
    table = parameters.reshape(len(goals), PARAMETER_COUNT)
    return Solution(
        values=values[0] if problem.whole else spread(problem, full, values[0]),
        fitness=float(fitness[0]),
        errors=tuple(
            [
                float(np.degrees(error)) if goal.unit == "rad" else error
                for error, goal in zip(errors[0].tolist(), goals, strict=True)
            ]
        ),
        reached=tuple(reached_goals(errors[0], table).tolist()),
        evaluations=int(status[0, USED]),
        iterations=int(status[0, GENERATIONS]),
        stop=STOPS[int(status[0, STOP])],
    )


def checked_pose(tree: KinematicTree, seed: ArrayLike) -> Floats:
    """The seed as an array; limits are applied where joints take part."""
    pose = np.array(seed, dtype=np.float64)
    if pose.shape != (tree.size,):
        raise ShapeError(
            f"The seed has the shape {pose.shape}, but the tree has {tree.size} joints."
        )
    if not np.isfinite(pose).all():
        finite(pose, pose.shape, "The seed")
    return np.minimum(np.maximum(pose, tree.lower), tree.upper)


def spread(problem: Problem, full: Floats, values: Floats) -> Floats:
    """Values of the active joints among those of all joints."""
    result = full.copy()
    result[..., problem.active] = values
    return result


def filled_arena(
    problem: Problem, settings: Settings, parameters: Floats, python_goals: int
) -> tuple[Ints, Floats]:
    """The arrays of one solve with the settings in the header."""
    I, F = problem.arena.arrays()
    settings.write(I)
    write_addresses(I)
    I[PREFERENCES] = (parameters[:, TOLERANCE::PARAMETER_COUNT] == np.inf).any()
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
