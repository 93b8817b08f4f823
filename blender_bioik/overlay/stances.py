"""Stances: the contacts of a foot's sole points that belong to one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

BALL = "BALL"


class ContactSpan(NamedTuple):
    """A contact as stored on the armature, with its first and last frame."""

    foot: str
    point: str
    start: int
    end: int
    slides: bool


class Stance(NamedTuple):
    """A foot on the ground, from first to last contact.

    Attributes:
        foot: Name of the leg.
        start: First frame.
        end: Last frame.
        middle: The frame in which it is planted most firmly: the middle of the ball's contact.
        slides: Whether it slides intentionally.
        chosen: Whether one of its contacts is the active one in the list.
    """

    foot: str
    start: int
    end: int
    middle: float
    slides: bool
    chosen: bool = False

    def is_at(self, frame: float) -> bool:
        """Whether it includes a frame."""
        return self.start <= frame <= self.end


def find_stances(
    contacts: Iterable[ContactSpan], chosen: ContactSpan | None = None
) -> list[Stance]:
    """Stances by foot and time.

    Consecutive contacts of different points are one stance: the roll from
    heel to tip. A second contact of the same point starts another one, as after splitting it.
    """
    groups: list[list[ContactSpan]] = []
    for contact in sorted(contacts, key=lambda c: (c.foot, c.start, c.end)):
        group = groups[-1] if groups else []
        follows = (
            bool(group)
            and group[0].foot == contact.foot
            and contact.start <= max(member.end for member in group) + 1
            and all(member.point != contact.point for member in group)
        )
        if follows:
            group.append(contact)
        else:
            groups.append([contact])
    return [_stance(group, chosen) for group in groups]


def _stance(group: list[ContactSpan], chosen: ContactSpan | None) -> Stance:
    firm = next((c for c in group if c.point == BALL), max(group, key=lambda c: c.end - c.start))
    return Stance(
        group[0].foot,
        min(contact.start for contact in group),
        max(contact.end for contact in group),
        (firm.start + firm.end) / 2.0,
        any(contact.slides for contact in group),
        chosen in group,
    )
