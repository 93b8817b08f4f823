"""Spine, neck and head by structure: the bones of the middle between the limbs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..anatomy.bones import BoneTable, Floats
from .symmetry import Symmetry

# A last bone that is further from its predecessor than this times the previous distance only marks
# the top of the head: necks divide evenly, heads are longer than necks.
_END_BONE = 1.4
_BESIDE = 0.3


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
