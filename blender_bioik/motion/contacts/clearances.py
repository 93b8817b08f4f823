"""The clearance of the sole points above the floor when the feet are flat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..feet import BALL, Contact, Floats
from ..tuning import BODY
from .levels import in_order, level_changes
from .tuning import CONTACTS


def clearances(points: Floats, contacts: Sequence[Contact], scale: float) -> Floats:
    """Clearance of the sole points above the floor when the feet are flat.

    All feet share one floor, which may drift and rise along the path, but only steadily:
    alternating heights from stance to stance mean that one foot's joints are higher than the
    other's. Steps, boxes and rungs are taken off first, and say nothing about that.

    Args:
        points: Places of heel, ball and tip of each foot; (f, feet, 3, 3).
        contacts: Their contacts.
        scale: Size of the character relative to one of 1.6 m.

    Returns:
        Metres, (feet, 3); the smallest is zero.
    """
    feet = points.shape[1]
    stands = in_order(contacts)
    if not stands:
        lowest = points[..., 2].min(axis=0)
        return np.asarray(lowest - lowest.min())
    heights = np.stack([_lowest_of(points[:, stand.foot], stand) for stand in stands])
    places = np.stack([points[s.first : s.stop, s.foot, BALL, :2].mean(axis=0) for s in stands])
    changes = level_changes(places, heights[:, BALL], scale)
    heights[1:] -= np.cumsum(changes)[:, None]
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
    steady = steady[(changes[1:] == 0.0) & (changes[:-1] == 0.0)]
    # Weak equations for a foot without stances, and for the floor's absolute height.
    anchor = 1e-3 * np.eye(unknowns)
    weight = np.ones(3 * count)
    for _ in range(BODY.rounds):  # an outlier counts less than the others
        system = np.concatenate([rows * weight[:, None], steady, anchor])
        right = np.concatenate([heights.ravel() * weight, np.zeros(len(steady) + unknowns)])
        found = np.linalg.lstsq(system, right, rcond=None)[0]
        off = np.abs(rows @ found - heights.ravel())
        weight = 1.0 / np.sqrt(np.maximum(off / CONTACTS.arrived, 1.0))
    above = found[count:].reshape(feet, 3)
    standing = np.isin(np.arange(feet), foot)
    above[~standing] = above[standing].mean(axis=0)
    return np.asarray(above - above.min())


def _lowest_of(points: Floats, stand: Contact) -> Floats:
    """Lowest heights of a foot's points (f, 3, 3) in the middle of a stance; (3,)."""
    trim = int(BODY.roll_share * (stand.stop - stand.first))
    middle = points[stand.first + trim : stand.stop - trim, :, 2]
    return np.asarray(middle.min(axis=0))
