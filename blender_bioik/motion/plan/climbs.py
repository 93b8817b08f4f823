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
from .ground_steps import GroundSteps


class Climbs(NamedTuple):
    """What is done with each stand, and the climbs they belong to.

    Attributes:
        levels: The stands.
        uses: MATCH, PUT or KEEP of each stand; PUT for those on the floor.
        held: Heights of rungs and the like, which are too narrow to be walked on: stands on them
            keep these, metres; NaN for others; (n,).
        climbs: The climbs.
        underfoot: The ground without such rungs, which feet are level on and need not avoid.
    """

    levels: Levels
    uses: tuple[str, ...]
    held: Floats
    climbs: tuple[Climb, ...]
    underfoot: Underfoot

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the user has to know about the climbs."""
        return climb_findings(self.climbs)


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
    uses, held = [PUT] * len(levels.stands), np.full(len(levels.stands), np.nan)
    climbs = []
    for number in np.flatnonzero(~levels.elevated):
        uses[number] = KEEP if levels.stands[number].level == KEEP else PUT
    for first, stop in levels.sections():
        section = range(first, stop)
        rows = _rows(levels, first, stop)
        heights = levels.elevations[first:stop]
        steps = GroundSteps.below(levels, section, feet, underfoot, scale)
        borne = hands is not None and bool(hands[slice(*rows)].any())
        keeps = borne or heights.max() > LEVELS.high * scale
        automatic = MATCH if steps.explain(heights) else KEEP if keeps else PUT
        own = [levels.stands[k].level for k in section]
        uses[first:stop] = [_first_choice(each, wanted, automatic) for each in own]
        use = max(uses[first:stop], key=uses[first:stop].count)
        chosen = wanted != AUTO or any(each != AUTO for each in own)
        climbs.append(Climb(*rows, float(heights.max()), use, borne, chosen))
        if steps.narrow:
            matched = [k for k in section if uses[k] == MATCH]
            for k in matched:
                uses[k], held[k] = KEEP, steps.heights[k - first]
            if matched:
                underfoot = underfoot.below(*_around(levels, first, stop), steps.bottom)
    return Climbs(levels, tuple(uses), held, tuple(climbs), underfoot)


def kept_heights(climbs: Climbs, lifts: Floats) -> Floats:
    """Heights of what is under each stand if it keeps its height, metres; (n,).

    Stands on rungs have these. Others are moved up and down with the stands on the floor before and
    after the climb.

    Args:
        climbs: The stands.
        lifts: How far stands on the floor are raised onto the ground, metres, NaN for others; (n,).
    """
    levels, known = climbs.levels, ~np.isnan(lifts)
    if not levels.stands:
        return lifts
    floor = levels.heights - levels.elevations
    lift = levels.between_floor(lifts, known) if known.any() else 0.0
    if not known.any():
        lift = float(np.median(climbs.underfoot.altitude)) - float(np.median(floor))
    return np.where(np.isnan(climbs.held), levels.heights + lift, climbs.held)


def _first_choice(*uses: str) -> str:
    """The first that is not AUTO."""
    return next(use for use in uses if use != AUTO)


def _rows(levels: Levels, first: int, stop: int) -> Rows:
    """The rows of a run of stands."""
    stands = levels.stands[first:stop]
    return min(stand.first for stand in stands), max(stand.stop for stand in stands)


def _around(levels: Levels, first: int, stop: int) -> Rows:
    """The rows of a run of stands, and of each foot's stands before and after it."""
    begin, end = _rows(levels, first, stop)
    feet = {stand.foot for stand in levels.stands[first:stop]}
    for foot in feet:
        own = [stand for stand in levels.stands if stand.foot == foot]
        before = [stand.first for stand in own if stand.first < begin]
        after = [stand.stop for stand in own if stand.stop > end]
        begin, end = min(begin, max(before, default=0)), max(end, min(after, default=end))
    return begin, end
