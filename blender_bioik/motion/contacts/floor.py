"""The source floor: its height under each foot, and the clearance of the feet above it.

Recorded floors are tilted and drift, and some clips climb stairs, so there is no single height: the
floor is known where a foot is planted on it, and interpolated between two stances.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..feet import BALL, Contact, Floats, Foot
from ..tuning import BODY
from .tuning import FLOOR


def clearances(points: Floats, contacts: Sequence[Contact]) -> Floats:
    """Clearance of the sole points above the floor when the feet are flat.

    All feet share one floor, which may drift and rise along the path, but only steadily:
    alternating heights from stance to stance mean that one foot's joints are higher than the
    other's.

    Args:
        points: Places of heel, ball and tip of each foot; (f, feet, 3, 3).
        contacts: Their contacts.

    Returns:
        Metres, (feet, 3); the smallest is zero.
    """
    feet = points.shape[1]
    stands = sorted((c for c in contacts if c.point == BALL), key=lambda c: c.first + c.stop)
    if not stands:
        lowest = points[..., 2].min(axis=0)
        return np.asarray(lowest - lowest.min())
    heights = np.stack([_lowest_of(points[:, stand.foot], stand) for stand in stands])
    foot = np.array([stand.foot for stand in stands])
    # Unknowns: the floor of each stance, then each point's clearance.
    count, unknowns = len(stands), len(stands) + 3 * feet
    rows = np.zeros((3 * count, unknowns))
    for point in range(3):
        each = np.arange(count)
        rows[3 * each + point, each] = 1.0
        rows[3 * each + point, count + 3 * foot + point] = 1.0
    steady = np.zeros((max(0, count - 2), unknowns))
    steady[:, :count] = np.diff(np.eye(count), n=2, axis=0)[: len(steady)]
    # Weak equations for a foot without stances, and for the floor's absolute height.
    anchor = 1e-3 * np.eye(unknowns)
    weight = np.ones(3 * count)
    for _ in range(BODY.rounds):  # an outlier counts less than the others
        system = np.concatenate([rows * weight[:, None], steady, anchor])
        right = np.concatenate([heights.ravel() * weight, np.zeros(len(steady) + unknowns)])
        found = np.linalg.lstsq(system, right, rcond=None)[0]
        off = np.abs(rows @ found - heights.ravel())
        weight = 1.0 / np.sqrt(np.maximum(off / FLOOR.usual_error, 1.0))
    above = found[count:].reshape(feet, 3)
    standing = np.isin(np.arange(feet), foot)
    above[~standing] = above[standing].mean(axis=0)
    return np.asarray(above - above.min())


def _lowest_of(points: Floats, stand: Contact) -> Floats:
    """Lowest heights of a foot's points (f, 3, 3) in the middle of a stance; (3,)."""
    trim = int(BODY.roll_share * (stand.stop - stand.first))
    middle = points[stand.first + trim : stand.stop - trim, :, 2]
    return np.asarray(middle.min(axis=0))


def source_floor(
    feet: Sequence[Foot], contacts: Sequence[Contact], height: float | None = None
) -> Floats:
    """Height of the floor under each foot over time.

    Args:
        feet: The feet, over the same f frames.
        contacts: Their contacts.
        height: Height of the whole floor, metres, if known.

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
            floor[contact.first : contact.stop, i] = _stand_height(foot, contact)
        floor[:, i] = _filled(floor[:, i])
    unknown = np.isnan(floor).any(axis=0)
    if unknown.all():
        return np.broadcast_to(_lowest(feet), floor.shape).copy()
    floor[:, unknown] = floor[:, ~unknown].mean(axis=1, keepdims=True)
    return floor


def _stand_height(foot: Foot, contact: Contact) -> float:
    """Height of the floor under a contact."""
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
    return float(np.quantile(above.min(axis=(0, 2)), FLOOR.lowest_part))
