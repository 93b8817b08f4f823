"""Steps of the ground at about the heights of a climb: treads, boxes and rungs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..contacts.levels import Levels
from ..feet import Floats, Foot
from ..ground.underfoot import Underfoot
from ..tuning import BODY
from .footprint import Footprint

# The ground explains heights if what is left is less than this share of them.
EXPLAINED = 0.5


class GroundSteps(NamedTuple):
    """The ground's own steps below the stands of a climb.

    Attributes:
        heights: Height of each that is about as high as its stand, metres, NaN where there is none;
            (n,).
        apart: How far each is from the height of its stand, at most that height, metres; (n,).
        narrow: Whether most of some sole is beside its step, as on a rung.
        bottom: Height below which the ground is under the climb, metres.
    """

    heights: Floats
    apart: Floats
    narrow: bool
    bottom: float

    @classmethod
    def below(
        cls,
        levels: Levels,
        section: range,
        feet: Sequence[Foot],
        underfoot: Underfoot,
        scale: float,
    ) -> GroundSteps:
        """Look for them.

        Args:
            levels: The stands of the clip.
            section: Which of them belong to the climb.
            feet: The feet.
            underfoot: The ground.
            scale: Size of the character relative to one of 1.6 m.
        """
        lowest = float(levels.elevations[section].min())
        base = levels.between_floor(
            _below_path(levels, underfoot, EXPLAINED * lowest), ~levels.elevated
        )
        heights, apart = np.full(len(section), np.nan), np.zeros(len(section))
        narrow = False
        for number, k in enumerate(section):
            rise = float(levels.elevations[k])
            expected = float(base[k]) + rise
            found = _below_sole(levels, feet, underfoot, k, expected, EXPLAINED * rise)
            off = np.abs(found - expected)
            nearest = int(off.argmin())
            apart[number] = min(off[nearest], rise)
            if off[nearest] < EXPLAINED * rise:
                heights[number] = found[nearest]
                carries = np.abs(found - found[nearest]) < BODY.wall * scale
                narrow = narrow or carries.mean() < EXPLAINED
        return cls(heights, apart, narrow, float(base[section].min()) + EXPLAINED * lowest)

    def explain(self, rises: Floats) -> bool:
        """Whether they explain how high the stands are above the floor, metres; (n,)."""
        return bool(self.apart.sum() < EXPLAINED * rises.sum())


def _below_path(levels: Levels, underfoot: Underfoot, above: float) -> Floats:
    """The ground below each stand up to so much above the path, metres; (n,)."""
    rows = np.array([stand.first for stand in levels.stands])
    points = np.pad(levels.places, ((0, 0), (0, 1)))
    path = underfoot.altitude[rows]
    found = underfoot.terrain.below(points, rows, path + above).height
    return np.where(np.isnan(found), path, found)


def _below_sole(
    levels: Levels, feet: Sequence[Foot], underfoot: Underfoot, k: int, height: float, above: float
) -> Floats:
    """The surfaces all along the sole of a stand that are nearest to a height, metres; (n,).

    Args:
        levels: The stands of the clip.
        feet: The feet.
        underfoot: The ground.
        k: The stand.
        height: The height.
        above: Surfaces that are higher by more are not looked at.

    Returns:
        Heights, -inf where there is no surface.
    """
    stand = levels.stands[k]
    sole = Footprint(feet[stand.foot], slice(stand.first, stand.stop)).sole()
    points = np.zeros((len(sole), 3))
    points[:, :2] = levels.places[k] + sole
    rows, nearest = np.full(len(sole), stand.first), np.full(len(sole), -np.inf)
    ceilings = np.full(len(sole), height + above)
    while (ceilings > height).any():
        found = underfoot.terrain.below(points, rows, ceilings).height
        found = np.where(np.isnan(found), -np.inf, found)
        nearest = np.where(np.abs(found - height) < np.abs(nearest - height), found, nearest)
        ceilings = np.nextafter(found, -np.inf)
    return nearest
