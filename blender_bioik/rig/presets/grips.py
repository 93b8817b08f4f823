"""Where hands go on the objects that are selected: which hand, which spot, and how it is turned.

One hand goes to the spot that is nearest to it. Two hands on one object hold it from both sides if
it is narrow enough, and otherwise each goes to its nearest spot; with two objects, each has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product

import bpy
from mathutils import Matrix, Vector

from .palms import Palm, palm_of
from .preset_slots import Slots
from .surfaces import Spot, Surface

# How far fingers point up, relative to how far they point away from the elbow.
FINGERS_UP = 0.5
# As many objects are matched with bones at most: all orders of them are tried.
MOST_EACH = 7


@dataclass(frozen=True)
class Grip:
    """A hand on an object.

    Attributes:
        thing: The object.
        place: How the hand's bone is turned, at the place of its palm; world space.
        offset: The palm in the space of the hand's bone.
    """

    thing: bpy.types.Object
    place: Matrix
    offset: Vector


@dataclass(frozen=True)
class _Hand:
    """A hand as it is posed now; world space, metres."""

    slot: str
    palm: Palm
    at: Vector
    fingers: Vector
    shoulder: Vector
    reach: float
    room: float


class Hands:
    """The hands of an armature, as they are posed now."""

    def __init__(self, context: bpy.types.Context, armature: bpy.types.Object, slots: Slots):
        """Of an armature with known body parts."""
        self._context, self._armature = context, armature
        self._hands = {
            slot: self._hand(slots, slot, bone)
            for slot in ("hand.L", "hand.R")
            if (bone := slots.bone(slot)) is not None
        }

    def nearest(self, things: Sequence[bpy.types.Object]) -> str | None:
        """The slot of the hand that is nearest to an object, None if there are no hands."""
        surfaces = [Surface(self._context, thing) for thing in things]
        away = {slot: min(_away(h, s) for s in surfaces) for slot, h in self._hands.items()}
        return min(away, key=lambda slot: away[slot]) if away else None

    def grips(self, things: Mapping[str, Sequence[bpy.types.Object]]) -> dict[str, Grip]:
        """Grips by the slots of hands, each on one of the objects it may have."""
        hands = {slot: self._hands[slot] for slot in things if slot in self._hands}
        known = {thing: Surface(self._context, thing) for some in things.values() for thing in some}
        chosen = _shared(hands, {slot: [known[t] for t in things[slot]] for slot in hands})
        spots = {
            slot: surface.nearest(hands[slot].at, hands[slot].room)
            for slot, surface in chosen.items()
        }
        if len(hands) == 2 and len(set(chosen.values())) == 1:
            spots |= _both_sides(hands["hand.L"], hands["hand.R"], chosen["hand.L"])
        return {
            slot: Grip(chosen[slot].thing, _place(hands[slot], spot), hands[slot].palm.centre)
            for slot, spot in spots.items()
        }

    def _hand(self, slots: Slots, slot: str, name: str) -> _Hand:
        armature, side = self._armature, slot[-1]
        bone, world = armature.pose.bones[name], armature.matrix_world
        palm = palm_of(self._context.scene, armature, name, side)
        posed = world @ bone.matrix
        arm = [slots.bone(f"upper_arm.{side}"), slots.bone(f"forearm.{side}"), name]
        joints = [world @ armature.pose.bones[part].head for part in arm if part]
        reach = sum((b - a).length for a, b in pairwise(joints))
        size = palm.size * posed.to_scale()[1]
        fingers = posed.to_3x3() @ palm.fingers
        return _Hand(slot, palm, posed @ palm.centre, fingers, joints[0], reach, size)


def nearest_each(
    places: Mapping[str, Vector], things: Sequence[bpy.types.Object]
) -> dict[str, bpy.types.Object]:
    """An object for each of some places, by the shortest ways in all; none if numbers differ."""
    if len(things) != len(places) or len(things) > MOST_EACH:
        return {}

    def way(order: Iterable[bpy.types.Object]) -> float:
        pairs = zip(places.values(), order, strict=True)
        return sum((thing.matrix_world.translation - place).length for place, thing in pairs)

    return dict(zip(places, min(permutations(things), key=way), strict=True))


def _away(hand: _Hand, surface: Surface) -> float:
    return float((surface.nearest(hand.at).point - hand.at).length)


def _shared(
    hands: Mapping[str, _Hand], surfaces: Mapping[str, Sequence[Surface]]
) -> dict[str, Surface]:
    """A surface for each hand: different ones if there are enough, with the shortest ways."""
    if len(hands) == 2 and len({id(s) for some in surfaces.values() for s in some}) > 1:
        one, other = hands
        pairs = [pair for pair in product(surfaces[one], surfaces[other]) if pair[0] is not pair[1]]
        best = min(
            pairs, key=lambda pair: _away(hands[one], pair[0]) + _away(hands[other], pair[1])
        )
        return dict(zip(hands, best, strict=True))
    return {
        slot: min(surfaces[slot], key=lambda surface: _away(hand, surface))
        for slot, hand in hands.items()
    }


def _both_sides(left: _Hand, right: _Hand, surface: Surface) -> dict[str, Spot]:
    """Spots on both sides of an object that two hands can hold between them; none if it is wide."""
    across = left.shoulder - right.shoulder
    spots = {"hand.L": surface.from_outside(-across), "hand.R": surface.from_outside(across)}
    if spots["hand.L"] is None or spots["hand.R"] is None:
        return {}
    width = (spots["hand.L"].point - spots["hand.R"].point).length
    if width > across.length + min(left.reach, right.reach):
        return {}
    return {slot: spot for slot, spot in spots.items() if spot is not None}


def _place(hand: _Hand, spot: Spot) -> Matrix:
    """The palm on a spot: it faces the surface, and fingers go on from the forearm."""
    elbow = hand.shoulder - Vector((0.0, 0.0, hand.reach / 2.0))
    away = (spot.point - elbow).normalized() + Vector((0.0, 0.0, FINGERS_UP))
    along = away - away.dot(spot.normal) * spot.normal
    if along.length < 1e-3:
        along = hand.fingers
    return Matrix.Translation(spot.point) @ hand.palm.turned(-spot.normal, along)
