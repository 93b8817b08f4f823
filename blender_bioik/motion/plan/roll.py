"""How a foot rolls where the ground below its sole is lower than the sole's plane.

A foot that lands on its heel or leaves over its tip rolls on that part. On a crest, or over an
edge, the ground there is lower: the foot comes down until something of its sole touches.
"""

from __future__ import annotations

import numpy as np

from ..feet import BALL, HEEL, TIP, Floats, Foot
from ..ground.underfoot import Underfoot
from .footprint import Footprint


def sole_gap(
    print_: Footprint, place: Floats, slope: Floats, row: int, underfoot: Underfoot
) -> Floats:
    """Height of a sole's plane over the ground, from its heel to its tip, metres; (n,).

    Args:
        print_: The foot.
        place: Its ball on the plane; (3,).
        slope: dz/dx and dz/dy of the plane; (2,).
        row: The frame.
        underfoot: The ground.
    """
    sole = print_.sole()
    ground = underfoot.at(place[:2] + sole, np.array(row)).height
    return np.asarray((place[2] + sole @ slope - ground).clip(0.0))


def roll_drop(foot: Foot, rows: slice, begins: bool, ends: bool, gap: Floats) -> Floats:
    """How much lower a foot is in a stance than if it rolled on a plane, metres; (rows,).

    Args:
        foot: The foot of the source.
        rows: The stance.
        begins: Whether it lands in the first row; if not, it is planted already.
        ends: Whether it leaves in the last one.
        gap: See `sole_gap`.
    """
    bottoms = foot.points[rows, :, 2] - foot.clearance
    bottoms = (bottoms - bottoms[:, BALL].min()).clip(0.0)
    half = len(gap) // 2
    share = np.linspace(0.0, 1.0, half + 1)
    behind = bottoms[:, [HEEL]] + share * (bottoms[:, [BALL]] - bottoms[:, [HEEL]])
    ahead = bottoms[:, [BALL]] + share * (bottoms[:, [TIP]] - bottoms[:, [BALL]])
    sole = np.concatenate([behind, ahead[:, 1:]], axis=1)
    drop = (sole + gap).min(axis=1) - sole.min(axis=1)
    flat = int(bottoms[:, BALL].argmin())
    if not begins:
        drop[:flat] = 0.0
    if not ends:
        drop[flat:] = 0.0
    return np.asarray(drop)
