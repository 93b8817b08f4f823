"""Bones that a rigid part of the body ties together, and how far a result tears them apart.

Bones are tied if the source keeps their distance: a bone to its parent, and a loose foot to the leg
that it touches. World space, metres. Rows are frames.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ..feet import Floats, Ints

# Distances that vary by less in the source belong to something rigid, metres for a person.
RIGID = 0.01


@dataclass(frozen=True, eq=False)
class Stretch:
    """Two bones and how far they are torn apart or pushed together.

    Attributes:
        bones: The bones.
        change: How much their distance differs from the source's; metres; (f,).
    """

    bones: tuple[int, int]
    change: Floats


def worst_stretch(
    before: Floats,
    after: Floats,
    ties: Ints,
    loose: Ints,
    scale: float,
    free: Collection[int] = (),
) -> Stretch | None:
    """The pair of tied bones that is torn the most; None if no bones are tied.

    Args:
        before: World matrices of the source's bones; (f, b, 4, 4).
        after: The same of the result.
        ties: Pairs of bones; (t, 2).
        loose: Pairs of a loose bone and one that it touches: the source may move these apart, but
            no result further; (l, 2).
        scale: Size of the character; 1 for a person.
        free: Bones that may leave what they hang on: they carry the body.
    """
    pairs = np.concatenate([ties, loose])
    joint = np.arange(len(pairs)) >= len(ties)
    kept = ~np.isin(pairs, list(free)).any(axis=1)
    pairs, joint = pairs[kept], joint[kept]
    if not len(pairs):
        return None
    then, now = (_distances(pose[..., :3, 3], pairs) for pose in (before, after))
    least, most = then.min(axis=0), then.max(axis=0)
    beyond = np.maximum(now - most, least - now).clip(0.0) * joint
    change = np.where(most - least < RIGID * scale, np.abs(now - then), beyond)
    worst = int(change.max(axis=0).argmax())
    return Stretch((int(pairs[worst, 0]), int(pairs[worst, 1])), change[:, worst])


def ties_of(parent: Ints, owners: Collection[int]) -> Ints:
    """Pairs of bones that may be tied: each with its parent; (t, 2).

    Args:
        parent: The parent of each bone, -1 for a root; (b,).
        owners: Bones that are part of the body.
    """
    own = set(owners)
    pairs = [(int(parent[bone]), bone) for bone in sorted(own) if int(parent[bone]) in own]
    return np.array(pairs, int).reshape(-1, 2)


def _distances(heads: Floats, pairs: Ints) -> Floats:
    """Distances of bones' heads (f, b, 3); (f, t)."""
    return np.asarray(np.linalg.norm(heads[:, pairs[:, 0]] - heads[:, pairs[:, 1]], axis=-1))
