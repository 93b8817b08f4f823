"""Placed feet whose meshes are out of the ground: they are solved, looked at, and solved again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import maximum_filter1d

from ...motion.contacts.contacts import is_upright
from ...motion.solve.mesh_lifts import mesh_lifts, remaining_depth
from ...motion.tuning import BODY
from ..reading import Cancel, Progress, parts_of
from ..transforms import Floats
from .feet_solution import FeetSolution
from .feet_then_goals import FeetThenGoals

# Meshes that are less deep are left as they are, metres for a character of 1.6 m: what counts as a
# fault is deeper.
LEAST = 0.004

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
    first, again = parts_of(progress, 2)
    best = problem.solve(first, cancelled)
    before = wanted = mesh_depth(best)
    least_too_deep = _too_deep(before, least)
    for _ in range(BODY.rounds):
        lifts = _lifts(problem, wanted, least)
        if not lifts.any():
            break
        solution = problem.lifted(lifts).solve(again, cancelled)
        depth = mesh_depth(solution)
        too_deep = _too_deep(depth, least)
        if too_deep < least_too_deep:
            best, least_too_deep = solution, too_deep
        if too_deep == 0.0:
            break
        more = remaining_depth(before, depth, least)
        if np.array_equal(more, wanted):
            break
        wanted = more
    return best


def _too_deep(depth: Floats, least: float) -> float:
    """How much deeper than allowed meshes are, over all frames, metres."""
    return float(np.maximum(0.0, depth - least).sum())


def _lifts(problem: FeetThenGoals, depth: Floats, least: float) -> Floats:
    """Lifts (f, feet) for depths of meshes (f, feet); a loop's continue at its other end."""
    feet = problem.feet
    # Who lies has feet on their sides: lifting them would pull the legs up.
    upright = np.stack([is_upright(foot) for foot in feet.feet], axis=1)
    around = 2 * round(BODY.step_seconds * feet.source.rate) + 1
    depth = np.where(maximum_filter1d(upright, around, axis=0), depth, 0.0)
    if feet.loop is None:
        return mesh_lifts(depth, least, feet.source.rate)
    rows = feet.loop.rows
    return feet.loop.own_rows(mesh_lifts(depth[rows], least, feet.source.rate))
