"""The calmest way over obstacles: a curve with the least jerk above some heights."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.linalg import cholesky, solve_triangular
from scipy.ndimage import maximum_filter1d
from scipy.optimize import nnls

from .feet import Floats

# Curves are found at so many places, with smooth ones between: more only cost time.
PLACES = 40
# Third differences of a curve that begins at rest reach over so many places before it.
BEFORE = 3


def calmest_above(least: Floats, jerk: float, begins: bool = True, ends: bool = True) -> Floats:
    """The values (n,) with the smallest third differences that are nowhere below some others.

    At an end where nothing is known they are as if they came to rest as long after the last value
    that is asked for as they rest before it.

    Args:
        least: Lower bounds; (n,). Close to rest they are met as far as `jerk` allows.
        jerk: The largest third difference there.
        begins: Whether the values are zero, at rest, before the first of them.
        ends: Whether they are after the last.
    """
    if not begins:
        return calmest_above(least[::-1], jerk, ends, False)[::-1] if ends else 0.0 * least
    wanted = np.minimum(least, _reached(len(least), jerk, ends))
    asked = np.flatnonzero(wanted > 0.0)
    if not len(asked):
        return np.zeros(len(least))
    if ends:
        return _between_rests(wanted)
    count = 2 * (int(asked[-1]) + 1)
    bounds, found = np.zeros(count), np.zeros(len(least))
    both = min(count, len(least))
    bounds[:both] = wanted[:both]
    found[:both] = _between_rests(bounds)[:both]
    return found


def _between_rests(wanted: Floats) -> Floats:
    """The same between two rests."""
    count = len(wanted)
    step = -(-count // PLACES)
    if step == 1:
        return _at_places(wanted)
    around = maximum_filter1d(wanted, 2 * step - 1, mode="constant")
    places = np.arange(-BEFORE * step, count + step * (1 + BEFORE), step)
    inside = (places >= 0) & (places < count)
    found = np.zeros(len(places))
    found[inside] = _at_places(around[places[inside]])
    return np.asarray(make_interp_spline(places, found, k=5)(np.arange(count)))


def _reached(count: int, jerk: float, ends: bool) -> Floats:
    """How far one gets from rest, at either end if it also ends so; (n,)."""
    gone = np.arange(1, count + 1)
    way = jerk * gone * (gone + 1) * (gone + 2) / 6.0
    return np.minimum(way, way[::-1]) if ends else np.asarray(way)


def _at_places(least: Floats) -> Floats:
    """The same for few values, exactly: a least distance problem (Lawson and Hanson, ch. 23)."""
    count = len(least)
    jerks = np.diff(np.pad(np.eye(count), ((BEFORE, BEFORE), (0, 0))), n=3, axis=0)
    upper = cholesky(jerks.T @ jerks)
    bound = np.flatnonzero(least > 0.0)
    toward = solve_triangular(upper, np.eye(count)[:, bound], trans="T")
    scale = float((least[bound] / np.linalg.norm(toward, axis=0)).max())
    system = np.concatenate([toward, least[None, bound] / scale])
    right = np.zeros(count + 1)
    right[-1] = 1.0
    pull = nnls(system, right)[0]
    left = right - system @ pull
    return np.asarray(solve_triangular(upper, -left[:-1] * scale / left[-1]))
