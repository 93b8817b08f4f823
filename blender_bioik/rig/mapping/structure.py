"""Detect the body of a skeleton with unknown names, from rest positions and hierarchy alone.

Mirrored branches are limbs. Those that reach the ground are legs, up to four pairs.
The pair that extends furthest sideways above them is the arms; the bones between are the spine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...body_slots import TOTAL_WEIGHT, weight
from ..anatomy.axes import upright_frame, uprights
from ..anatomy.bones import BoneTable, Floats
from .limbs import (
    foot_index,
    hand_index,
    knee_before_hock,
    main_chain,
    reach,
    toe_index,
    upper_and_lower,
)
from .symmetry import Symmetry, find_symmetry
from .trunk import find_trunk

MAX_LEG_PAIRS = 4

# Shares of the skeleton's height.
_TOUCHES = 0.08
_TOUCHES_BESIDE = 0.03  # for a branch next to a longer leg: a skirt is not a leg
_STANDS = 0.1
_POINTS = 0.01
_SAME = 0.02
_AT_HIPS = 0.1
_LONG = 0.15
# What is up in the scene or in the clip is up unless another axis scores higher by this margin.
_UP_PREFERENCE = 1.8
# Cosine up to which an axis is that one.
_IS_UP = 0.7
# Structure is less reliable than names.
_TRUST = 0.8


@dataclass(frozen=True)
class Limb:
    """A leg or arm found by structure: bones from hip or shoulder on, places in that list."""

    bones: list[int]
    side: str
    upper: int
    lower: int | None
    end: int | None
    toe: int | None = None


@dataclass
class Body:
    """The body detected from the structure; bones are indices into `bones`.

    Attributes:
        bones: The bones that were looked at: detached feet joined to their shins, and where a mesh
            tells, only bones that carry some of it.
        up: Direction away from the ground.
        forward: Direction the character faces.
        leg_pairs: Legs, front to back, each pair left then right.
        slots: Bone per filled slot.
        spine: Bones of the spine, the pelvis' side first.
        neck: Bones of the neck, the chest's side first.
        score: Confidence of this reading, 0 to 1.
        plausibility: For comparing readings of one skeleton that take other axes as up.
    """

    bones: BoneTable
    up: Floats
    forward: Floats
    leg_pairs: list[tuple[Limb, Limb]] = field(default_factory=list)
    slots: dict[str, int] = field(default_factory=dict)
    spine: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    score: float = 0.0
    plausibility: float = 0.0


def find_body(bones: BoneTable) -> Body:
    """The most plausible reading of the skeleton over all directions that may be up.

    Args:
        bones: The skeleton, detached feet joined to their shins.
    """
    body = _best(bones.solid())
    return body if body.leg_pairs else _best(bones)


def _best(bones: BoneTable) -> Body:
    """The most plausible reading of these bones."""
    turn = upright_frame(bones)
    posed = bones.turned(turn)
    ups = [turn @ up for up in uprights(bones)]
    readings = [
        _read(posed, symmetry, up_axis, sign, ups)
        for symmetry in (find_symmetry(posed, axis) for axis in range(3))
        for up_axis in (2, 1, 0)
        if up_axis != symmetry.axis
        for sign in (1.0, -1.0)
    ]
    best = max(readings, key=lambda body: body.plausibility)
    best.bones, best.up, best.forward = bones, turn.T @ best.up, turn.T @ best.forward
    return best


def _read(
    bones: BoneTable, symmetry: Symmetry, up_axis: int, sign: float, ups: list[Floats]
) -> Body:
    up = np.zeros(3)
    up[up_axis] = sign
    legs = _ground_pairs(bones, symmetry, up)
    body = Body(bones, up, _facing(bones, symmetry, up, legs))
    left = np.asarray(np.cross(body.up, body.forward), float)
    by_place = sorted(
        (_left_first(symmetry, pair, left) for pair in legs),
        key=lambda pair: -float(bones.heads[list(pair)].mean(axis=0) @ body.forward),
    )
    chains = [[main_chain(bones, root) for root in pair] for pair in by_place]
    ground = min(
        (bones.lowest(bones.subtree(root), up) for pair in legs for root in pair), default=0.0
    )
    for i, (left_leg, right_leg) in enumerate(chains):
        front = i < len(chains) - 1
        body.leg_pairs.append(
            (
                _leg(bones, body, left_leg, "L", ground, front=front),
                _leg(bones, body, right_leg, "R", ground, front=front),
            )
        )
    arms = None
    if len(legs) == 1:
        arms = _arm_pair(bones, symmetry, legs[0])
        arms = arms and _left_first(symmetry, arms, left)
    _fill_legs(body)
    _fill_trunk(bones, body, symmetry, by_place, arms)
    if arms:
        limbs = [main_chain(bones, root) for root in arms]
        # What one hand holds makes its chain longer.
        both = min(map(len, limbs))
        for chain, side in zip(limbs, "LR", strict=True):
            _fill_arm(bones, body, chain[:both], side)
    _judge(bones, body, symmetry, [*legs, arms] if arms else legs, ups)
    return body


def _ground_pairs(bones: BoneTable, symmetry: Symmetry, up: Floats) -> list[tuple[int, int]]:
    """Pairs of branches that stand on the ground, the lowest first."""
    heights = np.concatenate([bones.heads @ up, bones.ends @ up])
    tall = float(np.ptp(heights)) or 1.0
    low = {
        pair: max(bones.lowest(bones.subtree(root), up) for root in pair)
        for pair in symmetry.pairs
        if all(len(main_chain(bones, root)) >= 2 for root in pair)
    }
    standing = sorted(
        (
            pair
            for pair in low
            if float(bones.heads[list(pair)].mean(axis=0) @ up) - low[pair] > _STANDS * tall
        ),
        key=lambda pair: (low[pair], pair),
    )
    if not standing:
        return []
    ground = low[standing[0]]
    legs: list[tuple[int, int]] = []
    for pair in standing:
        if any(_same_place(bones, pair[0], leg[0], tall) for leg in legs):
            continue
        beside = any(bones.parent[pair[0]] == bones.parent[leg[0]] for leg in legs)
        if low[pair] - ground < (_TOUCHES_BESIDE if beside else _TOUCHES) * tall:
            legs.append(pair)
    return legs[:MAX_LEG_PAIRS]


def _same_place(bones: BoneTable, first: int, second: int, size: float) -> bool:
    """Whether two branches start at one point, as the FK and deform chains of one leg do."""
    return float(np.linalg.norm(bones.heads[first] - bones.heads[second])) < _SAME * size


def _facing(
    bones: BoneTable, symmetry: Symmetry, up: Floats, legs: list[tuple[int, int]]
) -> Floats:
    """Where the toes point; without toes, so that left is on the positive side: -Y for Z up."""
    left = np.zeros(3)
    left[symmetry.axis] = 1.0
    forward = np.asarray(np.cross(left, up), float)
    size = float(np.ptp(bones.heads @ up)) or 1.0
    pointing = 0.0
    for root in (root for pair in legs for root in pair):
        chain = main_chain(bones, root)
        foot = foot_index(bones, chain, up, bones.lowest(bones.subtree(root), up))
        if foot is not None:
            tip = bones.ends[chain[-1]] - bones.heads[chain[foot]]
            pointing += float(tip @ forward) / (2 * len(legs))
    if pointing < -_POINTS * size:
        forward = -forward
    return forward


def _left_first(symmetry: Symmetry, pair: tuple[int, int], left: Floats) -> tuple[int, int]:
    positive, negative = pair
    return (positive, negative) if left[symmetry.axis] > 0 else (negative, positive)


def _leg(
    bones: BoneTable, body: Body, chain: list[int], side: str, ground: float, *, front: bool
) -> Limb:
    foot = foot_index(bones, chain, body.up, ground)
    if foot is None:
        return Limb(chain, side, 0, 1 if len(chain) > 1 else None, None)
    joints = bones.heads[chain[: foot + 1]]
    bend = knee_before_hock(joints, body.forward, body.up)
    if bend is None:
        upper, lower = upper_and_lower(joints)
    else:
        # In front legs the same two bends are the shoulder joint and the elbow.
        upper, lower = (bend, bend + 1) if front else (bend - 1, bend)
    toe = toe_index(bones, chain, foot)
    last = foot if toe is None else toe
    return Limb(chain[: last + 1], side, upper, lower if lower != upper else None, foot, toe)


def _fill_legs(body: Body) -> None:
    """Hind legs fill the slots of legs, front legs those of arms; more legs have no slots."""
    if len(body.leg_pairs) > 2:
        return
    for limb in body.leg_pairs[-1] if body.leg_pairs else ():
        _fill(
            body, limb, {"thigh": limb.upper, "shin": limb.lower, "foot": limb.end, "toe": limb.toe}
        )
    for limb in body.leg_pairs[0] if len(body.leg_pairs) == 2 else ():
        shoulder = 0 if limb.upper > 0 else None
        _fill(
            body,
            limb,
            {
                "shoulder": shoulder,
                "upper_arm": limb.upper,
                "forearm": limb.lower,
                "hand": limb.end,
            },
        )


def _fill(body: Body, limb: Limb, places: Mapping[str, int | None]) -> None:
    for part, place in places.items():
        if place is not None:
            body.slots[f"{part}.{limb.side}"] = limb.bones[place]


def _arm_pair(
    bones: BoneTable, symmetry: Symmetry, legs: tuple[int, int]
) -> tuple[int, int] | None:
    """The pair that is long and extends far sideways, preferably not next to the legs."""
    hips = bones.common_ancestor(*legs)

    def extent(pair: tuple[int, int]) -> float:
        aside = [bones.ends[bones.subtree(root), symmetry.axis] for root in pair]
        width = float(aside[0].max() - aside[1].min())
        length = sum(reach(bones, root, bones.heads[root]) for root in pair)
        return width * length * (0.3 if bones.common_ancestor(*pair) == hips else 1.0)

    pairs = [
        pair
        for pair in symmetry.pairs
        if pair != legs and all(len(main_chain(bones, root)) >= 3 for root in pair)
    ]
    return max(pairs, key=extent, default=None)


def _fill_trunk(
    bones: BoneTable,
    body: Body,
    symmetry: Symmetry,
    legs: list[tuple[int, int]],
    arms: tuple[int, int] | None,
) -> None:
    if not legs:
        return
    pelvis = bones.common_ancestor(*legs[-1])
    if pelvis is None:
        return
    body.slots["pelvis"] = pelvis
    if len(legs) > 2:
        return
    upper = arms if arms else legs[0] if len(legs) == 2 else None
    chest = bones.common_ancestor(*upper) if upper else None
    if chest is not None:
        pelvis = body.slots["pelvis"] = _carrier(bones, pelvis, chest)
    trunk = find_trunk(bones, symmetry, pelvis, chest, body.up + 0.5 * body.forward)
    body.spine, body.neck = trunk.spine, trunk.neck
    if trunk.head is not None:
        body.slots["head"] = trunk.head


def _carrier(bones: BoneTable, pelvis: int, chest: int) -> int:
    """The bone that carries legs and upper body, if it lies at the hips; else the legs' own."""
    shared = bones.common_ancestor(pelvis, chest)
    if shared is None:
        return pelvis
    size = float(np.ptp(bones.heads, axis=0).max())
    near = float(np.linalg.norm(bones.heads[shared] - bones.heads[pelvis])) < _AT_HIPS * size
    return shared if near else pelvis


