"""Detect which bones are which parts of a body: by names first, by structure where names fail."""

from __future__ import annotations

from collections import abc
from dataclasses import replace

from ...body_slots import ARM_PARTS, SIDES
from ..anatomy.bones import BoneTable, Floats
from ..anatomy.joined import joined
from .certainty import certainty
from .families import FAMILIES
from .mapping import Leg, Mapping, leg_of_slots
from .match import NameMatch, match_family
from .structure import Body, Limb, find_body
from .trunk import find_tail

# Animators key the controls, so controls win over deform bones that fill as many slots, and over
# a little more of them.
_PREFERENCE_FOR_CONTROLS = 0.2
# The names of humans on an animal's bones (Rigify's wolf) mislead unless they fit completely.
_DOUBT_ON_FOUR_LEGS = 0.85
# Hands that end so near the height of the feet, as a share of the legs' height, are front feet.
_HANDS_ON_GROUND = 0.12
# Minimum score of a usable reading.
_LEAST_SCORE = 0.2


def detect(bones: BoneTable) -> Mapping:
    """The mapping to use: the first of `detect_all`."""
    return detect_all(bones)[0]


def detect_all(bones: BoneTable) -> tuple[Mapping, ...]:
    """All readings of the skeleton, the best first.

    The order is by the weighted share of filled slots. Where a rig has both, bones that animators
    key (Rigify's and Auto-Rig Pro's FK controls) come before the bones that deform the mesh,
    because keys on the latter have no effect. Names for humans count less on a skeleton that
    stands on four legs or more. The reading by structure is always among the results, the last one
    if all it takes for legs are arms by their names.
    """
    bones, shins = joined(bones)
    body = find_body(bones)
    found = (match_family(bones, family) for family in FAMILIES)
    matches = [match for match in found if match]
    structural = _structural(body)
    ranked: list[tuple[float, Mapping, float | None]] = [
        (_rank(match, body), _named(bones, match, body), match.score)
        for match in matches
        if match.score >= _LEAST_SCORE
    ]
    stands_on_arms = any(_takes_arms_for_legs(structural, mapping) for _, mapping, _ in ranked)
    ranked.append((0.0 if stands_on_arms else body.score, structural, None))
    # The sort is stable: of equals, the family that comes first in FAMILIES.
    ranked.sort(key=lambda item: -round(item[0], 6))
    rated = [
        replace(mapping, confidence=certainty(mapping, bones, body.up, structural, score))
        for _, mapping, score in ranked
    ]
    return _without_repeats([_told_of_feet(mapping, bones, shins) for mapping in rated])


def _rank(match: NameMatch, body: Body) -> float:
    if match.family.role == "controls":
        return match.likeness + _PREFERENCE_FOR_CONTROLS
    if match.family.role == "skeleton" and len(body.leg_pairs) >= 2:
        return match.likeness * _DOUBT_ON_FOUR_LEGS
    return match.likeness


def _takes_arms_for_legs(structural: Mapping, named: Mapping) -> bool:
    """Whether each leg of a reading by structure contains bones named as an arm."""
    arms = {named.slots.get(f"{part}.{side}") for part in ARM_PARTS for side in SIDES} - {None}
    legs = structural.legs
    return bool(legs) and all(not arms.isdisjoint(leg.bones) for leg in legs)


def _told_of_feet(mapping: Mapping, bones: BoneTable, shins: abc.Mapping[int, int]) -> Mapping:
    """The mapping with a note about each leg whose foot is no child of its shin."""
    used = {bone for leg in mapping.legs for bone in leg.bones}
    notes = tuple(
        f'"{bones.names[foot]}" is not a child of "{bones.names[shin]}": the foot moves '
        "independently of the leg."
        for foot, shin in shins.items()
        if {bones.names[foot], bones.names[shin]} <= used
    )
    return replace(
        mapping,
        notes=(*mapping.notes, *notes),
        bone_names=bones.names,
        tail=_tail(bones, mapping),
    )


def _tail(bones: BoneTable, mapping: Mapping) -> tuple[str, ...]:
    """The bones of a tail, by names, or on more than two legs by where they are."""
    number = {name: bone for bone, name in enumerate(bones.names)}
    legs = [[number[name] for name in leg.bones if name in number] for leg in mapping.legs]
    legs = [leg for leg in legs if leg]
    slots = {number[bone] for bone in mapping.slots.values() if bone in number}
    core = {number[bone] for bone in (*mapping.spine, *mapping.neck) if bone in number}
    used = {*slots, *core, *(bone for leg in legs for bone in leg)}
    if not legs or "pelvis" not in mapping.slots:
        return ()
    ends = [number.get(mapping.slots.get(slot, "")) for slot in ("pelvis", "head")]
    found = find_tail(bones, used, [leg[0] for leg in legs], ends[0], ends[1])
    return tuple(bones.names[bone] for bone in found)


