"""Loose parts of a body: bones whose flesh belongs to another part than that of their parents.

Such are feet of some rigs, which are no children of the leg that the mesh joins them with.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ..feet import Floats, Ints
from .skin import Skin

Pairs = list[tuple[int, int]]


def loose_parts(skin: Skin, parent: Ints, near: float) -> list[tuple[frozenset[int], Pairs]]:
    """Parts that hang together but not on the body.

    Args:
        skin: The skin.
        parent: The parent of each bone, -1 for a root; (b,).
        near: How near flesh is that touches, in the units of the skin.

    Returns:
        Bones of each part, and the pairs of one of them and one of another part that touch.
    """
    flesh = _Touching(skin, len(parent), near)
    parts = _parts(flesh, parent)
    main = max(parts, key=len, default=frozenset())
    found = []
    for part in parts:
        if part is main or flesh.size(part) < near:  # a few stray weights are no part
            continue
        others = [bone for bone in flesh.bones if bone not in part]
        pairs = [
            (one, other)
            for one in sorted(part)
            for other in others
            if flesh.gap(one, other) <= near
        ]
        if pairs:
            found.append((part, pairs))
    return found


class _Touching:
    """How near the flesh of bones is to that of others."""

    def __init__(self, skin: Skin, count: int, near: float) -> None:
        owner = skin.owner
        self.bones = [int(bone) for bone in np.unique(owner) if bone < count]
        self._trees = {bone: cKDTree(skin.places[owner == bone]) for bone in self.bones}
        ends = owner[skin.edges]
        pairs = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
        self._joined = {(int(one), int(other)) for one, other in pairs}
        self.near = near

    def size(self, part: frozenset[int]) -> float:
        """The largest extent of the flesh of some bones along an axis."""
        places = np.concatenate([self._trees[bone].data for bone in part])
        return float(np.ptp(places, axis=0).max())

    def gap(self, one: int, other: int) -> float:
        """The least distance of the flesh of two bones; infinite if they are not near."""
        if (min(one, other), max(one, other)) in self._joined:
            return 0.0
        first, second = self._trees[one], self._trees[other]
        if (second.mins > first.maxes + self.near).any():
            return float("inf")
        if (second.maxes < first.mins - self.near).any():
            return float("inf")
        small, large = sorted((first, second), key=lambda tree: int(tree.n))
        distances: Floats = large.query(small.data, distance_upper_bound=1.001 * self.near)[0]
        return float(distances.min())


def _parts(flesh: _Touching, parent: Ints) -> list[frozenset[int]]:
    """Bones that hang together: each touches its parent."""
    part: dict[int, set[int]] = {}
    for bone in flesh.bones:
        part[bone] = {bone}
    for bone in flesh.bones:
        above = int(parent[bone])
        if above in part and flesh.gap(bone, above) <= flesh.near:
            both = part[bone] | part[above]
            for each in both:
                part[each] = both
    return list({id(bones): frozenset(bones) for bones in part.values()}.values())
