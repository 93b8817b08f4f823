"""What is known about a character that is judged: bones, soles, floor, and what touches when."""

from __future__ import annotations

from dataclasses import dataclass

import bpy


@dataclass(frozen=True)
class Leg:
    """A leg: the bones that begin at hip, knee and ankle, the one in front, and all of its foot."""

    name: str
    bones: tuple[str, str, str]
    toe: str | None
    foot: tuple[str, ...]


@dataclass(frozen=True)
class Contact:
    """A bone that does not move between two rows, the first one and that after the last."""

    bone: str
    first: int
    stop: int


@dataclass(frozen=True, eq=False)
class Subject:
    """An animated character.

    Attributes:
        armature: Its action is the source.
        meshes: What a viewer sees of it.
        first: First frame.
        last: Last frame.
        pelvis: The bone that carries the body.
        legs: All of them.
        links: Bones, each with one whose head stays at the same distance from its own.
        upper: Bones above the pelvis that no contact is on, and that lead to none.
        height: Metres.
        floor: Height of the floor that the clip was made on.
        contacts: What rests on something; None if it must be found, for the feet only.
        in_place: Whether it walks without getting anywhere: feet that glide are no contacts.
    """

    armature: bpy.types.Object
    meshes: tuple[bpy.types.Object, ...]
    first: int
    last: int
    pelvis: str
    legs: tuple[Leg, ...]
    links: tuple[tuple[str, str], ...]
    upper: tuple[str, ...]
    height: float
    floor: float = 0.0
    contacts: tuple[Contact, ...] | None = None
    in_place: bool = False

    @property
    def size(self) -> float:
        """How large it is against a person of 1.6 m."""
        return self.height / 1.6

    @property
    def feet(self) -> set[str]:
        """All bones of all feet."""
        return {bone for leg in self.legs for bone in leg.foot}
