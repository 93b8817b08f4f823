"""Which frames of a baked clip are baked again, and how the old result goes over into the new."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..transforms import Floats


class Window(NamedTuple):
    """Rows of a clip that are baked again.

    Attributes:
        first: First row that has changed.
        last: Last row that has changed.
        weights: How much of the new result each row of the clip takes, 0 to 1; (f,).
        solved: Rows that are solved: those that take something, and some around them.
    """

    first: int
    last: int
    weights: Floats
    solved: slice


def written_rows(weights: Floats) -> slice:
    """Rows that get keys: those that take something, and one on each side that does not.

    Keys there lie on the curves as they are, which keeps the curves beyond in shape.

    Args:
        weights: How much of a new result each row takes; (f,).
    """
    rows = np.flatnonzero(weights > 0.0)
    return slice(max(0, int(rows[0]) - 1), min(len(weights), int(rows[-1]) + 2))


def window_around(changed: NDArray[np.bool_], blend: int) -> Window | None:
    """The rows from the first changed one to the last, with blends of some rows on both sides.

    None if nothing has changed. At the ends of the clip nothing is blended: there is no old result
    beyond to go over into.
    """
    rows = np.flatnonzero(changed)
    if not len(rows):
        return None
    first, last = int(rows[0]), int(rows[-1])
    at = np.arange(len(changed), dtype=float)
    away = np.maximum(first - at, at - last)
    weights = np.clip(1.0 - away / (blend + 1.0), 0.0, 1.0)
    weights = weights * weights * (3.0 - 2.0 * weights)
    around = 2 * blend + 2
    solved = slice(max(0, first - around), min(len(changed), last + around + 1))
    return Window(first, last, weights, solved)


def grown(changed: NDArray[np.bool_], different: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Changed rows with those next to them, one after the other, as long as they are different."""
    rows = np.flatnonzero(changed)
    if not len(rows):
        return changed
    first, last = int(rows[0]), int(rows[-1])
    while first > 0 and different[first - 1]:
        first -= 1
    while last + 1 < len(changed) and different[last + 1]:
        last += 1
    result = np.zeros(len(changed), bool)
    result[first : last + 1] = True
    return result
