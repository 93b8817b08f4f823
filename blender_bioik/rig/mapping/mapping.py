"""The result: which bone is which part of the body, and the user's corrections to it."""

from __future__ import annotations

import re
from collections import abc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...body_slots import LEG_PARTS, LIST_SLOTS, OPTIONAL, SIDES, SLOTS
from ..errors import RigError
from .parts import Part, body_parts

# Legs that may be chosen although none was found there.
LEG_NAME = re.compile(r"(leg\d*|front|hind)\.[LR]")


@dataclass(frozen=True)
class Leg:
    """A limb that stands on the ground.

    Attributes:
        name: "leg.L" of two-legged ones, "front.L" and "hind.L" of four-legged ones, "leg1.L",
            "leg2.L" and so on from the front of those with more.
        bones: The chain from hip to foot or toe. Bones that only twist or split a segment may lie
            between two of them.
        foot: The bone that stands on the ground, None if the chain ends above it.
        toe: The bone in front of the foot, None if there is none.
    """

    name: str
    bones: tuple[str, ...]
    foot: str | None
    toe: str | None = None


@dataclass(frozen=True)
class Mapping:
    """The bones of each body part.

    Attributes:
        family: The naming family that was recognised, "structure" if the names said nothing.
        confidence: How likely all legs are right, 0 to 1; see `certainty`.
        slots: Bone per slot, only the filled ones; see `slots.SLOTS` for all slot names.
        spine: Bones between pelvis and neck, the pelvis' side first; the last one is the chest.
        neck: Bones between chest and head, the chest's side first.
        tail: Bones of a tail, the pelvis' side first.
        legs: All limbs that stand on the ground.
        notes: Sentences for the user about what was found.
        bone_names: All bones of the rig, those that may be chosen for a slot.
    """

    family: str
    confidence: float
    slots: abc.Mapping[str, str]
    spine: tuple[str, ...] = ()
    neck: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    legs: tuple[Leg, ...] = ()
    notes: tuple[str, ...] = ()
    bone_names: tuple[str, ...] = ()

    @cached_property
    def parts(self) -> list[Part]:
        """The parts of the body as they are shown to the user."""
        return body_parts(self)

    @property
    def chest(self) -> str | None:
        """The last bone of the spine."""
        return self.spine[-1] if self.spine else None

    @property
    def missing(self) -> tuple[str, ...]:
        """Slots without a bone, but for those that most bodies do not have."""
        lists = {"spine": self.spine, "neck": self.neck}
        return (
            *(slot for slot in SLOTS if slot not in self.slots),
            *(slot for slot, bones in lists.items() if not bones),
        )

    def with_overrides(self, overrides: abc.Mapping[str, str | Sequence[str] | None]) -> Mapping:
        """The mapping with the user's assignments in place of detected bones.

        Args:
            overrides: A bone for each slot to change, None to leave the slot empty. "spine",
                "neck" and "tail" take lists of bones. So does a leg's name ("front.L"): its bones
                from hip to foot; "front.L.toe" is that leg's toe. Legs that share bones with such
                a leg are dropped. Legs made of the slots thigh, shin, foot and toe follow those
                slots.

        Raises:
            RigError: A slot or bone does not exist, or a bone would fill two slots.
        """
        slots = dict(self.slots)
        lists = {"spine": self.spine, "neck": self.neck, "tail": self.tail}
        legs = {leg.name: leg for leg in self.legs}
        own: dict[str, Leg] = {}
        for slot, value in overrides.items():
            leg = slot.removesuffix(".toe")
            known = slot in (*SLOTS, *LIST_SLOTS) or leg in legs or LEG_NAME.fullmatch(leg)
            if not known:
                raise RigError(f'There is no body part "{slot}": choose one of {self._known()}.')
            bones = self._known_bones(slot, value)
            if slot in LIST_SLOTS:
                lists[slot] = bones
            elif slot in SLOTS:
                bone = _at_most_one(slot, bones)
                slots.pop(slot, None)
                if bone is not None:
                    slots[slot] = bone
            elif slot == leg:
                own[leg] = _of_bones(leg, bones, legs.get(leg))
            else:
                chain = own.get(leg) or legs.get(leg) or Leg(leg, (), None)
                own[leg] = _with_toe(chain, _at_most_one(slot, bones))
        if OPTIONAL not in overrides:
            lists[OPTIONAL] = _unused(lists, slots, own)
        _refuse_double_use(slots, lists)
        for side in SIDES:
            if any(f"{part}.{side}" in overrides for part in LEG_PARTS):
                name = f"hind.{side}" if f"hind.{side}" in {**legs, **own} else f"leg.{side}"
                own[name] = leg_of_slots(name, slots, side)
        taken = {bone for leg in own.values() for bone in leg.bones}
        found = {name: leg for name, leg in legs.items() if taken.isdisjoint(leg.bones)}
        kept = [leg for name, leg in {**found, **own}.items() if leg.bones]
        return replace(
            self,
            slots=slots,
            spine=lists["spine"],
            neck=lists["neck"],
            tail=lists["tail"],
            legs=tuple(sorted(kept, key=lambda leg: _place(leg.name, [*legs, *own]))),
            confidence=1.0 if own and all(leg.name in own for leg in kept) else self.confidence,
        )

    def _known(self) -> str:
        """The names of all parts that a choice can be made for."""
        chains = [leg.name for leg in self.legs if leg.name not in ("leg.L", "leg.R")]
        return ", ".join((*SLOTS, *LIST_SLOTS, *chains)) + ", or a leg such as front.L or leg3.R"

    def _known_bones(self, slot: str, value: str | Sequence[str] | None) -> tuple[str, ...]:
        bones = (value,) if isinstance(value, str) else tuple(value or ())
        bones = tuple(bone for bone in bones if bone)
        unknown = next((bone for bone in bones if bone not in self.bone_names), None)
        if unknown is not None:
            raise RigError(
                f'There is no bone "{unknown}" for {slot}: choose a bone of this armature.'
            )
        return bones


