"""The parts of a body one after the other, as they are shown to the user and chosen by him."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .mapping import Leg, Mapping
from .slots import ARM_PARTS, LEG_PARTS, SIDES


class Part(NamedTuple):
    """A part of the body.

    Attributes:
        slot: What the user's choice is kept under, such as "thigh.L".
        bones: Its bones, none if the rig has no such part.
        several: Whether it may have more than one.
    """

    slot: str
    bones: tuple[str, ...]
    several: bool = False

    @property
    def label(self) -> str:
        """What the user reads, such as "Upper Arm.L"."""
        name, _, side = self.slot.partition(".")
        return ".".join(filter(None, (name.replace("_", " ").title(), side)))


def body_parts(mapping: Mapping) -> list[Part]:
    """All parts that a choice can be made for: the trunk, legs from the left, arms."""
    return [
        _single(mapping, "pelvis"),
        Part("spine", mapping.spine, several=True),
        Part("neck", mapping.neck, several=True),
        _single(mapping, "head"),
        *_legs(mapping),
        *(_single(mapping, f"{part}.{side}") for side in SIDES for part in ARM_PARTS),
    ]


def found_parts(mapping: Mapping) -> tuple[int, int]:
    """How many parts have bones, and of how many."""
    parts = body_parts(mapping)
    return sum(bool(part.bones) for part in parts), len(parts)


def _single(mapping: Mapping, slot: str) -> Part:
    bone = mapping.slots.get(slot)
    return Part(slot, (bone,) if bone else ())


def _legs(mapping: Mapping) -> Iterator[Part]:
    """Parts of legs: thigh to toe of two-legged ones, the others each as a chain and a toe."""
    chains = [leg for leg in mapping.legs if not _is_of_slots(mapping, leg)]
    for side in SIDES:
        if not chains or f"thigh.{side}" in mapping.slots:
            yield from (_single(mapping, f"{part}.{side}") for part in LEG_PARTS)
    for leg in chains:
        yield Part(leg.name, tuple(bone for bone in leg.bones if bone != leg.toe), several=True)
        yield Part(f"{leg.name}.toe", (leg.toe,) if leg.toe else ())


def _is_of_slots(mapping: Mapping, leg: Leg) -> bool:
    """Whether a leg is what the slots thigh, shin, foot and toe of its side say."""
    name, _, side = leg.name.partition(".")
    return name in ("leg", "hind") and f"thigh.{side}" in mapping.slots
