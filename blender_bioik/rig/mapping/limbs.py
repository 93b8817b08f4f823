"""Limbs by their shape: the main chain of a branch, and which of its bones is which part."""

from __future__ import annotations

import math

import numpy as np

from ..anatomy.bones import BoneTable, Floats

# Below this share of the leg's height begins the foot: ankles are at about 0.09, the fetlock of
# a horse at 0.14, knees and hocks above 0.3.
_FOOT_HEIGHT = 0.178
# Ankles over large boots are higher, but still below knees; these feet lie flat or carry the sole.
_HIGHEST_ANKLE = 0.5
_FLAT = math.radians(35.0)
_TOUCHES = 0.03
_TOE_FAN = 3
_HAND_FAN = 3
# Where the toe begins between ankle and tip: Daz puts a bone at the ankle in between.
_TOE_BEGINS = 0.25
# A bone that carries fingers further away than this share of the arm is a forearm.
_FINGERS_AWAY = 0.3
# An arm without fingers may end in a bone that is no hand but its tip.
_TIP = 0.5
# Cost of a bend of one radian within a segment, when splitting segments.
_BENT = 0.5
# Joints that bend less are segments of one straight bone.
_BEND = math.radians(15.0)


def main_chain(bones: BoneTable, root: int) -> list[int]:
    """From the root of a branch always on to the child that reaches furthest, down to a leaf."""
    chain = [root]
    while children := bones.children[chain[-1]]:
        here = bones.heads[chain[-1]]
        chain.append(max(children, key=lambda child: (reach(bones, child, here), -child)))
    return chain


def reach(bones: BoneTable, branch: int, origin: Floats) -> float:
    """Distance of a branch's furthest point from the origin."""
    members = bones.subtree(branch)
    points = np.vstack([bones.heads[members], bones.ends[members]])
    return float(np.linalg.norm(points - origin, axis=1).max())


def foot_index(bones: BoneTable, chain: list[int], up: Floats, ground: float) -> int | None:
    """Place of the foot in a leg's chain: the first bone whose ankle is low, or that lies flat.

    Args:
        bones: The skeleton.
        chain: The leg, hip first.
        up: Away from the ground.
        ground: How far up that is.
    """
    heights = bones.heads[chain] @ up - ground
    size = float(heights.max())
    for place in range(1, len(chain)):
        if heights[place] < _FOOT_HEIGHT * size:
            return place
        if place >= 2 and heights[place] < _HIGHEST_ANKLE * size:
            bone = chain[place]
            lies = _slant(bones, bone, up) > _FLAT and (
                float(bones.ends[bone] @ up) - ground < _FOOT_HEIGHT * size
            )
            if lies or bones.rests(bone, up, ground + _TOUCHES * size):
                return place
    # Legs that arch like a spider's, or end in a point: the last bone stands on the ground.
    return len(heights) - 1 if len(heights) >= 3 else None


def _slant(bones: BoneTable, bone: int, up: Floats) -> float:
    """Angle between a bone and the way down, radians."""
    way = bones.ends[bone] - bones.heads[bone]
    return math.acos(float(np.clip(-(way @ up) / (np.linalg.norm(way) or 1.0), -1.0, 1.0)))


def toe_index(bones: BoneTable, chain: list[int], foot: int) -> int | None:
    """Place of the toe in a leg's chain; none where the foot spreads into several toes."""
    if foot + 1 >= len(chain) or len(bones.children[chain[foot]]) >= _TOE_FAN:
        return None
    ankle = bones.heads[chain[foot]]
    length = float(np.linalg.norm(bones.ends[chain[-1]] - ankle))
    for toe in range(foot + 1, len(chain)):
        if np.linalg.norm(bones.heads[chain[toe]] - ankle) >= _TOE_BEGINS * length:
            return toe
        if len(bones.children[chain[toe]]) != 1:
            break
    return foot + 1


