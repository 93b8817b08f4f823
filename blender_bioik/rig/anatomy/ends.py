"""Where bones really end. A tail counts only where a child's head confirms it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# As shares of the skeleton's largest extent: heads that are closer are one point.
_ONE_POINT = 1e-3
# A tail is confirmed by a head that is this near, as a share of the bone's length.
_CONFIRMED = 0.05
# Where nothing says where a chain ends, its last bone is this share of the one before.
_LAST = 0.25
# Flesh is all around a head that is nearer to its middle than this share of its reach.
_AROUND = 0.2


def true_ends(
    parent: Ints, children: Sequence[Sequence[int]], heads: Floats, tails: Floats, flesh: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """The end of every bone (n, 3), and whether it is known rather than guessed (n,).

    Args:
        parent: Index of every bone's parent, -1 for roots; (n,).
        children: Indices of every bone's children.
        heads: Rest positions of the heads; (n, 3).
        tails: Rest positions of the tails, true or invented; (n, 3).
        flesh: Outermost points of what each bone carries; (n, k, 3), NaN without any.
    """
    nearby = _ONE_POINT * (float(np.ptp(heads, axis=0).max()) or 1.0)
    apart = [_apart(heads, bone, kids, nearby) for bone, kids in enumerate(children)]
    ends, known = heads.copy(), np.zeros(len(heads), bool)
    for bone, kids in enumerate(apart):
        if kids:
            ends[bone], known[bone] = _before_children(heads, tails, children, bone, kids), True
    longest = _longest_leaf(heads, tails, ends, known)
    for bone in np.flatnonzero(~known):
        ends[bone], known[bone] = _last(parent, heads, tails, flesh, int(bone), longest)
    return ends, known


def _apart(heads: Floats, bone: int, kids: Sequence[int], nearby: float) -> list[int]:
    """Children that do not begin where the bone does."""
    return [kid for kid in kids if np.linalg.norm(heads[kid] - heads[bone]) > nearby]


def _before_children(
    heads: Floats, tails: Floats, children: Sequence[Sequence[int]], bone: int, kids: list[int]
) -> Floats:
    """The tail if a child begins there, else the head of the child that reaches furthest."""
    if _is_confirmed(heads, tails, bone, kids):
        return tails[bone]
    here = heads[bone]
    return heads[max(kids, key=lambda kid: (_reach(heads, children, kid, here), -kid))]


def _is_confirmed(heads: Floats, tails: Floats, bone: int, kids: list[int]) -> bool:
    length = float(np.linalg.norm(tails[bone] - heads[bone]))
    gap = np.linalg.norm(heads[kids] - tails[bone], axis=1).min()
    return bool(gap <= _CONFIRMED * length)


def _reach(heads: Floats, children: Sequence[Sequence[int]], branch: int, origin: Floats) -> float:
    members = [branch]
    for bone in members:
        members.extend(children[bone])
    return float(np.linalg.norm(heads[members] - origin, axis=1).max())


def _longest_leaf(heads: Floats, tails: Floats, ends: Floats, known: NDArray[np.bool_]) -> float:
    """How long a bone without children may be to be believed; 0 if tails are invented."""
    if not known.any():
        return np.inf
    lengths = np.linalg.norm((ends - heads)[known], axis=1)
    missed = np.linalg.norm((ends - tails)[known], axis=1)
    confirmed = missed <= _CONFIRMED * lengths
    return float(lengths.max()) if 4 * confirmed.sum() > len(confirmed) else 0.0


def _last(
    parent: Ints, heads: Floats, tails: Floats, flesh: Floats, bone: int, longest: float
) -> tuple[Floats, bool]:
    """The end of a bone that no child continues."""
    here = heads[bone]
    if np.isfinite(flesh[bone]).all():
        return _end_of_flesh(here, flesh[bone]), True
    if np.linalg.norm(tails[bone] - here) <= longest:
        return tails[bone], True
    above = int(parent[bone])
    return (here + _LAST * (here - heads[above]), False) if above >= 0 else (here, False)


def _end_of_flesh(head: Floats, flesh: Floats) -> Floats:
    """Across the middle of the flesh from the head; its furthest point if it is all around."""
    middle = (flesh.min(axis=0) + flesh.max(axis=0)) / 2
    away = np.linalg.norm(flesh - head, axis=1)
    if np.linalg.norm(middle - head) < _AROUND * away.max():
        return np.asarray(flesh[int(away.argmax())])
    return np.asarray(2.0 * middle - head)
