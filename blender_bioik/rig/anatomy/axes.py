"""The axes of a body, from itself: across from its symmetry, up from the clip or the scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .bones import BoneTable

Floats = NDArray[np.float64]

# A mirror image that misses by less than this share of the body's width is one.
_MIRRORED = 0.2
# Cosine between axes that are taken to be the same: 10 degrees.
_SAME = 0.985
# What is up in a clip is the nearest axis if it is no further away than this: people lean.
_NEAR = 0.82
# Bones that agree less about what is up say nothing.
_AGREED = 0.6
# Heads that are compared; characters with more bones have many in each finger.
_MOST_HEADS = 150


def across(bones: BoneTable) -> Floats:
    """The direction in which the two sides of the body mirror each other, (3,)."""
    heads = bones.heads[:: 1 + len(bones) // _MOST_HEADS]
    axes = list(np.eye(3))
    best = min(axes, key=lambda axis: _mismatch(heads, axis))
    if _mismatch(heads, best) > _MIRRORED:
        best = min([best, *_between_branches(bones)], key=lambda axis: _mismatch(heads, axis))
    return np.asarray(best * np.sign(best[np.abs(best).argmax()]), float)


def uprights(bones: BoneTable) -> list[Floats]:
    """What may be up in the rest pose: as the clip has it, then as the scene has it."""
    found = [bones.upright]
    if bones.motion is not None:
        ups = np.mean([bones.motion.upward(bone) for bone in range(len(bones))], axis=0)
        if np.linalg.norm(ups) > _AGREED:
            found.insert(0, ups / np.linalg.norm(ups))
    return found


def upright_frame(bones: BoneTable) -> Floats:
    """Turn of the rest pose that puts a slanting body upright along axes; (3, 3).

    A body that is along axes already stays, whichever is up.
    """
    x = across(bones)
    z = uprights(bones)[0]
    z = z - (z @ x) * x
    if np.linalg.norm(z) < 0.5:
        return np.eye(3)
    z = z / np.linalg.norm(z)
    if np.abs(x).max() > _SAME and np.abs(z).max() > _NEAR:
        return np.eye(3)
    return np.array([x, np.cross(z, x), z])


def _mismatch(heads: Floats, axis: Floats) -> float:
    """How far heads are from the mirror image of others, as a share of their spread."""
    offset = heads @ axis
    offset = offset - np.median(offset)
    spread = float(np.abs(offset).mean())
    if spread == 0.0:
        return np.inf
    mirrored = heads - 2.0 * offset[:, None] * axis
    nearest = np.linalg.norm(mirrored[:, None] - heads[None], axis=-1).min(axis=1)
    return float(nearest.mean()) / spread


def _between_branches(bones: BoneTable) -> Iterator[Floats]:
    """Directions between heads of bones that hang on the same bone."""
    for siblings in (bones.roots, *bones.children):
        for number, first in enumerate(siblings[:12]):
            for second in siblings[number + 1 : 12]:
                way = bones.heads[second] - bones.heads[first]
                length = float(np.linalg.norm(way))
                if length > 0.0 and len(bones.children[first]) == len(bones.children[second]):
                    yield way / length
