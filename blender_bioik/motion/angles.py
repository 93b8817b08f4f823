"""Angles that do not depend on where arrays are in memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def angle_of(sine: ArrayLike, cosine: ArrayLike) -> NDArray[np.float64]:
    """Angles of numbers proportional to their sines and cosines, radians; numpy's arctan2.

    Of arrays with gaps, such as the columns of a larger one, numpy's own is rounded in one of two
    ways: it takes other code where its result happens to lie right behind them in memory. The same
    clip would then give other bits now and then.
    """
    y, x = (np.array(part, float, order="C") for part in (sine, cosine))
    return np.asarray(np.arctan2(y, x))