def _fill_arm(bones: BoneTable, body: Body, chain: list[int], side: str) -> None:
    hand = hand_index(bones, chain)
    if hand is None:
        # Fingers on the forearm: the forearm is the last bone before them.
        hand = next(i for i in range(2, len(chain)) if len(bones.children[chain[i]]) > 1) + 1
        joints = np.vstack([bones.heads[chain[:hand]], bones.heads[chain[hand]]])
    else:
        joints = bones.heads[chain[: hand + 1]]
        body.slots[f"hand.{side}"] = chain[hand]
    upper, lower = upper_and_lower(joints)
    body.slots[f"upper_arm.{side}"] = chain[upper]
    if lower > upper:
        body.slots[f"forearm.{side}"] = chain[lower]
    if upper > 0:
        body.slots[f"shoulder.{side}"] = chain[0]


def _judge(
    bones: BoneTable,
    body: Body,
    symmetry: Symmetry,
    used: list[tuple[int, int]],
    ups: list[Floats],
) -> None:
    limbs = [limb for pair in body.leg_pairs for limb in pair]
    drops = [_drop(bones, limb, body.up) for limb in limbs]
    sense = 0.2 + (sum(drops) / len(drops) if drops else 0.0)
    if "head" in body.slots and "pelvis" in body.slots:
        rise = bones.heads[body.slots["head"]] - bones.heads[body.slots["pelvis"]]
        sense *= 1.0 if rise @ body.up > 0 else 0.6
    preference = _UP_PREFERENCE if max(up @ body.up for up in ups) > _IS_UP else 1.0
    explained = _explained(bones, symmetry, used)
    body.plausibility = symmetry.share * sense * explained * preference
    body.score = _TRUST * min(1.0, symmetry.share / 0.9) * _filled(body)


