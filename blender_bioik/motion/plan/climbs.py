"""Climbs: stands above the source's floor, and what is done with them.

Where the ground has steps of its own at about the heights of a climb, feet go onto these. Where it
has none, a few treads or uneven ground are put onto the ground, and what is higher, or borne by
hands, is of something that the scene does not have: it keeps its height.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...findings import Finding
from ..contacts.contacts import Mask, Rows
from ..contacts.levels import Levels, find_levels
from ..contacts.tuning import LEVELS
from ..feet import AUTO, KEEP, MATCH, PUT, Contact, Floats, Foot
from ..ground.underfoot import Underfoot
from .climb_findings import Climb, climb_findings
from .footprint import Footprint

# The ground explains heights if what is left is less than this share of them.
EXPLAINED = 0.5


class Support(NamedTuple):
    """A step of the ground that a foot should be on.

    Attributes:
        expected: About how high it should be, metres.
        apart: Ground that is further from that is not it, metres.
        height: Its height, metres.
    """

    expected: float
    apart: float
    height: float


class Climbs(NamedTuple):
    """What is done with each stand, and the climbs they belong to.

    Attributes:
        levels: The stands.
        uses: MATCH, PUT or KEEP of each stand; PUT for those on the floor.
        supports: The ground below each sole that is nearest to its height, metres; infinite if
            there is none, NaN for stands on the floor; (n,).
        expected: About how high each stand is over the ground, metres; (n,).
        climbs: The climbs.
    """

    levels: Levels
    uses: tuple[str, ...]
    supports: Floats
    expected: Floats
    climbs: tuple[Climb, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the user has to know about the climbs."""
        return climb_findings(self.climbs)

    def support(self, k: int) -> Support | None:
        """The step of the ground that a stand should be on; None if any ground will do."""
        if self.uses[k] != MATCH or not np.isfinite(self.supports[k]):
            return None
        apart = EXPLAINED * float(self.levels.elevations[k])
        return Support(float(self.expected[k]), apart, float(self.supports[k]))


def find_climbs(
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    underfoot: Underfoot,
    wanted: str,
    hands: Mask | None,
    scale: float,
) -> Climbs:
    """Decide what is done with each stand above the floor.

    Args:
        feet: The feet.
        contacts: Their contacts.
        underfoot: The ground.
        wanted: What the clip's settings say: AUTO, MATCH, PUT or KEEP.
        hands: In which rows hands bear, None if that is not known; (f,).
        scale: Size of the character relative to one of 1.6 m.
    """
    levels = find_levels(feet, contacts, scale)
    count = len(levels.stands)
    uses, supports = [PUT] * count, np.full(count, np.nan)
    if not count:
        return Climbs(levels, (), supports, supports, ())
    expected = _expected(levels, underfoot)
    for k in np.flatnonzero(levels.elevated):
        supports[k] = _support(levels, feet, underfoot, int(k), expected[k])
    climbs = []
    for first, stop in levels.sections():
        rows = _rows(levels, first, stop)
        own = [levels.stands[k].level for k in range(first, stop)]
        heights = levels.elevations[first:stop]
        borne = hands is not None and bool(hands[slice(*rows)].any())
        apart = np.abs(supports - expected)[first:stop]
        fits = bool(apart.sum() < EXPLAINED * heights.sum())
        keeps = borne or heights.max() > LEVELS.high * scale
        automatic = MATCH if fits else KEEP if keeps else PUT
        uses[first:stop] = [
            next(use for use in (each, wanted, automatic) if use != AUTO) for each in own
        ]
        use = max(uses[first:stop], key=uses[first:stop].count)
        chosen = wanted != AUTO or any(each != AUTO for each in own)
        climbs.append(Climb(*rows, float(heights.max()), use, borne, chosen))
    for k in np.flatnonzero(~levels.elevated):
        uses[k] = KEEP if levels.stands[k].level == KEEP else PUT
    return Climbs(levels, tuple(uses), supports, expected, tuple(climbs))


def kept_heights(climbs: Climbs, lifts: Floats, underfoot: Underfoot) -> Floats:
    """Heights of what is under each stand if it keeps its height, metres; (n,).

    The climb is moved up and down with the stands on the floor before and after it.

    Args:
        climbs: The stands.
        lifts: How far stands on the floor are raised onto the ground, metres, NaN for others; (n,).
        underfoot: The ground.
    """
    levels, known = climbs.levels, ~np.isnan(lifts)
    if not levels.stands:
        return lifts
    if known.any():
        return np.asarray(levels.heights + levels.between_floor(lifts, known))
    floor = levels.heights - levels.elevations
    return np.asarray(
        levels.heights + float(np.median(underfoot.altitude)) - float(np.median(floor))
    )


def _expected(levels: Levels, underfoot: Underfoot) -> Floats:
    """Height of each stand over the ground below the stands on the floor, metres; (n,)."""
    rows = np.array([stand.first for stand in levels.stands])
    ground = underfoot.at(levels.places, rows).height
    return np.asarray(levels.between_floor(ground, ~levels.elevated) + levels.elevations)


def _support(
    levels: Levels, feet: Sequence[Foot], underfoot: Underfoot, k: int, expected: float
) -> float:
    """The ground below a sole that is nearest to a height, infinite if there is none, metres."""
    stand = levels.stands[k]
    sole = Footprint(feet[stand.foot], slice(stand.first, stand.stop)).sole()
    points = np.zeros((len(sole), 3))
    points[:, :2] = levels.places[k] + sole
    ceiling = expected + EXPLAINED * levels.elevations[k]
    rows = np.full(len(sole), stand.first)
    found = underfoot.terrain.below(points, rows, np.full(len(sole), ceiling)).height
    apart = np.where(np.isnan(found), np.inf, np.abs(found - expected))
    nearest = int(apart.argmin())
    return float(found[nearest]) if np.isfinite(apart[nearest]) else np.inf


def _rows(levels: Levels, first: int, stop: int) -> Rows:
    """The rows of a run of stands."""
    stands = levels.stands[first:stop]
    return min(stand.first for stand in stands), max(stand.stop for stand in stands)
