"""How a body rises and falls with the ground's general height, and with planted feet."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import uniform_filter1d

from ..feet import Floats
from ..tuning import BODY


def body_rise(ground: Floats, planted: Floats, floor: float, rate: float) -> Floats:
    """How far a body rises, smoothly, metres; (f,).

    Args:
        ground: Height of the ground under its path, metres; (f,).
        planted: Mean rise of the planted feet, metres; NaN in rows without any; (f,).
        floor: Height of the source's floor, metres.
        rate: Frames per second.
    """
    even = averaged(ground, rate)
    standing = np.flatnonzero(~np.isnan(planted))
    if len(standing) == 0:
        return even - floor
    beyond = np.interp(np.arange(len(even)), standing, planted[standing] - even[standing])
    return np.asarray(even + averaged(beyond, rate))


def averaged(heights: Floats, rate: float) -> Floats:
    """Values (f,) averaged over a moving window, twice."""
    half = round(0.5 * BODY.step_seconds * rate)
    # Extrapolated beyond both ends, or slopes would level off there.
    around = min(2 * half, len(heights) - 1)
    padded = np.pad(heights, around, mode="reflect", reflect_type="odd")
    for _ in range(2):
        padded = uniform_filter1d(padded, 2 * half + 1, mode="nearest")
    return np.asarray(padded[around : around + len(heights)])
