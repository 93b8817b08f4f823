"""How certain a mapping is: names, structure and clip agree, or they do not.

The numbers are measured: docs/feet.md has the share of right mappings for each confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..anatomy.bones import BoneTable, Floats
from .mapping import Leg, Mapping

# Below this, foot placement asks instead of acting.
SURE = 0.75
# Below this, a placed clip is worth a look at its legs.
CERTAIN = 0.9

# What a reading is worth before anything is known about its legs.
_BY_NAMES, _PER_NAME = 0.6, 0.35
_BY_STRUCTURE = 0.75
# What remains of the doubt when something confirms the legs.
_AGREED, _LOWEST_IN_CLIP, _CARRIES_FLESH = 0.4, 0.5, 0.7
# What remains of the certainty when something speaks against them.
_CONTRADICTED, _NOT_LOWEST, _ASKEW, _INCOMPLETE, _OTHERS_STAND = 0.75, 0.6, 0.7, 0.8, 0.75
# Shares of the legs' height.
_ONE_PLACE, _LOW, _MIRRORED = 0.1, 0.15, 0.25
# Share of the frames in which a foot is the lowest part, from which on the clip confirms the legs.
_MOSTLY = 0.7


def certainty(
    mapping: Mapping, bones: BoneTable, up: Floats, structural: Mapping, named: float | None
) -> float:
    """How likely all legs of a mapping are right, 0 to 1.

    Args:
        mapping: The reading.
        bones: The skeleton, detached feet joined to their shins.
        up: Away from the ground in the rest pose.
        structural: The reading that knows no names.
        named: Share of the parts that are filled by name; None for a reading by structure.
    """
    legs = mapping.legs
    if not legs:
        return 0.0
    sure = _BY_STRUCTURE * structural.confidence if named is None else _BY_NAMES + _PER_NAME * named
    size = _height(bones, legs, up)
    if named is not None and structural.legs:
        if _agree(bones, legs, structural.legs, size):
            sure = _less_doubt(sure, _AGREED)
        else:
            sure *= _CONTRADICTED
    if any(leg.foot is None or len(leg.bones) < 2 for leg in legs):
        sure *= _INCOMPLETE
    if not _is_mirrored(bones, legs, size):
        sure *= _ASKEW
    if not _stands(bones, legs, up, size):
        sure *= _NOT_LOWEST
    if _has_flesh(bones, legs):
        sure = _less_doubt(sure, _CARRIES_FLESH)
    lowest = _lowest_in_clip(bones, legs)
    if lowest is not None and lowest > _MOSTLY:
        sure = _less_doubt(sure, _LOWEST_IN_CLIP)
    return sure


def _less_doubt(sure: float, share: float) -> float:
    return 1.0 - (1.0 - sure) * share


def _feet(bones: BoneTable, legs: Sequence[Leg]) -> list[int]:
    """The foot of each leg, or its last bone."""
    return [bones.index[leg.foot or leg.bones[-1]] for leg in legs]


def _height(bones: BoneTable, legs: Sequence[Leg], up: Floats) -> float:
    """How far the legs come down from their first joint, in the armature's units."""
    hips = bones.heads[[bones.index[leg.bones[0]] for leg in legs]] @ up
    low = min(bones.lowest(bones.subtree(foot), up) for foot in _feet(bones, legs))
    return max(float(hips.max()) - low, 1e-9)


def _agree(bones: BoneTable, legs: Sequence[Leg], others: Sequence[Leg], size: float) -> bool:
    """Whether two readings have the same legs, be it other bones in the same place."""
    if len(legs) != len(others):
        return False
    first, second = (bones.heads[_feet(bones, several)] for several in (legs, others))
    gaps = np.linalg.norm(first[:, None] - second[None], axis=-1)
    return bool((gaps.min(axis=1) < _ONE_PLACE * size).all())


def _is_mirrored(bones: BoneTable, legs: Sequence[Leg], size: float) -> bool:
    """Whether the feet of each pair are mirror images."""
    offset = bones.heads @ bones.across
    middle = float(np.mean([offset[foot] for foot in _feet(bones, legs)]))
    heads = bones.heads[_feet(bones, legs)]
    mirrored = heads - 2.0 * ((heads @ bones.across) - middle)[:, None] * bones.across
    gaps = np.linalg.norm(mirrored[:, None] - heads[None], axis=-1)
    return bool((gaps.min(axis=1) < _MIRRORED * size).all()) and len(legs) % 2 == 0


def _stands(bones: BoneTable, legs: Sequence[Leg], up: Floats, size: float) -> bool:
    """Whether in the rest pose no part of the body is much lower than the feet."""
    solid = [bone for bone in range(len(bones)) if bones.fleshy[bone]] or range(len(bones))
    low = bones.lowest(solid, up)
    feet = [bones.lowest(bones.subtree(foot), up) for foot in _feet(bones, legs)]
    return max(feet) - low < _LOW * size


def _has_flesh(bones: BoneTable, legs: Sequence[Leg]) -> bool:
    return all(bones.fleshy[bones.subtree(foot)].any() for foot in _feet(bones, legs))


def _lowest_in_clip(bones: BoneTable, legs: Sequence[Leg]) -> float | None:
    """Share of the frames in which the lowest part of the body is a foot; None without a clip."""
    if bones.motion is None:
        return None
    ends = [bone for bone in range(len(bones)) if bones.fleshy[bone]] or _leaves(bones)
    feet = {below for foot in _feet(bones, legs) for below in bones.subtree(foot)}
    heights = np.array([_height_in_clip(bones, bone) for bone in ends])
    own = np.array([bone in feet for bone in ends])
    if not own.any():
        return None
    others = heights[~own].min(axis=0, initial=np.inf)
    return float((heights[own].min(axis=0) <= others).mean())


def _height_in_clip(bones: BoneTable, bone: int) -> Floats:
    """The lowest point of a bone in each frame of the clip; (f,)."""
    assert bones.motion is not None
    points = np.vstack([bones.heads[bone], bones.ends[bone], *_skin(bones, bone)])
    carry = bones.motion.carry[:, bone]
    return np.asarray((carry[:, 2, :3] @ points.T + carry[:, 2, 3:]).min(axis=1))


def _skin(bones: BoneTable, bone: int) -> Iterator[Floats]:
    if bones.fleshy[bone]:
        yield bones.flesh[bone]


def _leaves(bones: BoneTable) -> list[int]:
    return [bone for bone in range(len(bones)) if not bones.children[bone]]
