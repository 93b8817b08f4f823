"""How a flat sole rests on the ground around a planted ball: its slope, and ground poking into it.

Of uneven ground a sole touches only the highest places. The slope therefore rests on these, instead
of averaging all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..feet import Floats, Ints
from ..ground.underfoot import Underfoot
from ..tuning import BODY
from .footprint import Footprint
from .tuning import SOLES

# How much of a rise (over a length) from the ball on a foot goes along with.
Followed = Callable[[Floats, Floats], Floats]


class SoleFit(NamedTuple):
    """Soles on the ground.

    Attributes:
        slope: dz/dx and dz/dy of each; (n, 2).
        poke: How far the ground rises above it if the ball is on the ground, metres; (n,).
    """

    slope: Floats
    poke: Floats


def fit_sole(
    footprint: Footprint,
    places: Floats,
    rows: Ints,
    underfoot: Underfoot,
    scale: float,
    followed: Followed,
) -> SoleFit:
    """Lay a sole on the ground.

    Args:
        footprint: The foot.
        places: Its ball; (n, 2).
        rows: The frames; (n,).
        underfoot: The ground.
        scale: Size of the character relative to one of 1.6 m.
        followed: Share of the ground's rises that the foot follows.
    """
    offsets = footprint.area(BODY.half_width * scale)
    points = places[:, None] + np.concatenate([[[0.0, 0.0]], offsets])
    heights = underfoot.at(points, rows[:, None]).height
    rises = followed(heights[:, 1:] - heights[:, :1], np.linalg.norm(offsets, axis=-1))
    weights = np.ones_like(rises)
    for _ in range(BODY.rounds):
        slope = _leaning(_plane(offsets, rises, weights), footprint.across(BODY.half_width * scale))
        off = rises - slope @ offsets.T
        weights = np.where(off > 0.0, SOLES.poking, 1.0)
    return SoleFit(slope, off.max(axis=1, initial=0.0))


def _plane(offsets: Floats, rises: Floats, weights: Floats) -> Floats:
    """Slopes (n, 2) of planes through the ball nearest to rises (n, m) at offsets (m, 2)."""
    spread = np.einsum("nm,ma,mb->nab", weights, offsets, offsets)
    pull = np.einsum("nm,ma->na", weights * rises, offsets)
    return np.asarray(np.linalg.solve(spread, pull[..., None])[..., 0])


def _leaning(slopes: Floats, across: Floats) -> Floats:
    """Slopes (n, 2) with sideways lean limited to what an ankle allows."""
    lean = slopes @ across
    return np.asarray(slopes + np.outer(np.clip(lean, -SOLES.lean, SOLES.lean) - lean, across))
