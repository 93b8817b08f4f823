"""Feet that slide, on purpose or because their clip is animated in place: the surface they follow.

A sliding foot cannot follow every edge of the ground below it. It follows the lowest path above the
ground that bends no more than an arc of a given radius: over a stair's edge it comes down in a
curve, and nothing from its heel to its tip penetrates the ground. As with planted feet, its sides
may, where the ground leans more than an ankle can.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import uniform_filter1d
from scipy.optimize import linprog
from scipy.sparse import diags_array, vstack

from ..contacts.tuning import CONTACTS
from ..feet import Floats, Ints
from ..ground.underfoot import Underfoot
from .footprint import Footprint
from .sole_fit import Followed, fit_sole
from .tuning import SOLES


def glide(
    footprint: Footprint,
    ball: Floats,
    rows: Ints,
    underfoot: Underfoot,
    rate: float,
    scale: float,
    followed: Followed,
) -> tuple[Floats, Floats]:
    """Places (rows, 3) of a sliding ball, without its clearance, and slopes (rows, 2) of its foot.

    Args:
        footprint: The foot.
        ball: The ball's places in plan view; (rows, 2).
        rows: The frames.
        underfoot: The ground.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        followed: Share of the ground's rises that the foot follows.
    """
    slope = fit_sole(footprint, ball, rows, underfoot, scale, followed).slope
    around = 2 * round(SOLES.slide_seconds * rate) + 1
    slope = uniform_filter1d(slope, around, axis=0, mode="nearest")
    offsets = footprint.sole()
    ground = underfoot.at(ball[:, None] + offsets, rows[:, None]).height
    least = (ground - slope @ offsets.T).max(axis=1)
    way = np.linalg.norm(np.diff(ball, axis=0), axis=-1)
    pace = max(float(way.mean()) if len(way) else 0.0, CONTACTS.noise_speed * scale / rate)
    # On a plane, bends come from the foot's speed only, not from the ground.
    plane = _plane(ball, least)
    height = plane + lowest_above(least - plane, pace**2 / (SOLES.slide_radius * scale))
    return np.concatenate([ball, height[:, None]], axis=-1), slope


def _plane(places: Floats, heights: Floats) -> Floats:
    """Heights (rows,) of the plane that is closest to heights (rows,) at places (rows, 2)."""
    spread = np.concatenate([places - places.mean(axis=0), np.ones((len(places), 1))], axis=1)
    return np.asarray(spread @ np.linalg.lstsq(spread, heights, rcond=None)[0])


def lowest_above(heights: Floats, most: float) -> Floats:
    """The lowest values (rows,) above some heights (rows,) with bounded second differences.

    Args:
        heights: Lower bounds of the values.
        most: The largest second difference from row to row.
    """
    count = len(heights)
    if count < 3 or np.abs(np.diff(heights, n=2)).max() <= most:
        return heights
    bends = diags_array([1.0, -2.0, 1.0], offsets=[0, 1, 2], shape=(count - 2, count))
    # In units of the bend: the solver's tolerances are absolute.
    above = (heights - heights.min()) / most
    found = linprog(
        np.ones(count),
        A_ub=vstack([bends, -bends]).tocsr(),
        b_ub=np.ones(2 * (count - 2)),
        bounds=np.stack([above, np.full(count, above.max())], axis=-1),
        method="highs",
    )
    return np.asarray(heights.min() + most * np.maximum(found.x, above))
