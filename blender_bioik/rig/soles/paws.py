"""Feet that stand on their toes alone: dogs, cats, birds.

The bone that a mapping calls foot is then a part of the leg, from the hock down to the paw. The
paw itself, a toe by its bones, is what stands, lands and leaves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..clip.skeleton import Skeleton
from .foot_bones import FootBones, below
from .foot_mesh import Skin
from .sole_mesh import rear_end


def is_paw(skeleton: Skeleton, foot: FootBones, skin: Skin) -> bool:
    """Whether a foot stands on its toe alone: it carries the rear end of the sole as well.

    Args:
        skeleton: The armature's bones.
        foot: The foot.
        skin: The vertices that foot and toe carry; none for bare bones, of which nobody knows.
    """
    if foot.toe is None or not len(skin):
        return False
    return bool(_on_toe(skeleton, foot, skin.some(rear_end(foot, skin.rest))).all())


def as_paw(foot: FootBones) -> FootBones:
    """The foot that stands on its toe alone: that toe. It points where foot and toe do."""
    _, ball, tip = foot.points
    return foot._replace(foot=str(foot.toe), toe=None, points=np.stack([ball, ball, tip]))


def toe_skin(skeleton: Skeleton, foot: FootBones, skin: Skin) -> Skin:
    """The vertices of a foot that its toe carries."""
    return skin.some(_on_toe(skeleton, foot, skin))


def _on_toe(skeleton: Skeleton, foot: FootBones, skin: Skin) -> NDArray[np.bool_]:
    """Which vertices the toe has more than half of; (n,)."""
    toe = skeleton.index[str(foot.toe)]
    own = np.isin(skin.bones, [toe, *below(skeleton, toe)])
    return np.asarray(skin.weights[:, own].sum(axis=1) > 0.5)
