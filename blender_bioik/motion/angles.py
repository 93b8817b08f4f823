"""Angles that do not depend on where arrays are in memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def angle_of(sine: ArrayLike, cosine: ArrayLike) -> NDArray[np.float64]:
    """Angles of numbers proportional to their sines and cosines, radians; numpy's arctan2.

    For arrays with gaps, such as columns of a larger one, numpy's rounding depends on memory
    layout: it uses different code if its result happens to lie right behind them. The same clip
    would then occasionally give different bits.
    """
    y, x = (np.array(part, float, order="C") for part in (sine, cosine))
    return np.asarray(np.arctan2(y, x))
