"""Choosing the keys of a motion: as few as stay near enough to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..feet import Floats, Ints
from .cubics import Cubics, fit

Blame = Callable[[Sequence[Floats]], Floats]
"""How much of what is allowed each set of curves is off in each row, by all their values; above 1
it needs another key; (f, sets)."""


def choose_keys(
    frames: Floats, values: Sequence[Floats], wanted: Sequence[Ints], blame: Blame
) -> list[Cubics]:
    """Curves through few keys, for several sets of channels that share their keys.

    Keys are added where the curves are off most, until they are nowhere further off than allowed.

    Args:
        frames: Frames of the rows, ascending; (f,), at least two.
        values: Values of each set; (f, channels).
        wanted: Rows that get a key in any case, for each set.
        blame: Tells which sets are off.
    """
    ends = [0, len(frames) - 1]
    keys = [np.union1d(ends, rows) for rows in wanted]
    found = [fit(frames, own, rows) for own, rows in zip(values, keys, strict=True)]
    while found:
        off = blame([curves.at_rows() for curves in found])
        more = [_worst_rows(off[:, number], rows) for number, rows in enumerate(keys)]
        if not any(len(rows) for rows in more):
            break
        for number, rows in enumerate(more):
            if len(rows):
                keys[number] = np.union1d(keys[number], rows)
                found[number] = fit(frames, values[number], keys[number])
    return found


def _worst_rows(off: Floats, keys: Ints) -> Ints:
    """The worst row between each two keys that is off too far."""
    parts = [
        first + 1 + int(off[first + 1 : last].argmax())
        for first, last in zip(keys[:-1].tolist(), keys[1:].tolist(), strict=True)
        if last > first + 1
    ]
    rows = np.array(parts, int)
    return rows[off[rows] > 1.0]