def upper_and_lower(joints: Floats) -> tuple[int, int]:
    """Places of the upper and lower segment of a limb (thigh and shin) among its bones.

    Args:
        joints: Heads of the bones from the limb's root to the foot or hand, (n + 1, 3).
    """
    n = len(joints) - 1
    if n <= 2:
        return 0, n - 1
    total = np.linalg.norm(np.diff(joints, axis=0), axis=1).sum() or 1.0

    bends = _bends(joints)

    def unlikeness(at: tuple[int, int]) -> float:
        """Segments of a limb are straight, equally long, and leave out little before them."""
        hip, knee = at
        upper = np.linalg.norm(joints[knee] - joints[hip]) + 1e-9 * total
        lower = np.linalg.norm(joints[n] - joints[knee]) + 1e-9 * total
        skipped = np.linalg.norm(np.diff(joints[: hip + 1], axis=0), axis=1).sum()
        bent = float(bends[hip + 1 : knee].sum() + bends[knee + 1 : n].sum())
        return abs(math.log(upper / lower)) + float(skipped / total) + _BENT * bent

    return min(((h, k) for h in range(n) for k in range(h + 1, n)), key=unlikeness)


def _bends(joints: Floats) -> Floats:
    """Angle between the segments before and after every joint, radians, 0 at both ends."""
    steps = np.diff(joints, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    products = lengths[:-1] * lengths[1:]
    cosines = np.sum(steps[:-1] * steps[1:], axis=1) / np.where(products > 0.0, products, 1.0)
    angles = np.where(products > 0.0, np.arccos(np.clip(cosines, -1.0, 1.0)), 0.0)
    return np.concatenate([[0.0], angles, [0.0]])


def knee_before_hock(joints: Floats, forward: Floats, up: Floats) -> int | None:
    """Place of a knee that has a hock below it, as animals' hind legs have, None if straight."""
    steps = np.diff(joints, axis=0)
    angles = np.unwrap(np.arctan2(steps @ forward, -(steps @ up)))
    bends = np.diff(angles)
    for i in range(len(bends) - 1):
        if bends[i] < -_BEND and bends[i + 1] > _BEND:
            return i + 1
    return None


def hand_index(bones: BoneTable, chain: list[int]) -> int | None:
    """Place of the hand in an arm's chain: where fingers begin, or else its last bone.

    None if fingers hang directly on the forearm.
    """
    for i in range(2, len(chain)):
        fingers = _fingers(bones, chain, i)
        if len(fingers) < 2:
            continue
        here = bones.heads[chain[i]]
        away = np.linalg.norm(bones.heads[fingers].mean(axis=0) - here)
        if away <= _FINGERS_AWAY * np.linalg.norm(here - bones.heads[chain[0]]):
            return i
        if len(fingers) >= _HAND_FAN:
            return None
    last, before = np.linalg.norm(np.diff(bones.heads[chain[-3:]], axis=0), axis=1)[::-1]
    return len(chain) - (2 if len(chain) >= 4 and last < _TIP * before else 1)


def _fingers(bones: BoneTable, chain: list[int], at: int) -> list[int]:
    """Children of a chain's bone, without those that only lie along its segment to twist it."""
    if at + 1 >= len(chain):
        return list(bones.children[chain[at]])
    start, end = bones.heads[chain[at]], bones.heads[chain[at + 1]]
    segment = end - start
    length = float(np.linalg.norm(segment))
    limb = float(np.linalg.norm(end - bones.heads[chain[0]]))

    def twists(child: int) -> bool:
        if child == chain[at + 1] or bones.children[child] or length < 0.05 * limb:
            return False
        offset = bones.heads[child] - start
        along = float(offset @ segment) / length
        aside = float(np.linalg.norm(offset - along / length * segment))
        return aside < 0.05 * length and along < 0.95 * length

    return [child for child in bones.children[chain[at]] if not twists(child)]
