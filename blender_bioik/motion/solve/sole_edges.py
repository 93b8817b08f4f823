"""Edges of the ground between the points of a sole.

Points see only the ground below them. The nose of a stair between two of them may still penetrate
the sole of a swinging foot. Both are then raised by the depth of the penetration.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..feet import BALL, HEEL, TIP, Floats, Ints
from ..ground.underfoot import Ground, Underfoot
from ..plan.tuning import FOOTSTEPS, SOLES

# Points at the sides of a sole from heel to tip, as they are in `feet.RIM`, of one side.
SIDE = (0, 6, 2, 4)
SIDES = 2


def sole_parts(rims: Sequence[int]) -> Ints:
    """Pairs (n, 2) of points with a straight part of a sole between them.

    Args:
        rims: Number of points at the sides of each foot: as many as in `feet.RIM`, or none. Points
            are numbered as `SoleGround` does: heel, ball and tip of each foot, then all sides.
    """
    pairs: list[tuple[int, int]] = []
    beside = 3 * len(rims)
    for foot, count in enumerate(rims):
        lines = [[3 * foot + point for point in (HEEL, BALL, TIP)]]
        if count:
            sides = [[beside + point + side for point in SIDE] for side in range(SIDES)]
            lines += [*sides, *(list(across) for across in zip(*sides, strict=True))]
        pairs += [pair for line in lines for pair in pairwise(line)]
        beside += count
    return np.array(pairs, int).reshape(-1, 2)


def depth_between(
    parts: Ints, bottoms: Floats, rows: Ints, ground: Ground, underfoot: Underfoot, scale: float
) -> Floats:
    """Largest penetration of the ground into a sole between its points, metres; (f, points).

    Args:
        parts: Which points are neighbours; (n, 2).
        bottoms: Places of the sole at all points; (f, points, 3).
        rows: The frames; (f,).
        ground: The ground under the points.
        underfoot: The ground everywhere.
        scale: Size of the character relative to one of 1.6 m.
    """
    found = np.zeros(bottoms.shape[:2])
    row, part = np.nonzero(_uneven(parts, bottoms, ground) > SOLES.even * scale)
    one, other = parts[part].T
    share = np.linspace(0.0, 1.0, FOOTSTEPS.sole_parts + 2)[1:-1, None]
    start, end = bottoms[row, one][:, None], bottoms[row, other][:, None]
    places = start + share * (end - start)
    heights = underfoot.at(places, rows[row][:, None]).height
    depth = (heights - places[..., 2]).max(axis=1, initial=0.0)
    for point in (one, other):
        np.maximum.at(found, (row, point), depth)
    return found


def _uneven(parts: Ints, bottoms: Floats, ground: Ground) -> Floats:
    """Distance of the ground at each end of parts from its plane at the other end; (f, parts)."""
    off = np.zeros((len(bottoms), len(parts)))
    for one, other in (parts.T, parts.T[::-1]):
        away = bottoms[:, other, :2] - bottoms[:, one, :2]
        expected = ground.height[:, one] + (ground.slope[:, one] * away).sum(axis=-1)
        off = np.maximum(off, np.abs(ground.height[:, other] - expected))
    return off
