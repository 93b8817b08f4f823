"""What was done where a clip is above its floor, and how to change it, for the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...findings import CLIMB, Finding
from ..feet import KEEP, MATCH, PUT


class Climb(NamedTuple):
    """A part of a clip above its floor.

    Attributes:
        first: First row in which a foot stands there.
        stop: The row after the last one.
        height: Height of the highest stand above the floor, metres.
        use: What is done: MATCH, PUT or KEEP.
        hands: Whether hands bear.
        chosen: Whether the user chose that.
    """

    first: int
    stop: int
    height: float
    use: str
    hands: bool
    chosen: bool


def climb_findings(climbs: Sequence[Climb]) -> tuple[Finding, ...]:
    """A finding for all climbs of which the same was made; they have the rows of all of them."""
    by_use = ([climb for climb in climbs if climb.use == use] for use in (KEEP, MATCH, PUT))
    return tuple(
        Finding(_climb_note(alike), CLIMB, row=alike[0].first, last=alike[-1].stop - 1)
        for alike in by_use
        if alike
    )


def _climb_note(alike: Sequence[Climb]) -> str:
    height = f"{max(climb.height for climb in alike):.2f}"
    if alike[0].use == MATCH:
        return (
            f"the clip climbs up to {height} m above its floor, and feet are on the steps of the "
            "ground at about these heights"
        )
    if alike[0].use == PUT:
        return (
            f"the clip climbs up to {height} m above its floor, and feet are put on the ground: to "
            "keep their height, set Levels to Keep Height"
        )
    if any(climb.hands and not climb.chosen for climb in alike):
        return (
            f"the clip climbs up to {height} m above its floor, and feet keep that height because "
            "hands bear: to put them on the ground, set Levels to Put on Ground"
        )
    return (
        f"the clip climbs up to {height} m above its floor, and feet keep that height: to put them "
        "on the ground, set Levels to Put on Ground"
    )
