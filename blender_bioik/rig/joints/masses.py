"""Distribution of a body's mass over its bones, and its support, for balance."""

from __future__ import annotations

from functools import lru_cache

from ..clip.skeleton import Skeleton
from ..mapping import BoneTable, Mapping, detect

# Shares of an adult's mass (Winter, "Biomechanics and Motor Control of Human Movement", table 4.1),
# limbs for one side.
LIMB_SHARES = {
    "upper_arm": 0.028,
    "forearm": 0.016,
    "hand": 0.006,
    "thigh": 0.100,
    "shin": 0.0465,
    "foot": 0.0145,
}
HEAD_SHARE = 0.081
TRUNK_SHARE = 0.497
# Below this confidence the slots are no better than the bones' lengths.
KNOWN_BODY = 0.5


def segment_masses(skeleton: Skeleton) -> dict[str, float]:
    """Share of the mass of each bone that has one, by name.

    A body that is recognised gets the shares of a human's segments; in any other rig a bone weighs
    as much as a cube of its length.
    """
    mapping = _mapping(skeleton)
    if mapping.confidence < KNOWN_BODY:
        return {
            name: float(length) ** 3
            for name, length in zip(skeleton.names, skeleton.length, strict=True)
        }
    masses: dict[str, float] = {}
    for slot, bone in mapping.slots.items():
        share = LIMB_SHARES.get(slot.partition(".")[0], HEAD_SHARE if slot == "head" else 0.0)
        masses[bone] = masses.get(bone, 0.0) + share
    trunk = [bone for bone in (mapping.slots.get("pelvis"), *mapping.spine) if bone]
    for bone in trunk:
        masses[bone] = masses.get(bone, 0.0) + TRUNK_SHARE / len(trunk)
    return {bone: share for bone, share in masses.items() if share > 0.0}


def standing_bones(skeleton: Skeleton) -> tuple[str, ...]:
    """The feet of a body, by name; none where none are recognised."""
    return tuple(leg.foot for leg in _mapping(skeleton).legs if leg.foot)


@lru_cache(maxsize=2)
def _mapping(skeleton: Skeleton) -> Mapping:
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.rest[:, :3, 1] * skeleton.length[:, None]
    return detect(BoneTable.build(skeleton.names, skeleton.parent.tolist(), heads, tails))
