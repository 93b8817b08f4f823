"""When parts of the body rest on the source's floor.

As with feet, what counts is that a point of the part is low and stays at its place. A part that
is low for longer than a step, but moves, slides or rolls on the floor. Neither is a hand that only
swings past it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ..contacts.contacts import Mask, Rows, point_stands, runs
from ..contacts.tuning import CONTACTS
from ..feet import BALL, Contact, Floats
from ..tuning import BODY
from .part import HALVES, Part


def find_rests(parts: Sequence[Part], floor: Floats, rate: float, scale: float) -> list[Contact]:
    """Contacts of parts of the body, with their numbers in place of those of feet.

    There are none at all unless something rests at its place for half a step: what only moves close
    to the floor does not clearly bear. Tails need not bear: they may drag along.

    Args:
        parts: The parts, over the same f frames.
        floor: Height of the source's floor under the body, metres; (f,).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    found: list[Contact] = []
    for number, part in enumerate(parts):
        near = is_near(part, floor, scale)
        stands = _stands(part, near, rate, scale)
        moving = near.copy()
        for first, stop in stands:
            moving[first:stop] = False
        found += [Contact(number, BALL, *rows) for rows in stands]
        found += [
            Contact(number, BALL, first, stop, slides=True)
            for first, stop in runs(moving)
            if stop - first >= BODY.step_seconds * rate
        ]
    limbs = {part.bone for part in parts if part.limb is not None}
    found = [each for each in found if not _is_of_next(each, parts[each.foot], limbs, floor, scale)]
    if not any(_lasts(each, len(floor), rate) for each in found):
        found = [each for each in found if not parts[each.foot].bears]
    return sorted(found, key=lambda contact: (contact.foot, contact.first))


def _lasts(contact: Contact, frames: int, rate: float) -> bool:
    """Whether a part stays at its place for half a step, of which the clip may cut off a half."""
    least = 0.5 * BODY.step_seconds * rate
    if contact.first == 0 or contact.stop == frames:
        least *= 0.5
    return not contact.slides and contact.stop - contact.first >= least


def _is_of_next(
    contact: Contact, part: Part, limbs: Collection[str], floor: Floats, scale: float
) -> bool:
    """Whether only the far end of a part is low, where the next part of the limb begins."""
    if part.following not in limbs:
        return False
    rows = slice(contact.first, contact.stop)
    near = part.lowest.world[rows, 0, 2] - floor[rows] < CONTACTS.height * scale
    return bool(near.mean() < 0.5)


def is_near(part: Part, floor: Floats, scale: float) -> Mask:
    """In which rows a part may rest on the floor; (f,).

    What is further below it than what rests is above it only sinks through it, such as a hat.
    """
    return np.asarray(part.free & (np.abs(part.heights - floor) < CONTACTS.height * scale))


def support_level(parts: Sequence[Part], floor: Floats, origin: float, scale: float) -> Floats:
    """Height of the floor (f,) where no foot stands: what the lowest parts rest on.

    It is at the origin if the lowest parts are about there.

    Args:
        parts: The parts.
        floor: What is taken for the floor; (f,).
        origin: Height of the armature's origin, which is near it.
        scale: Size of the character relative to one of 1.6 m.
    """
    lowest = np.min([part.heights for part in parts], axis=0)
    level = float(np.median(lowest))
    off, near = abs(level - origin), CONTACTS.height * scale
    if not 0.5 * near < off < 2.0 * near:  # as near as surfaces are known, or no floor at all
        return floor
    return np.full_like(floor, level)


def _stands(part: Part, near: Mask, rate: float, scale: float) -> list[Rows]:
    """Rows in which a point of a part stays at its place, by the point that does so longest."""
    if not near.any():
        return []
    best: list[Rows] = []
    for local in still_points(part, near, scale):
        found = point_stands(part.path(local), near, rate, scale)
        free = [rows for each in found if (rows := _while_free(part.free, each))]
        stands = [rows for rows in free if near[slice(*rows)].mean() > 0.5]
        if _length(stands) > _length(best):
            best = stands
    return best


def _while_free(free: Mask, rows: Rows) -> Rows | None:
    """Rows without those at both ends in which a part may not rest."""
    allowed = rows[0] + np.flatnonzero(free[slice(*rows)])
    return (int(allowed[0]), int(allowed[-1]) + 1) if len(allowed) else None


def still_points(part: Part, rows: Mask | slice, scale: float) -> Floats:
    """Points of a part that may stay at their place in some rows, in its bone's frame; (n, 3).

    What is lowest most of the time, and the joints just above the floor, such as wrist and knee.
    """
    lowest = part.lowest
    half = lowest.world[rows, :, 2].argmin(axis=1)
    local = lowest.local[rows][np.arange(len(half)), half]
    places, count = np.unique(np.round(local, 6), axis=0, return_counts=True)
    above = [np.median((part.path(joint)[:, 2] - part.heights)[rows]) for joint in part.joints]
    low = part.joints[np.array(above) < 2.0 * CONTACTS.height * scale]
    return np.concatenate([low, places[np.argsort(-count)[:HALVES]]])


def _length(stretches: Sequence[Rows]) -> int:
    return sum(stop - first for first, stop in stretches)
