"""Spine, neck and head by structure: the bones of the middle between the limbs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ..anatomy.bones import BoneTable, Floats
from .names import canonical
from .symmetry import Symmetry

# A last bone that is further from its predecessor than this times the previous distance only marks
# the top of the head: necks divide evenly, heads are longer than necks.
_END_BONE = 1.4
_BESIDE = 0.3
# What tails are called, and what is only called so.
_TAILS = ("tail", "schwanz", "cauda")
_NO_TAILS = ("ponytail", "pigtail", "coattail", "ponitail", "tailor", "hair", "jacket")
# How far aside from the middle a tail begins and ends, as a share of the distance of the hips.
_ASIDE = 0.25


@dataclass(frozen=True)
class Trunk:
    """The middle of a body; bones are indices."""

    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None


def find_trunk(
    bones: BoneTable, symmetry: Symmetry, pelvis: int, chest: int | None, onward: Floats
) -> Trunk:
    """Bones from the pelvis to the head.

    Args:
        bones: The skeleton.
        symmetry: Its sides.
        pelvis: The bone that carries the (hind) legs.
        chest: The bone that carries arms or front legs, if there are any.
        onward: Direction in which the head lies, roughly.
    """
    start = pelvis if chest is None else chest
    chain = _cut_at_head(bones, symmetry, start, _middle_chain(bones, symmetry, start, onward))
    if chest is None:
        # Without arms nothing separates chest and neck: the bone before the head is the neck.
        return Trunk(tuple(chain[:-2]), tuple(chain[-2:-1]), chain[-1] if chain else None)
    return Trunk(_between(bones, pelvis, chest), tuple(chain[:-1]), chain[-1] if chain else None)


def _between(bones: BoneTable, pelvis: int, chest: int) -> tuple[int, ...]:
    """Bones after the pelvis up to the chest, or below the parent that both share."""
    shared = bones.common_ancestor(pelvis, chest)
    way = [chest, *bones.ancestors(chest)]
    return tuple(reversed(way[: way.index(shared)] if shared is not None else way))


def _middle_chain(bones: BoneTable, symmetry: Symmetry, start: int, onward: Floats) -> list[int]:
    """From a bone on along the children that lead furthest onward without leaving the middle."""
    chain: list[int] = []
    here = start
    paired = {root for pair in symmetry.pairs for root in pair}
    while True:
        ahead = {
            child: _progress(bones, child, bones.heads[here], onward)
            for child in bones.children[here]
            if child not in symmetry.sided
        }
        ahead = {child: progress for child, progress in ahead.items() if progress > 0}
        if not ahead:
            return chain
        # Eyes and ears distinguish the head from a mane that rises above it.
        faces = {child for child in ahead if not paired.isdisjoint(bones.subtree(child))}
        here = max(ahead, key=lambda child: (child in faces, ahead[child], -child))
        chain.append(here)


def _progress(bones: BoneTable, branch: int, origin: Floats, onward: Floats) -> float:
    members = bones.subtree(branch)
    points = np.vstack([bones.heads[members], bones.ends[members]])
    return float(((points - origin) @ onward).max())


def _cut_at_head(bones: BoneTable, symmetry: Symmetry, start: int, chain: list[int]) -> list[int]:
    """The chain up to the head: the first bone with eyes or ears, else the last that is no end."""
    paired = {root for pair in symmetry.pairs for root in pair}
    joints = bones.heads[[start, *chain]]
    steps = np.linalg.norm(np.diff(joints, axis=0), axis=1)
    for i, bone in enumerate(chain):
        if paired.isdisjoint(bones.children[bone]):
            continue
        # A bone that only carries the face begins where the head does, or a head's length after it.
        apart = i >= 2 and not _BESIDE * steps[i - 1] < steps[i] < _END_BONE * steps[i - 1]
        return chain[:i] if apart else chain[: i + 1]
    if len(chain) >= 2 and steps[-1] > _END_BONE * steps[-2]:
        return chain[:-1]
    return chain


def find_tail(
    bones: BoneTable,
    used: Collection[int],
    hips: Sequence[int],
    pelvis: int | None,
    head: int | None,
) -> tuple[int, ...]:
    """Bones of a tail, the pelvis' side first; none if there is none.

    It has the name of one, or it is a chain in the middle of a body on more than two legs that
    hangs on its pelvis and goes away from its head.

    Args:
        bones: The skeleton.
        used: Bones of other parts.
        hips: The first bone of each leg, in pairs of left and right.
        pelvis: The bone that carries the (hind) legs.
        head: The head.
    """
    named = [bone for bone in range(len(bones.names)) if _is_tail(bones, bone)]
    starts = [bone for bone in named if bone not in used and bones.parent[bone] not in named]
    chains = [
        _chain_below(bones, start, used)
        for start in starts
        if _hangs_on_trunk(bones, start, used, hips)
    ]
    if not chains and len(hips) > 2 and pelvis is not None and head is not None:
        chains = [
            chain
            for start in bones.children[pelvis]
            if start not in used and len(chain := _chain_below(bones, start, used)) > 1
            if _goes_back(bones, chain, hips, pelvis, head)
        ]
    return max(chains, key=len, default=())


def _is_tail(bones: BoneTable, bone: int) -> bool:
    name = canonical(bones.names[bone])
    return any(word in name for word in _TAILS) and not any(word in name for word in _NO_TAILS)


def _hangs_on_trunk(
    bones: BoneTable, start: int, used: Collection[int], hips: Collection[int]
) -> bool:
    """Whether a bone hangs on no leg, and on something of the body."""
    above = int(bones.parent[start])
    carried = False
    while above >= 0:
        if above in hips:
            return False
        carried |= above in used
        above = int(bones.parent[above])
    return carried


def _chain_below(bones: BoneTable, start: int, used: Collection[int]) -> tuple[int, ...]:
    """A bone and those below it, the longest way."""
    below = [_chain_below(bones, bone, used) for bone in bones.children[start] if bone not in used]
    return (start, *max(below, key=len, default=()))


def _goes_back(
    bones: BoneTable, chain: Sequence[int], hips: Sequence[int], pelvis: int, head: int
) -> bool:
    """Whether a chain is in the middle of the body and goes away from its head."""
    heads = bones.heads
    pair = heads[list(hips[-2:])]
    across = pair[0] - pair[1]
    width = float(np.linalg.norm(across))
    if width == 0.0:
        return False
    aside = np.abs((heads[list(chain)] - pair.mean(axis=0)) @ across) / width
    back = (heads[chain[-1]] - heads[chain[0]]) @ (heads[pelvis] - heads[head])
    return bool((aside < _ASIDE * width).all() and back > 0.0)
