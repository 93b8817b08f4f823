"""The parts of a body one after the other, as they are shown to the user and chosen by him."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ...body_slots import ARM_PARTS, LEG_PARTS, OPTIONAL, SIDES

if TYPE_CHECKING:
    from .mapping import Leg, Mapping


class Part(NamedTuple):
    """A body part.

    Attributes:
        slot: Name under which it can be assigned, such as "thigh.L".
        bones: Its bones, none if the rig has no such part.
        limb: Limb it belongs to: "trunk", "arm.L", or the name of a leg.
        several: Whether it may have more than one.
    """

    slot: str
    bones: tuple[str, ...]
    limb: str
    several: bool = False

    @property
    def label(self) -> str:
        """Label, such as "Upper Arm.L"."""
        return _label(self.slot)


def body_parts(mapping: Mapping) -> list[Part]:
    """All parts that a choice can be made for: the trunk, legs from the left, arms."""
    return [
        _single(mapping, "pelvis", "trunk"),
        Part("spine", mapping.spine, "trunk", several=True),
        Part("neck", mapping.neck, "trunk", several=True),
        _single(mapping, "head", "trunk"),
        Part("tail", mapping.tail, "trunk", several=True),
        *_legs(mapping),
        *(
            _single(mapping, f"{part}.{side}", f"arm.{side}")
            for side in SIDES
            for part in ARM_PARTS
        ),
    ]


def found_parts(mapping: Mapping) -> tuple[int, int]:
    """How many parts have bones, and of how many; a tail that there is not does not count."""
    counted = [part for part in mapping.parts if part.bones or part.slot != OPTIONAL]
    return sum(bool(part.bones) for part in counted), len(counted)


@cache
def _label(slot: str) -> str:
    name, _, side = slot.partition(".")
    return ".".join(filter(None, (name.replace("_", " ").title(), side)))


def _single(mapping: Mapping, slot: str, limb: str) -> Part:
    bone = mapping.slots.get(slot)
    return Part(slot, (bone,) if bone else (), limb)


def _legs(mapping: Mapping) -> Iterator[Part]:
    """Parts of legs: thigh to toe of two-legged ones, the others each as a chain and a toe."""
    chains = [leg for leg in mapping.legs if not _is_of_slots(mapping, leg)]
    for side in SIDES:
        if not chains or f"thigh.{side}" in mapping.slots:
            yield from (_single(mapping, f"{part}.{side}", f"leg.{side}") for part in LEG_PARTS)
    for leg in chains:
        bones = tuple(bone for bone in leg.bones if bone != leg.toe)
        yield Part(leg.name, bones, leg.name, several=True)
        yield Part(f"{leg.name}.toe", (leg.toe,) if leg.toe else (), leg.name)


def _is_of_slots(mapping: Mapping, leg: Leg) -> bool:
    """Whether a leg consists of the slots thigh, shin, foot and toe of its side."""
    name, _, side = leg.name.partition(".")
    return name in ("leg", "hind") and f"thigh.{side}" in mapping.slots
