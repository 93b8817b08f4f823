"""Clips without root motion: the feet walk on a virtual treadmill while the body stays in place.

A planted foot moves with the belt. The belt's velocity is the most frequent one of low feet.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial import KDTree

from ..feet import BALL, HEEL, TIP, Contact, Floats, Foot
from ..tuning import BODY
from .contacts import (
    Rows,
    floor_heights,
    is_upright,
    near_floor,
    runs,
    speeds,
    velocities,
)
from .tuning import CONTACTS, IN_PLACE


def is_in_place(feet: Sequence[Foot], pelvis: Floats, rate: float, scale: float) -> bool:
    """Whether a clip has no root motion: planted feet slide while the body stays in place.

    Standing, turning or jumping on the spot does not count: there planted feet do not move.

    Args:
        feet: The feet, over the same f frames.
        pelvis: Place of the pelvis; (f, 3).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    belt, share = _belt(feet, rate, scale)
    speed = float(np.linalg.norm(belt))
    if speed < CONTACTS.noise_speed * scale or share < IN_PLACE.least_share:
        return False
    travel = np.linalg.norm(pelvis[-1, :2] - pelvis[0, :2]) * rate / (len(pelvis) - 1)
    return bool(travel < (1.0 - IN_PLACE.carried) * speed) and _come_back(feet, belt / speed)


def _come_back(feet: Sequence[Foot], direction: Floats) -> bool:
    """Whether feet get hardly further along a direction (2,) than they come back: they walk."""
    ways = [np.diff(foot.points[:, BALL, :2], axis=0) @ direction for foot in feet]
    along = float(np.sum([np.maximum(way, 0.0).sum() for way in ways]))
    return abs(float(np.sum([way.sum() for way in ways]))) < IN_PLACE.carried * along


def belt_velocity(feet: Sequence[Foot], rate: float, scale: float) -> Floats:
    """Velocity in plan view of planted feet in a clip animated in place; (2,), m/s."""
    return _belt(feet, rate, scale)[0]


def find_sliding_contacts(
    feet: Sequence[Foot], rate: float, scale: float, floor: float | None = None
) -> list[Contact]:
    """Contacts of a clip animated in place: when points are low and move with the belt.

    They all slide. Belts of hand-made clips are uneven, so their speed has a wider tolerance; see
    `find_contacts` for the arguments.
    """
    belt = belt_velocity(feet, rate, scale)
    speed = float(np.linalg.norm(belt))
    points = np.stack([foot.points for foot in feet], axis=1)
    along = velocities(points, rate)[..., :2] @ (belt / max(speed, 1e-12))
    on_belt = near_floor(points, feet, rate, scale, floor) & (along > IN_PLACE.carried * speed)
    gap = int(CONTACTS.least_seconds * rate)
    least = max(IN_PLACE.least_frames, gap)
    found = []
    for i, foot in enumerate(feet):
        upright = is_upright(foot)
        for point in (HEEL, BALL, TIP):
            on_floor = [
                _while_level(points[:, i, point, 2], rows, IN_PLACE.same_height * scale)
                for rows in _joined(runs(on_belt[:, i, point]), gap)
                if rows[1] - rows[0] >= least and upright[slice(*rows)].any()
            ]
            for rows in _joined(on_floor, gap):
                first, stop = _unlifted(points[:, i, point, 2], rows, IN_PLACE.lifted * scale)
                found.append(Contact(i, point, first, stop, slides=True))
    return found


