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

    Args:
        least: Lower bounds; (n,). Close to rest they are met as far as `jerk` allows.
        jerk: The largest third difference there.
        begins: Whether the values are zero, at rest, before the first of them.
        ends: Whether they are after the last.
    """
    count = len(least)
    rests = begins, ends
    wanted = np.minimum(least, _reached(count, jerk, rests))
    if count == 0 or wanted.max() <= 0.0 or not any(rests):
        return np.zeros(count)
    step = -(-count // PLACES)
    if step == 1:
        return _at_places(wanted, rests)
    around = maximum_filter1d(wanted, 2 * step - 1, mode="constant")
    places = np.arange(-BEFORE * step * begins, count + step * (1 + BEFORE * ends), step)
    inside = (places >= 0) & (places < count + step * (not ends))
    found = np.zeros(len(places))
    found[inside] = _at_places(around[np.minimum(places[inside], count - 1)], rests)
    return np.asarray(make_interp_spline(places, found, k=5)(np.arange(count)))


def _reached(count: int, jerk: float, rests: tuple[bool, bool]) -> Floats:
    """How far one gets from rest at either end with that third difference; (n,)."""
    gone = np.arange(1, count + 1)
    way = jerk * gone * (gone + 1) * (gone + 2) / 6.0
    ways = [each for each, rest in zip((way, way[::-1]), rests, strict=True) if rest]
    return np.asarray(np.min(ways, axis=0)) if ways else np.zeros(count)


def _at_places(least: Floats, rests: tuple[bool, bool]) -> Floats:
    """The same for few values, exactly: a least distance problem (Lawson and Hanson, ch. 23)."""
    count = len(least)
    before, after = (BEFORE * rest for rest in rests)
    jerks = np.diff(np.pad(np.eye(count), ((before, after), (0, 0))), n=3, axis=0)
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
