"""Obstacles under a swinging foot that lie between its sole points.

A kerb or a cable is narrower than a foot is long, and between two frames a foot moves by half its
length. So the ground is sampled along the whole sole, in each frame and halfway to the next, and
where it is higher than under the points at both ends, these are raised.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..contacts.contacts import runs
from ..feet import BALL, HEEL, TIP, Floats, Foot
from ..ground.underfoot import Underfoot
from ..tuning import BODY
from .plan import FootPlan, Plan
from .tuning import SWINGS

PARTS = ((HEEL, BALL), (BALL, TIP))


def find_bumps(plan: Plan, feet: Sequence[Foot], scale: float) -> Floats:
    """Heights that sole points stay above in their swings, -inf where there is none; (f, points).

    Ground that stays under a foot from the start or to the end of its swing is not an obstacle: the
    foot was or will be planted on it.
    """
    found = [
        _bumps_of(foot, wanted, plan.underfoot, scale)
        for foot, wanted in zip(feet, plan.feet, strict=True)
    ]
    return np.concatenate(found, axis=1)


def _bumps_of(foot: Foot, wanted: FootPlan, underfoot: Underfoot, scale: float) -> Floats:
    """The heights for one foot; (f, 3)."""
    swinging = ~np.asarray((wanted.height_lock > 0.0).any(axis=1))
    rows = np.flatnonzero(swinging)
    bumps = np.full((len(swinging), 3), -np.inf)
    shift = wanted.path - foot.points[:, BALL, :2]
    soles = foot.points[..., :2] + shift[:, None]
    for before in (0, -1, 1):
        beside = np.clip(rows + before, 0, len(soles) - 1)
        at = 0.5 * (soles[rows] + soles[beside])
        for one, other in PARTS:
            higher = _between(at[:, one], at[:, other], rows, underfoot, scale)
            for point in (one, other):
                bumps[rows, point] = np.maximum(bumps[rows, point], higher)
    return np.where(_passing(np.isfinite(bumps).any(axis=1), swinging)[:, None], bumps, -np.inf)


def _between(
    starts: Floats, ends: Floats, rows: NDArray[np.int64], underfoot: Underfoot, scale: float
) -> Floats:
    """Highest ground between places (n, 2), -inf if it is not higher than at both; (n,)."""
    longest = float(np.linalg.norm(ends - starts, axis=-1).max(initial=0.0))
    count = int(np.ceil(longest / (SWINGS.step * scale)))
    if count < 2:
        return np.full(len(rows), -np.inf)
    along = np.linspace(0.0, 1.0, count + 1)[:, None]
    places = starts[:, None] + along * (ends - starts)[:, None]
    heights = underfoot.at(places, rows[:, None]).height
    highest = heights.max(axis=1)
    known = np.maximum(heights[:, 0], heights[:, -1])
    return np.where(highest > known + BODY.edge * scale, highest, -np.inf)


def _passing(active: NDArray[np.bool_], swinging: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Active rows (f,) that do not last from or to a stance."""
    passing = np.zeros_like(active)
    for first, stop in runs(active):
        from_stand = first > 0 and not swinging[first - 1]
        to_stand = stop < len(active) and not swinging[stop]
        passing[first:stop] = not from_stand and not to_stand
    return passing