def with_still_stands(
    sliding: Sequence[Contact],
    found: Sequence[Contact],
    feet: Sequence[Foot],
    rate: float,
    scale: float,
) -> list[Contact]:
    """Sliding contacts, and those of feet that the clip keeps still before or after it walks.

    Such a foot stands for longer than a step and does not move with the belt.

    Args:
        sliding: Contacts that slide, by `find_sliding_contacts`.
        found: Contacts that do not, by `find_contacts`.
        feet: The feet.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    slow = IN_PLACE.carried * float(np.linalg.norm(belt_velocity(feet, rate, scale)))
    still = [
        contact
        for contact in found
        if contact.stop - contact.first > BODY.step_seconds * rate
        and np.median(_speed(feet[contact.foot], contact, rate)) < slow
    ]
    cut = [part for contact in sliding for part in _apart_from(contact, still)]
    return sorted([*cut, *still])


def _speed(foot: Foot, contact: Contact, rate: float) -> Floats:
    """Speed of a contact's point in its rows, m/s."""
    return speeds(foot.points[:, contact.point], rate)[contact.first : contact.stop]


def _apart_from(contact: Contact, others: Sequence[Contact]) -> list[Contact]:
    """What is left of a contact beside others of the same point."""
    rows = np.zeros(contact.stop + 1, bool)
    rows[contact.first : contact.stop] = True
    for other in others:
        if (other.foot, other.point) == (contact.foot, contact.point):
            rows[other.first : other.stop] = False
    return [contact._replace(first=first, stop=stop) for first, stop in runs(rows)]


def _unlifted(heights: Floats, rows: Rows, most: float) -> Rows:
    """Rows, trimmed at both ends where a point is higher than in the middle, with a margin."""
    first, stop = rows
    own = heights[first:stop]
    low = np.flatnonzero(own - np.median(own) < most)
    return first + int(low[0]), first + int(low[-1]) + 1


def _while_level(heights: Floats, rows: Rows, most: float) -> Rows:
    """Rows, extended at both ends while a point is as high within a margin, metres."""
    first, stop = rows
    level = np.abs(heights - np.median(heights[first:stop])) < most
    before, after = np.flatnonzero(~level[:first]), np.flatnonzero(~level[stop:])
    begin = int(before[-1]) + 1 if len(before) else 0
    end = stop + int(after[0]) if len(after) else len(heights)
    return begin, end


def _joined(stretches: Sequence[Rows], gap: int) -> list[Rows]:
    """Merge stretches that are at most a gap apart."""
    joined: list[Rows] = []
    for first, stop in stretches:
        if joined and first - joined[-1][1] <= gap:
            joined[-1] = joined[-1][0], stop
        else:
            joined.append((first, stop))
    return joined


def _belt(feet: Sequence[Foot], rate: float, scale: float) -> tuple[Floats, float]:
    """The most frequent velocity (2,) of low balls, and the share of them that has it."""
    balls = np.stack([foot.points[:, BALL] for foot in feet], axis=1)
    if len(balls) < 2:
        return np.zeros(2), 0.0
    heights, velocity = balls[..., 2], velocities(balls, rate)
    low = heights - floor_heights(heights, rate) < CONTACTS.height * scale
    # A clip may stand still for a while: that says nothing about how it walks.
    low &= (np.linalg.norm(velocity, axis=-1) > CONTACTS.noise_speed * scale).any(axis=1)[:, None]
    if not low.any():
        return np.zeros(2), 0.0
    # Foot by foot, because frame by frame every second one could belong to the swinging foot.
    velocity = velocity.swapaxes(0, 1)[low.T][:, :2]
    tree = KDTree(velocity)
    alike = tree.query_ball_point(velocity, _tolerance(velocity, scale), return_length=True)
    most = velocity[int(alike.argmax())]
    belt = velocity[tree.query_ball_point(most, _tolerance(most, scale))].mean(axis=0)
    share = len(tree.query_ball_point(belt, _tolerance(belt, scale))) / len(velocity)
    return belt, share


def _tolerance(velocity: Floats, scale: float) -> Floats:
    """How far others may be from velocities (..., 2) and still be the same, m/s; (...)."""
    speed = np.linalg.norm(velocity, axis=-1)
    return np.asarray(CONTACTS.noise_speed * scale + (1.0 - IN_PLACE.carried) * speed)