def _explained(bones: BoneTable, symmetry: Symmetry, used: list[tuple[int, int]]) -> float:
    """Share of the long pairs of branches that are legs or arms."""
    size = float(np.ptp(bones.heads, axis=0).max())
    long = [
        {*pair}
        for pair in symmetry.pairs
        if reach(bones, pair[0], bones.heads[pair[0]]) > _LONG * size
    ]
    known = [{*pair} for pair in used]
    return sum(pair in known for pair in long) / len(long) if long else 0.5


def _drop(bones: BoneTable, limb: Limb, up: Floats) -> float:
    """How far a leg comes down, as a share of its length: 1 for a vertical one."""
    points = np.vstack([bones.heads[limb.bones], bones.ends[limb.bones[-1]]])
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum() or 1.0
    heights = points @ up
    return float((heights.max() - heights[-1]) / length)


def _filled(body: Body) -> float:
    """Weighted share of the filled slots; a body with six legs or more has only a pelvis."""
    if len(body.leg_pairs) > 2:
        return float("pelvis" in body.slots)
    got = sum(weight(slot) for slot in _filled_slots(body))
    return got / TOTAL_WEIGHT


def _filled_slots(body: Body) -> Iterator[str]:
    yield from body.slots
    if body.spine:
        yield "spine"
    if body.neck:
        yield "neck"
