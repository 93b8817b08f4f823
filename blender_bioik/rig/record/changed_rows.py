"""Which frames of a baked clip are re-baked, and how the old result is blended into the new one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.easing import smoothstep
from ..transforms import Floats


class Window(NamedTuple):
    """Rows of a clip that are re-baked.

    Attributes:
        first: First row that has changed.
        last: Last row that has changed.
        weights: Weight of the new result in each row of the clip, 0 to 1; (f,).
        solved: Rows that are solved: those with weight, and some around them.
    """

    first: int
    last: int
    weights: Floats
    solved: slice


def written_rows(weights: Floats) -> slice:
    """Rows that get keyframes: those with weight, and one on each side without.

    Keyframes there lie on the existing curves, which preserves their shape beyond.

    Args:
        weights: Weight of a new result in each row; (f,).
    """
    rows = np.flatnonzero(weights > 0.0)
    return slice(max(0, int(rows[0]) - 1), min(len(weights), int(rows[-1]) + 2))


def window_around(changed: NDArray[np.bool_], blend: int) -> Window | None:
    """The rows from the first changed one to the last, with blends of some rows on both sides.

    None if nothing has changed. At the ends of the clip nothing is blended, because there is no old
    result beyond.
    """
    rows = np.flatnonzero(changed)
    if not len(rows):
        return None
    first, last = int(rows[0]), int(rows[-1])
    at = np.arange(len(changed), dtype=float)
    away = np.maximum(first - at, at - last)
    weights = smoothstep(np.clip(1.0 - away / (blend + 1.0), 0.0, 1.0))
    around = 2 * blend + 2
    solved = slice(max(0, first - around), min(len(changed), last + around + 1))
    return Window(first, last, weights, solved)


def grown(changed: NDArray[np.bool_], different: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Changed rows and their neighbours, for as long as these differ."""
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
