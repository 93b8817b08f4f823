"""Choosing the keys of a motion: as few as stay near enough to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..feet import Floats, Ints
from .cubics import Cubics, fit

Blame = Callable[[Sequence[Floats]], Floats]
"""How much of what is allowed each set of curves is off in each row, by all their values; above 1
it needs another key; (f, sets)."""

# A new key is at least this share of the way between its neighbours away from both.
AMID = 0.25
# One of so many keys at a time is tried without, twice over all.
APART = 3
ROUNDS = 2


def choose_keys(
    frames: Floats, values: Sequence[Floats], wanted: Sequence[Ints], blame: Blame
) -> list[Cubics]:
    """Curves through few keys, for several sets of channels that share their keys.

    Keys are added where the curves are off most, until they are nowhere further off than allowed;
    then those are left out that are not needed.

    Args:
        frames: Frames of the rows, ascending; (f,), at least two.
        values: Values of each set; (f, channels).
        wanted: Rows that get a key in any case, for each set.
        blame: Tells which sets are off.
    """
    ends = np.array([0, len(frames) - 1])
    needed = [np.union1d(ends, rows) for rows in wanted]
    chosen = _Chosen(frames, values, needed, blame)
    chosen.add()
    for turn in range(APART * ROUNDS):
        chosen.leave_out(turn % APART)
        chosen.add()
    return chosen.curves()


class _Chosen:
    """The keys that are chosen so far."""

    def __init__(
        self, frames: Floats, values: Sequence[Floats], needed: Sequence[Ints], blame: Blame
    ) -> None:
        self._frames, self._values, self._blame = frames, values, blame
        self._needed, self._keys = needed, list(needed)

    def curves(self) -> list[Cubics]:
        """The curves through them."""
        return [
            fit(self._frames, values, keys)
            for values, keys in zip(self._values, self._keys, strict=True)
        ]

    def add(self) -> None:
        """Add keys until nothing is off too far."""
        while self._keys:
            off = self._off()
            more = [_worst_rows(off[:, number], keys) for number, keys in enumerate(self._keys)]
            if not any(len(rows) for rows in more):
                return
            self._keys = [np.union1d(*pair) for pair in zip(self._keys, more, strict=True)]

    def leave_out(self, first: int) -> None:
        """Leave out every third key from one of the first on, where nothing is off without it."""
        before = self._keys
        tried = [
            np.setdiff1d(keys[1 + first :: APART], needed)
            for keys, needed in zip(before, self._needed, strict=True)
        ]
        self._keys = [np.setdiff1d(*pair) for pair in zip(before, tried, strict=True)]
        if not any(len(rows) for rows in tried):
            return
        off = self._off()
        for number, (keys, rows) in enumerate(zip(self._keys, tried, strict=True)):
            at = np.searchsorted(keys, rows)
            worst = [
                float(off[first : last + 1, number].max())
                for first, last in zip(keys[at - 1].tolist(), keys[at].tolist(), strict=True)
            ]
            self._keys[number] = np.union1d(keys, rows[np.array(worst) > 1.0])

    def _off(self) -> Floats:
        return self._blame([curves.at_rows() for curves in self.curves()])


def _worst_rows(off: Floats, keys: Ints) -> Ints:
    """The worst row between each two keys that is off too far, not close to either."""
    found = []
    for first, last in zip(keys[:-1].tolist(), keys[1:].tolist(), strict=True):
        inside = off[first + 1 : last]
        if last > first + 1 and inside.max() > 1.0:
            close = int(AMID * (last - first))
            row = first + 1 + int(inside.argmax())
            found.append(min(max(row, first + max(1, close)), last - max(1, close)))
    return np.array(found, int)
