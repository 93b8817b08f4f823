"""Sketches of the ground around what touches it, to detect later in which frames it has changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...motion.feet import Contact, Foot, Ints
from ...motion.ground.terrain import Terrain
from ...motion.rests.part import Part
from ...motion.rests.resting import Resting
from ...motion.rests.tuning import HOLDS
from ...motion.tuning import BODY
from ..transforms import Floats
from .digests import row_sketches

# Where the ground is looked at around feet and other parts, metres for a character of 1.6 m.
REACH, POINTS = 0.6, 7
GROUND, RESTS, HELD = 4 << 8, 5 << 8, 6 << 8


def ground_sketches(
    terrain: Terrain, feet: Sequence[Foot], resting: Resting, rate: float, scale: float
) -> Floats:
    """Sketches of the ground around what touches it in the source, frame by frame.

    That is its height around each foot, and around other parts where they rest, or are about to;
    and of what these hold, where it is.
    """
    every = np.arange(len(feet[0].points))
    heights = [
        _heights(terrain, foot.points[:, 1], foot.knee[:, 2] + scale, every, scale) for foot in feet
    ]
    sketches = row_sketches(np.concatenate(heights, axis=1), GROUND)
    around = round(BODY.step_seconds * rate)
    for number, part in enumerate(resting.parts):
        own = [contact for contact in resting.contacts if contact.foot == number]
        near = np.zeros(len(every), bool)
        for contact in own:
            near[max(0, contact.first - around) : contact.stop + around] = True
            if contact.held is not None:
                rows = every[contact.first : contact.stop]
                salt = HELD + (number << 16)
                sketches[rows] += row_sketches(_held(terrain, part, contact, rows, scale), salt)
        if near.any():
            rows, place = every[near], part.place[near]
            found = _heights(terrain, place, place[:, 2] + scale, rows, scale)
            sketches[rows] += row_sketches(found, RESTS + (number << 16))
    return sketches


def _heights(terrain: Terrain, places: Floats, ceiling: Floats, rows: Ints, scale: float) -> Floats:
    """Heights of the ground around places (n, 3) of some rows, (n,); (n, points)."""
    reach = np.linspace(-REACH, REACH, POINTS) * scale
    grid = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    points = places[:, None] + np.pad(grid, ((0, 0), (0, 1)))
    at, below = np.repeat(rows, len(grid)), np.repeat(ceiling, len(grid))
    return terrain.below(points.reshape(-1, 3), at, below).height.reshape(len(places), -1)


def _held(terrain: Terrain, part: Part, contact: Contact, rows: Ints, scale: float) -> Floats:
    """Where that is which a part holds, and its distances from points around it; (rows, n)."""
    reach = HOLDS.reach * scale
    off = np.concatenate([np.zeros((1, 3)), reach * np.eye(3), -reach * np.eye(3)])
    points = (part.place[rows, None] + np.array(contact.held) + off).reshape(-1, 3)
    apart = terrain.distance(points, np.repeat(rows, len(off)), np.full(len(points), 2.0 * reach))
    held = np.broadcast_to(np.array(contact.held), (len(rows), 3))
    return np.concatenate([held, apart.reshape(len(rows), -1)], axis=1)
