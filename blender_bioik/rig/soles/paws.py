"""Feet that stand on their toes alone: dogs, cats, birds.

The bone that a mapping calls foot is then a part of the leg, from the hock down to the paw. The
paw itself, a toe by its bones, is what stands, lands and leaves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..clip.skeleton import Skeleton
from .foot_bones import FootBones, below, level
from .foot_mesh import Skin
from .sole_mesh import rear_end
from .tuning import SOLE_BONES


def is_paw(skeleton: Skeleton, foot: FootBones, skin: Skin) -> bool:
    """Whether a foot stands on its toe alone, in the rest pose.

    With a mesh it does if the toe carries the rear end of the sole as well. Without one it does if
    the foot leads down to the toe as steeply as to a hoof.

    Args:
        skeleton: The armature's bones.
        foot: The foot.
        skin: The vertices that foot and toe carry; none for bare bones.
    """
    if foot.toe is None:
        return False
    if not len(skin):
        leads = foot.points[1] - foot.ankle
        across = np.linalg.norm(level(leads, foot.up))
        return bool(abs(leads @ foot.up) > SOLE_BONES.on_point * across)
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
