"""The floor that a clip was made on: how high it is under each foot, and the feet above it.

Recorded floors are tilted and drift, and some clips climb stairs, so that there is no one height:
the floor is known where a foot stands on it, and between two stands it goes from one to the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .contacts import floor_heights
from .feet import BALL, Contact, Floats, Foot

# Of the differences between a foot's points at their lowest, the part that is taken for flat: a
# foot that is flat now and then may stand on its ball most of the time.
FLAT_PART = 0.25
# A stand's height is read from its middle, without this share at both ends, where the foot rolls.
ROLL_SHARE = 0.15
# What part of a stand's heights lies below the height it has: noise is not to decide it.
STAND_PART = 0.1
# The same for the floor of a clip without any contact.
LOWEST_PART = 0.02


def clearances(points: Floats, rate: float) -> Floats:
    """How high the sole points of a foot are above its lowest one when it stands flat.

    Args:
        points: Places of heel, ball and tip; (f, 3, 3).
        rate: Frames per second.

    Returns:
        Metres, (3,); the smallest is zero.
    """
    lowest = floor_heights(points[..., 2], rate)
    apart = np.quantile(lowest - lowest.min(axis=1, keepdims=True), FLAT_PART, axis=0)
    return np.asarray(apart - apart.min())


def source_floor(
    feet: Sequence[Foot], contacts: Sequence[Contact], height: float | None = None
) -> Floats:
    """Height of the floor under each foot over time.

    Args:
        feet: The feet, over the same f frames.
        contacts: Their contacts.
        height: Height of the whole floor, metres, if it is known.

    Returns:
        Metres, (f, feet): constant in a contact of the ball, straight between two of them. A foot
        whose ball never stands has the floor of its other points, or else that of the other feet.
    """
    frames = len(feet[0].points)
    floor = np.full((frames, len(feet)), np.nan if height is None else height)
    if height is not None:
        return floor
    for i, foot in enumerate(feet):
        own = [contact for contact in contacts if contact.foot == i]
        balls = [contact for contact in own if contact.point == BALL]
        for contact in balls or own:
            floor[contact.first : contact.stop, i] = _stand_height(foot, contact)
        floor[:, i] = _filled(floor[:, i])
    unknown = np.isnan(floor).any(axis=0)
    if unknown.all():
        return np.broadcast_to(_lowest(feet), floor.shape).copy()
    floor[:, unknown] = floor[:, ~unknown].mean(axis=1, keepdims=True)
    return floor


def _stand_height(foot: Foot, contact: Contact) -> float:
    """Height of the floor under a contact."""
    trim = int(ROLL_SHARE * (contact.stop - contact.first))
    heights = foot.points[contact.first + trim : contact.stop - trim, contact.point, 2]
    lowest = np.sort(heights)[int(STAND_PART * len(heights))]
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
    return float(np.quantile(above.min(axis=(0, 2)), LOWEST_PART))
