"""The source floor: its height under each foot.

Recorded floors are tilted and drift, and some clips climb stairs, so there is no single height: the
floor is known where a foot is planted on it, and interpolated between two stances.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..feet import BALL, Contact, Floats, Foot
from ..tuning import BODY
from .tuning import FLOOR


def source_floor(
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    height: float | None = None,
    origin: float | None = None,
) -> Floats:
    """Height of the floor under each foot over time.

    Args:
        feet: The feet, over the same f frames.
        contacts: Their contacts.
        height: Height of the whole floor, metres, if known.
        origin: Height of the armature's origin, metres, which is on the floor if no foot is ever
            below; None if that is not known.

    Returns:
        Metres, (f, feet): constant in a contact of the ball, linear between two of them. A foot
        whose ball is never in contact has the floor of its other points, or else that of the other
        feet.
    """
    frames = len(feet[0].points)
    floor = np.full((frames, len(feet)), np.nan if height is None else height)
    if height is not None:
        return floor
    for i, foot in enumerate(feet):
        own = [contact for contact in contacts if contact.foot == i]
        balls = [contact for contact in own if contact.point == BALL]
        for contact in balls or own:
            floor[contact.first : contact.stop, i] = stand_height(foot, contact)
        floor[:, i] = _filled(floor[:, i])
    unknown = np.isnan(floor).any(axis=0)
    if unknown.all():
        lowest = _lowest(feet) if origin is None else min(_lowest(feet), origin)
        return np.broadcast_to(lowest, floor.shape).copy()
    floor[:, unknown] = floor[:, ~unknown].mean(axis=1, keepdims=True)
    return floor


def stand_height(foot: Foot, contact: Contact) -> float:
    """Height of the floor, or of a level above it, under a contact, metres."""
    trim = int(BODY.roll_share * (contact.stop - contact.first))
    heights = foot.points[contact.first + trim : contact.stop - trim, contact.point, 2]
    lowest = np.sort(heights)[int(FLOOR.stand_part * len(heights))]
    return float(lowest - foot.clearance[contact.point])


def _filled(heights: Floats) -> Floats:
    """Heights (f,) with straight lines in place of NaN, if not all of them are."""
    known = np.flatnonzero(~np.isnan(heights))
    if not known.size:
        return heights
    return np.interp(np.arange(len(heights)), known, heights[known])


def _lowest(feet: Sequence[Foot]) -> float:
    """Height of the floor if the lowest points of the clip are on it."""
    above = np.stack([foot.points[..., 2] - foot.clearance for foot in feet])
    return float(above.min())
