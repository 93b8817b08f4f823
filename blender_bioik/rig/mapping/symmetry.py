"""Left and right of a skeleton without its names: branches that mirror each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..anatomy.bones import BoneTable, Floats
from .limbs import main_chain

# All as shares of the skeleton's largest extent.
_OFF_CENTRE = 0.004  # eyes lie about 0.015 from the middle plane
_ON_CENTRE = 0.02
_FAR_OFF_CENTRE = 0.05  # a branch without a partner that must still be a side's
_MISPLACED = 0.12  # mirrored branches of captured skeletons differ by a few hundredths
_SIMILAR_LENGTH = 0.85
# Bones of a limb that are compared where what it holds makes it longer than the other.
_LIMB = 3


@dataclass(frozen=True)
class Symmetry:
    """Branches on either side of a plane.

    Attributes:
        axis: The axis across the plane, 0 to 2.
        pairs: Roots of branches that mirror each other, (positive side, negative side).
        sided: Bones of all branches that lie on one side.
        share: Share of the bones that lie in the plane or have a partner, 0 to 1.
    """

    axis: int
    pairs: tuple[tuple[int, int], ...]
    sided: frozenset[int]
    share: float


@dataclass(frozen=True)
class _Branch:
    root: int
    bones: list[int]
    side: int
    offset: float
    head: Floats
    begins: Floats
    centroid: Floats
    length: float


def find_symmetry(bones: BoneTable, axis: int) -> Symmetry:
    """Split the skeleton into its middle and the branches on both sides of `axis`."""
    size = float(np.ptp(np.vstack([bones.heads, bones.ends]), axis=0).max()) or 1.0
    middle = np.zeros(3)
    middle[axis] = np.median(bones.heads[:, axis])
    heads, ends = bones.heads - middle, bones.ends - middle

    def branch(root: int) -> _Branch:
        members = bones.subtree(root)
        points = np.vstack([heads[members], ends[members]])
        centroid = points.mean(axis=0)
        side = 1 if centroid[axis] > 0 else -1
        one_sided = (side * points[:, axis]).min() > -_ON_CENTRE * size
        length = float(np.linalg.norm(ends[members] - heads[members], axis=1).sum())
        offset = abs(float(centroid[axis])) / size if one_sided else 0.0
        begins = heads[main_chain(bones, root)[:_LIMB]]
        return _Branch(root, members, side, offset, heads[root], begins, centroid, length)

    pairs: list[tuple[int, int]] = []
    alone: list[_Branch] = []
    groups: list[Sequence[int]] = [bones.roots]
    for siblings in groups:
        branches = [branch(root) for root in siblings]
        matched, rest = _pair(branches, axis, size)
        pairs += matched
        alone += [b for b in rest if b.offset > _FAR_OFF_CENTRE]
        groups += [bones.children[b.root] for b in rest if b.offset <= _FAR_OFF_CENTRE]
    matched, rest = _pair(alone, axis, size)
    pairs += matched
    partnered = {bone for pair in pairs for root in pair for bone in bones.subtree(root)}
    sided = partnered | {bone for b in rest for bone in b.bones}
    central = sum(
        abs(heads[bone, axis]) < _ON_CENTRE * size
        for bone in range(len(bones))
        if bone not in sided
    )
    share = (len(partnered) + central) / len(bones)
    return Symmetry(axis, tuple(pairs), frozenset(sided), share)


def _pair(
    branches: Sequence[_Branch], axis: int, size: float
) -> tuple[list[tuple[int, int]], list[_Branch]]:
    """Match branches of opposite sides, the most alike first."""
    off = [b for b in branches if b.offset > _OFF_CENTRE]
    costs = sorted(
        (cost, first.root, second.root)
        for first in off
        for second in off
        if first.side > second.side
        and (cost := _difference(first, second, axis) / size) < 2 * _MISPLACED
    )
    pairs = []
    taken: set[int] = set()
    for _, first, second in costs:
        if not {first, second} & taken:
            taken |= {first, second}
            pairs.append((first, second))
    return pairs, [b for b in branches if b.root not in taken]


def _difference(first: _Branch, second: _Branch, axis: int) -> float:
    """How far the second branch is from the first one's mirror image, in length."""
    mirror = np.ones(3)
    mirror[axis] = -1.0
    shorter, longer = sorted((first.length, second.length))
    if shorter < _SIMILAR_LENGTH * longer or 2 * len(first.bones) < len(second.bones):
        return _difference_of_limbs(first, second, mirror)
    return float(
        np.linalg.norm(mirror * first.head - second.head)
        + np.linalg.norm(mirror * first.centroid - second.centroid)
    )


def _difference_of_limbs(first: _Branch, second: _Branch, mirror: Floats) -> float:
    """The same for limbs of which one holds something: only how they begin is compared."""
    if min(len(first.begins), len(second.begins)) < _LIMB:
        return float("inf")
    gaps = np.linalg.norm(mirror * first.begins - second.begins, axis=1)
    return float(_LIMB * gaps.max())
