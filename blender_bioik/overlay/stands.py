"""Stands: the contacts of a foot's sole points that belong to one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

BALL = "BALL"


class ContactSpan(NamedTuple):
    """A contact as the armature keeps it: frames, first and last."""

    foot: str
    point: str
    start: int
    end: int
    slides: bool


class Stand(NamedTuple):
    """A foot on the ground.

    Attributes:
        foot: Name of the leg.
        start: First frame.
        end: Last frame.
        middle: The frame in which it stands most firmly: the middle of the ball's contact.
        slides: Whether it slides on purpose.
        chosen: Whether one of its contacts is the one chosen in the list.
    """

    foot: str
    start: int
    end: int
    middle: float
    slides: bool
    chosen: bool = False

    def is_at(self, frame: float) -> bool:
        """Whether the foot stands at a frame."""
        return self.start <= frame <= self.end


def find_stands(contacts: Iterable[ContactSpan], chosen: ContactSpan | None = None) -> list[Stand]:
    """Stands by foot and time.

    Contacts of different points that follow each other without a gap are one stand: the roll from
    heel to tip. A second contact of the same point begins another one, as after splitting it.
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
    return [_stand(group, chosen) for group in groups]


def _stand(group: list[ContactSpan], chosen: ContactSpan | None) -> Stand:
    firm = next((c for c in group if c.point == BALL), max(group, key=lambda c: c.end - c.start))
    return Stand(
        group[0].foot,
        min(contact.start for contact in group),
        max(contact.end for contact in group),
        (firm.start + firm.end) / 2.0,
        any(contact.slides for contact in group),
        chosen in group,
    )
