"""Feet that stand, told apart from feet that hang still in the air.

In a jump, in a fall or over the edge of a seat, feet are slow and lower than before and after. On
the recorded floor that is enough. Above it a foot stands only if it is as still as something that
carries the body, and if the body is over it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..feet import BALL, Contact, Foot
from ..tuning import BODY
from .contacts import speeds
from .floor import stand_height
from .levels import find_levels
from .tuning import CONTACTS


def standing(
    feet: Sequence[Foot], contacts: Sequence[Contact], rate: float, scale: float, origin: float
) -> list[Contact]:
    """Contacts without those of feet in the air.

    Args:
        feet: The feet.
        contacts: Their contacts, as found by stillness and height.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        origin: Height of the armature's origin, which is on the floor of clips that never stand.
    """
    heights = np.array([stand_height(feet[contact.foot], contact) for contact in contacts])
    firm = np.array(
        [
            _carries(feet[contact.foot], contact) and _is_firm(feet, contact, rate, scale)
            for contact in contacts
        ],
        bool,
    )
    levels = find_levels(feet, contacts, scale)
    floor = levels.floor(len(feet[0].points)) if firm.any() else np.full(1, origin)
    kept = []
    for contact, height, still in zip(contacts, heights, firm, strict=True):
        row = min((contact.first + contact.stop) // 2, len(floor) - 1)
        if still or height - floor[row] < BODY.wall * scale:
            kept.append(contact)
    return kept


def above_origin(
    feet: Sequence[Foot], contacts: Sequence[Contact], scale: float, origin: float
) -> bool:
    """Whether no contact is as low as the armature's origin: legs pedal in the air, or on a bike.

    The arguments are those of `standing`.
    """
    heights = (stand_height(feet[contact.foot], contact) for contact in contacts)
    return min(heights, default=np.inf) - origin > BODY.wall * scale


def _carries(foot: Foot, contact: Contact) -> bool:
    """Whether the hip is over the foot: most of the time it is higher above it than aside."""
    rows = slice(contact.first, contact.stop)
    hip = foot.hip[rows] - foot.points[rows, BALL]
    return bool(np.median(hip[:, 2] - np.linalg.norm(hip[:, :2], axis=-1)) > 0.0)


def _is_firm(feet: Sequence[Foot], contact: Contact, rate: float, scale: float) -> bool:
    """Whether a part of the sole is still by itself, or against the body that passes over it."""
    rows = slice(contact.first, contact.stop)
    sole = speeds(feet[contact.foot].points, rate)[rows].min(axis=1)
    body = speeds(np.mean([foot.hip for foot in feet], axis=0), rate)[rows]
    passing = CONTACTS.slow_share * float(np.median(body))
    return float(np.median(sole)) < max(CONTACTS.noise_speed * scale, passing)
