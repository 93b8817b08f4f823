"""Several distinct poses for the same goals, to choose from (section IV-H)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from .clips.clip import solve_clip
from .clips.tracks import Track, goal_of
from .errors import SettingsError
from .goals.base import Goal
from .kernels.compiled import Floats, Ints
from .kinematics.tree import KinematicTree
from .poses.problem import compile_problem
from .poses.settings import Settings
from .poses.solution import ClipSolution, Solution
from .poses.solve import DEFAULTS, checked_pose

# Niches searched for each requested pose.
STARTS = 8
# Poses are distinct if a joint differs by at least this much, radians or metres.
APART = 0.35


def find_poses(
    tree: KinematicTree,
    goals: Sequence[Goal | Track],
    seed: ArrayLike,
    count: int,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> list[Solution]:
    """Up to `count` distinct poses that meet the goals, the best first.

    Each is the fittest of its niche. Poses that reach every goal come before those that do not,
    fitter ones before others and, among those that reach all, the ones nearest to the seed first.
    The pose that `solve_pose` would give is always among them. Goals may be tracks of one frame.
    `progress(done, total)` and `cancel()` are those of `solve_clip`; the search from the seed
    counts as one of the total. The result of a cancelled search is meaningless.
    """
    if count < 1:
        raise SettingsError(f"The number of poses must be at least 1, not {count}.")
    settings = settings or DEFAULTS
    start = checked_pose(tree, seed)
    nearest = _solution(solve_clip(tree, goals, start[None], settings, cancel=cancel), 0)
    plain = [goal_of(goal) for goal in goals]
    active = compile_problem(tree, plain).active
    starts = _starts(tree, start, active, STARTS * count, settings.seed)
    everywhere = [_repeated(goal, len(starts)) for goal in goals]
    settings = replace(settings, warm_start="source")
    found = solve_clip(tree, everywhere, starts, settings, _after_one(progress), cancel)
    candidates = [_solution(found, k) for k in range(len(starts))]
    candidates.sort(key=lambda solution: _rank(solution, start))
    chosen = [nearest]
    for candidate in candidates:
        if len(chosen) == count:
            break
        if all(_apart(candidate, other) for other in chosen):
            chosen.append(candidate)
    return sorted(chosen, key=lambda solution: _rank(solution, start))


def _after_one(
    progress: Callable[[int, int], None] | None,
) -> Callable[[int, int], None] | None:
    """Progress of further searches, after the one from the seed."""
    return progress and (lambda done, total: progress(done + 1, total + 1))


def _starts(
    tree: KinematicTree, seed: Floats, active: Ints, count: int, random_seed: int
) -> Floats:
    """Random poses (eq. 16): in the limits, or within a turn or a metre where there are none.

    Joints that no goal moves stay as they are.
    """
    half = np.where(tree.prismatic == 1, 1.0, np.pi)
    low, high = np.maximum(tree.lower, seed - half), np.minimum(tree.upper, seed + half)
    random = np.random.default_rng([random_seed, 1])
    starts = np.tile(seed, (count, 1))
    starts[:, active] = (low + (high - low) * random.random((count, tree.size)))[:, active]
    return starts


def _repeated(goal: Goal | Track, count: int) -> Goal | Track:
    """A goal of one frame for many of them."""
    if not isinstance(goal, Track):
        return goal
    return Track(goal.goal, {name: np.repeat(v, count, axis=0) for name, v in goal.fields.items()})


def _solution(clip: ClipSolution, k: int) -> Solution:
    return Solution(
        values=clip.values[k],
        fitness=float(clip.fitness[k]),
        errors=tuple(clip.errors[k].tolist()),
        reached=tuple(clip.reached[k].tolist()),
        evaluations=int(clip.evaluations[k]),
        iterations=int(clip.iterations[k]),
        stop=clip.stops[k],
    )


def _rank(solution: Solution, seed: Floats) -> tuple[bool, float, float]:
    """Sorting key: reached first; then by fitness where it matters; then by distance."""
    distance = float(np.abs(solution.values - seed).sum())
    return (not solution.success, 0.0 if solution.success else solution.fitness, distance)


def _apart(a: Solution, b: Solution) -> bool:
    return bool(np.abs(a.values - b.values).max(initial=0.0) >= APART)
