"""Feet that hang elsewhere than on their shins, as rigs made for IK have them, put where they are.

The foot begins where the shin ends: in the rest pose, and in every frame if the clip is known.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .bones import BoneTable

# All as shares of the longer one of thigh and shin.
_AT_END = 0.4
_KEEPS = 0.05  # a foot that strays less keeps its place on the shin
_NEARER = 0.2  # what distance counts against straying
_FOLLOWS = 0.3  # source clips pull feet off their legs where these are too short
# As shares of the thigh.
_SEPARATE = 0.25  # joints that are nearer than this are one: the foot has a bone already
_SHORTEST, _LONGEST = 0.4, 1.8
_ONWARD = 0.3  # cosine of the bend of a knee at rest, at least
# Bones of a foot from ankle to tip; toes may have joints. A leg from the hip has as many.
_FOOT_BONES = 3
# A bone so near to the middle, as a share of the skeleton's extent, belongs to no side.
_OFF_CENTRE = 0.01


def joined(bones: BoneTable) -> tuple[BoneTable, dict[int, int]]:
    """The skeleton with every detached foot below its shin, and those shins by foot."""
    shins: dict[int, int] = {}
    for _, shin, foot in sorted(_matches(bones)):
        if foot not in shins and shin not in {*shins.values(), *_above(bones, shins, shin, foot)}:
            shins[foot] = shin
    side = _sides(bones)
    # A single one is a thing that is held.
    there = {side[foot] for foot in shins}
    shins = {foot: shin for foot, shin in shins.items() if -side[foot] in there}
    parent = bones.parent.copy()
    for foot, shin in shins.items():
        parent[foot] = shin
    return (bones.with_parents(parent) if shins else bones), shins


def _matches(bones: BoneTable) -> Iterator[tuple[float, int, int]]:
    """Every shin with each bone that may be its foot: how far they are apart, shin, foot."""
    off = _sides(bones)
    feet = [bone for bone in range(len(bones)) if off[bone] and _may_be_foot(bones, off, bone)]
    for shin in range(len(bones)):
        if not _may_be_shin(bones, off, shin):
            continue
        for foot in feet:
            gap = _gap(bones, shin, foot) if off[foot] == off[shin] else None
            if gap is not None:
                yield gap, shin, foot


def _above(bones: BoneTable, shins: dict[int, int], shin: int, foot: int) -> set[int]:
    """The shin itself if it already hangs on the foot, however far above."""
    bone = shin
    while bone >= 0 and bone != foot:
        bone = shins.get(bone, int(bones.parent[bone]))
    return {shin} if bone == foot else set()


def _sides(bones: BoneTable) -> list[int]:
    """The side of the body that each bone is on, 0 for the middle."""
    offset = bones.heads @ bones.across
    offset = offset - np.median(offset)
    middle = _OFF_CENTRE * (float(np.ptp(bones.heads, axis=0).max()) or 1.0)
    return [int(np.sign(x)) if abs(x) > middle else 0 for x in offset]


def _may_be_foot(bones: BoneTable, off: list[int], bone: int) -> bool:
    """Whether a bone hangs on nothing or on a root, and has flesh if others do.

    A leg hangs on a root too if that is the pelvis; but it consists of more bones than a foot.
    """
    parent = int(bones.parent[bone])
    free = parent < 0 or (off[parent] == 0 and bones.parent[parent] < 0)
    if not free or _depth(bones, bone) > _FOOT_BONES:
        return False
    if bones.fleshy.any():
        return bool(bones.fleshy[bones.subtree(bone)].any())
    return not _is_on_a_joint(bones, bone)


def _is_on_a_joint(bones: BoneTable, bone: int) -> bool:
    """Whether a bone lies on the head of another branch, as the target of its IK does."""
    gaps = np.linalg.norm(bones.heads - bones.heads[bone], axis=1)
    own = {bone, *bones.subtree(bone), *bones.ancestors(bone)}
    near = np.flatnonzero(gaps < 1e-3 * float(np.ptp(bones.heads, axis=0).max()))
    return any(int(other) not in own for other in near)


def _depth(bones: BoneTable, bone: int) -> int:
    """How many bones that carry flesh, or that are apart, the branch has from root to leaf."""
    below = max((_depth(bones, child) for child in bones.children[bone]), default=0)
    counts = bool(bones.fleshy[bone]) or not bones.fleshy.any()
    return below + int(counts)


def _may_be_shin(bones: BoneTable, off: list[int], bone: int) -> bool:
    """Whether a bone is the last of a limb: its parent is on its side, and nothing continues it."""
    parent = int(bones.parent[bone])
    return (
        bool(off[bone]) and parent >= 0 and off[parent] == off[bone] and not _goes_on(bones, bone)
    )


def _goes_on(bones: BoneTable, bone: int) -> bool:
    """Whether a bone has a child that continues it."""
    fleshy = bones.fleshy.any()
    length = float(np.linalg.norm(bones.heads[bone] - bones.heads[bones.parent[bone]]))
    return any(
        (not fleshy or bool(bones.fleshy[bones.subtree(child)].any()))
        and np.linalg.norm(bones.heads[child] - bones.heads[bone]) > _SEPARATE * length
        for child in bones.children[bone]
    )


def _gap(bones: BoneTable, shin: int, foot: int) -> float | None:
    """How far a foot is from its shin's end, as a share of the leg; None if it is no foot."""
    hip, knee, ankle = bones.heads[[int(bones.parent[shin]), shin, foot]]
    upper, lower = np.linalg.norm(knee - hip), np.linalg.norm(ankle - knee)
    if not _SEPARATE * upper < lower < upper / _SEPARATE:
        return None
    length = float(max(upper, lower))
    strays = _strays(bones, shin, foot, length)
    gap = float(np.linalg.norm(ankle - bones.ends[shin])) / length
    near: bool = bool(bones.ends_known[shin]) and gap < _AT_END
    # Flesh may end before the ankle; other known ends do not.
    vague = bool(bones.fleshy[shin]) or not bones.ends_known[shin]
    onward = float((ankle - knee) @ (knee - hip)) > float(_ONWARD * upper * lower)
    onward = onward and bool(_SHORTEST < lower / upper < _LONGEST)
    follows = strays is not None and strays < _KEEPS
    if not near and not (vague and (onward or follows)):
        return None
    if strays is not None and strays > _FOLLOWS:
        return None
    # Legs that move alike keep each other's feet in place too: the nearest one counts.
    return (strays or 0.0) + _NEARER * gap


def _strays(bones: BoneTable, shin: int, foot: int, length: float) -> float | None:
    """How far the foot moves away from its place on the shin in most of the clip.

    None if that says nothing: the clip is not known, or the foot keeps its place on the thigh too.
    """
    if bones.motion is None:
        return None
    thigh = int(bones.parent[shin])
    ankle, (hip, knee) = bones.heads[foot], bones.heads[[thigh, shin]]
    there = bones.motion.path(foot, ankle)
    upper = np.linalg.norm(bones.motion.path(shin, knee) - bones.motion.path(thigh, hip), axis=1)
    size = float(np.median(upper)) * length / float(np.linalg.norm(knee - hip))
    if size == 0.0:
        return None
    own, above = (
        float(np.percentile(np.linalg.norm(there - bones.motion.path(bone, ankle), axis=1), 75))
        for bone in (shin, thigh)
    )
    return own / size if above > _KEEPS * size else None
