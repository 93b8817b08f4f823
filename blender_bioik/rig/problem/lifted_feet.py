"""Placed feet whose meshes are out of the ground: they are solved, looked at, and solved again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from ...findings import CLIMB
from ...motion.contacts.contacts import is_upright, runs
from ...motion.plan.plan import Plan
from ...motion.solve.mesh_lifts import mesh_lifts, remaining_depth
from ...motion.tuning import BODY
from ..reading import Cancel, Progress, parts_of
from ..transforms import Floats
from .feet_solution import FeetSolution
from .feet_then_goals import FeetThenGoals

# Meshes that are less deep are left as they are, metres for a character of 1.6 m: what counts as a
# fault is deeper.
LEAST = 0.004
# A goal of the user that is missed by so much more is spoiled, metres or radians.
SPOILED = 0.001
# Solving again is shown as one of so many parts of the work.
AGAIN = 10

MeshDepth = Callable[[FeetSolution], Floats]


def solve_lifted(
    problem: FeetThenGoals,
    mesh_depth: MeshDepth,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> FeetSolution:
    """Place feet, and again with lifts while that brings their meshes out of the ground.

    Args:
        problem: What to solve.
        mesh_depth: How deep the mesh of each foot is in the ground in a solution, metres; (f,
            feet).
        progress: Called with the work done and the total work.
        cancelled: Called regularly; true to stop.

    Raises:
        RigError: There is no ground under the character, or the solver cannot solve it.
        Cancelled: `cancelled` returned true.
    """
    least = LEAST * problem.feet.scale
    best = first = problem.solve(progress, cancelled)
    before = wanted = mesh_depth(first)
    least_too_deep = _too_deep(before, least)
    # Few clips are solved again, and their progress has been told.
    *_, again = parts_of(progress, AGAIN)
    for _ in range(BODY.rounds):
        lifts = _lifts(problem, first.plan, wanted, least)
        if not lifts.any():
            break
        solution = problem.lifted(lifts).solve(again, cancelled)
        depth, spoiled = mesh_depth(solution), _spoiled(problem, first, solution)
        too_deep = _too_deep(depth, least)
        if too_deep < least_too_deep and not spoiled.any():
            best, least_too_deep = solution, too_deep
            if too_deep == 0.0:
                break
        more = np.where(spoiled[:, None], 0.0, remaining_depth(before, depth, least))
        if np.array_equal(more, wanted):
            break
        wanted = more
    return best


def _spoiled(
    problem: FeetThenGoals, first: FeetSolution, lifted: FeetSolution
) -> NDArray[np.bool_]:
    """Rows around those in which lifts keep the user's goals from being met; (f,)."""
    worse = lifted.placed.errors > first.placed.errors + SPOILED
    return _around(problem, np.asarray(worse.any(axis=1)))


def _around(problem: FeetThenGoals, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows (f, ...) and those within a step of them."""
    around = 2 * round(BODY.step_seconds * problem.feet.source.rate) + 1
    return np.asarray(maximum_filter1d(rows, around, axis=0))


def _too_deep(depth: Floats, least: float) -> float:
    """How much deeper than allowed meshes are, over all frames, metres."""
    return float(np.maximum(0.0, depth - least).sum())


def _lifts(problem: FeetThenGoals, plan: Plan, depth: Floats, least: float) -> Floats:
    """Lifts (f, feet) for depths of meshes (f, feet); a loop's continue at its other end.

    Feet pass rungs closely: lifts there would keep them from landing in time.
    """
    feet, depth = problem.feet, depth.copy()
    # Landing and leaving, a foot may be on its way for as long as it rolls at both ends.
    rolls = round(2.0 * BODY.roll_share * BODY.step_seconds * feet.source.rate)
    climbs = _climbs(plan, len(depth))
    for number, wanted in enumerate(plan.feet):
        for first, stop in runs(wanted.height_lock.max(axis=1) == 0.0):
            if climbs[max(0, first - 1) : stop + 1].any():
                depth[max(0, first - rolls) : stop + rolls, number] = 0.0
    # Who lies has feet on their sides: lifting them would pull the legs up.
    upright = np.stack([is_upright(foot) for foot in feet.feet], axis=1)
    depth = np.where(_around(problem, upright), depth, 0.0)
    if feet.loop is None:
        return mesh_lifts(depth, least, feet.source.rate)
    rows = feet.loop.rows
    return feet.loop.own_rows(mesh_lifts(depth[rows], least, feet.source.rate))


def _climbs(plan: Plan, frames: int) -> NDArray[np.bool_]:
    """Rows in which the clip climbs; (f,)."""
    found = np.zeros(frames, bool)
    for finding in plan.findings:
        if finding.kind == CLIMB and finding.row is not None:
            found[finding.row : (finding.last or finding.row) + 1] = True
    return found