def _without_repeats(mappings: list[Mapping]) -> tuple[Mapping, ...]:
    kept: list[Mapping] = []
    for mapping in mappings:
        same = (
            (mapping.slots, mapping.spine, mapping.neck) == (other.slots, other.spine, other.neck)
            for other in kept
        )
        if not any(same):
            kept.append(mapping)
    return tuple(kept)


def _named(bones: BoneTable, match: NameMatch, body: Body) -> Mapping:
    slots = {slot: bones.names[bone] for slot, bone in match.slots.items()}
    if match.family.role == "skeleton" and len(body.leg_pairs) >= 2:
        legs = _structural_legs(body)
    elif _stands_on_hands(bones, match.slots, body.up):
        legs = (*_front_legs(slots), *_slot_legs("hind", slots))
    else:
        legs = _slot_legs("leg", slots)
        slots |= _unnamed_hands(bones, match.slots)
    return Mapping(
        family=match.family.name,
        confidence=match.score,
        slots=slots,
        spine=tuple(bones.names[bone] for bone in match.spine),
        neck=tuple(bones.names[bone] for bone in match.neck),
        legs=legs,
        notes=match.notes,
        bone_names=bones.names,
    )


def _slot_legs(name: str, slots: abc.Mapping[str, str]) -> tuple[Leg, ...]:
    return tuple(
        leg_of_slots(f"{name}.{side}", slots, side) for side in SIDES if f"thigh.{side}" in slots
    )


def _unnamed_hands(bones: BoneTable, slots: abc.Mapping[str, int]) -> dict[str, str]:
    """Hands whose names say something else, a fist or a claw: all that hangs on a forearm."""
    found = {}
    for side in SIDES:
        forearm = slots.get(f"forearm.{side}")
        if forearm is None or f"hand.{side}" in slots:
            continue
        below = bones.children[forearm]
        if len(below) == 1 and below[0] not in slots.values():
            found[f"hand.{side}"] = bones.names[below[0]]
    return found


def _stands_on_hands(bones: BoneTable, slots: abc.Mapping[str, int], up: Floats) -> bool:
    """Whether the arms are front legs: the hands are about as low as the feet."""
    for side in SIDES:
        ends = [f"{part}.{side}" for part in ("thigh", "foot", "hand")]
        if not all(slot in slots for slot in ends):
            return False
        thigh, foot, hand = bones.heads[[slots[slot] for slot in ends]] @ up
        if hand - foot > _HANDS_ON_GROUND * (thigh - foot):
            return False
    return True


def _front_legs(slots: abc.Mapping[str, str]) -> tuple[Leg, ...]:
    return tuple(
        Leg(
            f"front.{side}",
            tuple(slots[f"{part}.{side}"] for part in ARM_PARTS if f"{part}.{side}" in slots),
            slots[f"hand.{side}"],
        )
        for side in SIDES
    )


def _structural(body: Body) -> Mapping:
    bones, notes = body.bones, []
    if not body.leg_pairs:
        notes.append("No pair of legs was detected: assign the bones of the legs by hand.")
    elif body.up[2] <= 0:
        axis = "XYZ"[int(abs(body.up).argmax())]
        sign = "+" if body.up.sum() > 0 else "-"
        notes.append(f"The character's up axis is {sign}{axis} of the armature.")
    return Mapping(
        family="structure",
        confidence=body.score,
        slots={slot: bones.names[bone] for slot, bone in body.slots.items()},
        spine=tuple(bones.names[bone] for bone in body.spine),
        neck=tuple(bones.names[bone] for bone in body.neck),
        legs=_structural_legs(body),
        notes=tuple(notes),
        bone_names=(),
    )


def _structural_legs(body: Body) -> tuple[Leg, ...]:
    count = len(body.leg_pairs)
    names = {1: ["leg"], 2: ["front", "hind"]}.get(count, [f"leg{i + 1}" for i in range(count)])
    return tuple(
        _structural_leg(
            body.bones, f"{name}.{limb.side}", limb, from_hip=i == count - 1 and count <= 2
        )
        for i, (name, pair) in enumerate(zip(names, body.leg_pairs, strict=True))
        for limb in pair
    )


def _structural_leg(bones: BoneTable, name: str, limb: Limb, *, from_hip: bool) -> Leg:
    chain = [bones.names[bone] for bone in limb.bones]
    return Leg(
        name,
        tuple(chain[limb.upper if from_hip else 0 :]),
        None if limb.end is None else chain[limb.end],
        None if limb.toe is None else chain[limb.toe],
    )
