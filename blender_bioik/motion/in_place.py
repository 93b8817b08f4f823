"""Clips without root motion: the feet walk as on a treadmill while the body stays.

There a planted foot does not stand, it moves with the belt. The belt's velocity is the one that
low feet have most often. Seen from the belt such a clip is like any other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .contacts import find_contacts, floor_heights, velocities
from .feet import BALL, Contact, Floats, Foot

# A ball less than this above the floor near by may be on the belt, metres at 1.6 m of height.
BELT_HEIGHT = 0.03
# Velocities that differ by less than this and this share of them are the same, m/s at 1.6 m.
SAME_VELOCITY = 0.15
SAME_SHARE = 0.15
# Slower belts are feet that slip a little, m/s at 1.6 m.
LEAST_BELT = 0.12
# What share of the low frames must move with a belt.
LEAST_SHARE = 0.4
# How fast the body may travel relative to the belt.
MOST_TRAVEL = 0.3
# So many of the low frames are compared with each other.
COMPARED = 600


def is_in_place(feet: Sequence[Foot], pelvis: Floats, rate: float, scale: float) -> bool:
    """Whether a clip has no root motion: planted feet slide while the body stays where it is.

    Standing, turning or jumping on the spot is not meant: there planted feet stand still.

    Args:
        feet: The feet, over the same f frames.
        pelvis: Place of the pelvis; (f, 3).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    belt, share = _belt(feet, rate, scale)
    speed = float(np.linalg.norm(belt))
    if speed < LEAST_BELT * scale or share < LEAST_SHARE:
        return False
    travel = np.linalg.norm(pelvis[-1, :2] - pelvis[0, :2]) * rate / (len(pelvis) - 1)
    return bool(travel < MOST_TRAVEL * speed)


def belt_velocity(feet: Sequence[Foot], rate: float, scale: float) -> Floats:
    """Velocity in plan view of feet that are planted in a clip in place; (2,), m/s."""
    return _belt(feet, rate, scale)[0]


def find_sliding_contacts(
    feet: Sequence[Foot], rate: float, scale: float, floor: float | None = None
) -> list[Contact]:
    """Contacts of a clip in place, all of them sliding; see `find_contacts`."""
    belt = np.append(belt_velocity(feet, rate, scale), 0.0)
    standing = []
    for foot in feet:
        passed = (np.arange(len(foot.points)) / rate)[:, None] * belt
        standing.append(replace(foot, points=foot.points - passed[:, None]))
    return [
        contact._replace(slides=True) for contact in find_contacts(standing, rate, scale, floor)
    ]


def _belt(feet: Sequence[Foot], rate: float, scale: float) -> tuple[Floats, float]:
    """The velocity (2,) that low balls have most often, and the share of them that has it."""
    balls = np.stack([foot.points[:, BALL] for foot in feet], axis=1)
    if len(balls) < 2:
        return np.zeros(2), 0.0
    heights = balls[..., 2]
    low = heights - floor_heights(heights, rate) < BELT_HEIGHT * scale
    velocity = velocities(balls, rate)[low][:, :2]
    some = velocity[:: -(-len(velocity) // COMPARED)]
    near = _is_near(some[:, None], some, scale)
    most = near.sum(axis=1).argmax()
    belt = some[near[most]].mean(axis=0)
    return belt, float(_is_near(belt, velocity, scale).mean())


def _is_near(velocity: Floats, others: Floats, scale: float) -> Floats:
    limit = SAME_VELOCITY * scale + SAME_SHARE * np.linalg.norm(velocity, axis=-1)
    return np.asarray(np.linalg.norm(others - velocity, axis=-1) < limit)