def leg_of_slots(name: str, slots: abc.Mapping[str, str], side: str) -> Leg:
    """The leg that the slots thigh, shin, foot and toe of a side make up."""
    parts = {part: slots.get(f"{part}.{side}") for part in LEG_PARTS}
    bones = tuple(bone for bone in parts.values() if bone is not None)
    return Leg(name, bones, parts["foot"], parts["toe"])


def _unused(
    lists: abc.Mapping[str, tuple[str, ...]],
    slots: abc.Mapping[str, str],
    legs: abc.Mapping[str, Leg],
) -> tuple[str, ...]:
    """The bones of a tail that was found, but for those that the user chose for other parts."""
    used = {*slots.values(), *(bone for leg in legs.values() for bone in leg.bones)}
    used |= {bone for slot, bones in lists.items() if slot != OPTIONAL for bone in bones}
    tail = lists[OPTIONAL]
    stop = next((k for k, bone in enumerate(tail) if bone in used), len(tail))
    return tail[:stop]


def _of_bones(name: str, bones: tuple[str, ...], before: Leg | None) -> Leg:
    """A leg with other bones from hip to foot; its toe stays."""
    toe = before.toe if before is not None and before.toe not in bones else None
    return Leg(name, bones, bones[-1] if bones else None, toe)


def _place(name: str, names: Sequence[str]) -> int:
    """Where a leg is among the others: as they were found, then as they were chosen."""
    return list(names).index(name)


def _with_toe(leg: Leg, toe: str | None) -> Leg:
    bones = tuple(bone for bone in leg.bones if bone not in (leg.toe, toe))
    return replace(leg, bones=(*bones, toe) if toe else bones, toe=toe)


def _at_most_one(slot: str, bones: tuple[str, ...]) -> str | None:
    if len(bones) > 1:
        raise RigError(f"{slot} takes one bone, not {len(bones)}: choose one of them.")
    return bones[0] if bones else None


def _refuse_double_use(
    slots: abc.Mapping[str, str], lists: abc.Mapping[str, tuple[str, ...]]
) -> None:
    used: dict[str, str] = {}
    for slot, bone in _uses(slots, lists):
        if bone in used:
            raise RigError(
                f'Bone "{bone}" is assigned to both {used[bone]} and {slot}: change one of the two.'
            )
        used[bone] = slot


def _uses(
    slots: abc.Mapping[str, str], lists: abc.Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    yield from slots.items()
    for slot, bones in lists.items():
        yield from ((slot, bone) for bone in bones)
