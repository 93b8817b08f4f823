"""Walks as recordings and libraries have them: shaken, on tilted or uneven floors, in place.

The levels and the tilt are those of the place where it was recorded; they are not in the scene.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from demo.gait import about_x

from ..body import Body
from ..posing import Motion
from .gait import Gait, walk

NOISE = 0.0024  # of the leg: 2 mm for a person
SLOPE = 0.03  # of the recorded floor
# Of the leg: 10 and 5 cm for a person, in steps that follow each other.
LEVELS = (0.0, 0.12, 0.06, 0.0, 0.12)


def noisy_walk(body: Body) -> Motion:
    """A walk whose pelvis and ankles are shaken by 2 mm in each frame."""
    return walk(body, Gait("Noisy Walk", noise=NOISE))


def uneven_walk(body: Body) -> Motion:
    """A walk over blocks of different heights."""
    return walk(body, Gait("Uneven Walk", levels=LEVELS, lift=0.16))


def drifting_walk(body: Body) -> Motion:
    """A walk on a floor that seems to rise, because the recording is tilted."""
    motion = walk(body, Gait("Drifting Walk"))
    tilt = about_x(np.array(-np.arctan(SLOPE)))
    return replace(
        motion,
        turns={role: tilt @ turns for role, turns in motion.turns.items()},
        heads={role: heads @ tilt.T for role, heads in motion.heads.items()},
    )


def in_place_walk(body: Body) -> Motion:
    """A walk that gets nowhere, as on a treadmill: no foot stands still."""
    motion = walk(body, Gait("In Place Walk"))
    root = motion.heads[body.root]
    speed = (root[-1] - root[0]) / (len(root) - 1) * (0.0, 1.0, 0.0)
    way = np.arange(len(root))[:, None] * speed
    heads = {role: path - way for role, path in motion.heads.items()}
    return replace(motion, heads=heads, touches=())
