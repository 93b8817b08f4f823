"""Sentences about climbs: what was done where a clip is above its floor, and how to change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...motion.feet import KEEP, MATCH
from ...motion.plan.climbs import Climb
from ..transforms import Floats


def climb_notes(climbs: Sequence[Climb], frames: Floats) -> Iterator[str]:
    """A sentence about each climb.

    Args:
        climbs: The climbs, in rows of the clip.
        frames: Frame numbers of the clip; (f,).
    """
    for climb in climbs:
        where = f"From frame {frames[climb.first]:g} to {frames[climb.stop - 1]:g}"
        height = f"up to {climb.height:.2f} m above its floor"
        if climb.use == MATCH:
            yield f"{where} the clip is {height}: matched with the steps of the ground."
        elif climb.use == KEEP:
            why = ", because hands bear there" if climb.hands and not climb.chosen else ""
            yield (
                f"{where} the clip is {height}: feet keep that height{why}. To put them on the "
                "ground, set Levels to Put on Ground."
            )
        else:
            yield (
                f"{where} the clip is {height}: feet are put on the ground. To keep that height, "
                "set Levels to Keep Height."
            )
