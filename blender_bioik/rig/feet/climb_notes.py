"""Sentences about climbs: what was done where a clip is above its floor, and how to change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...motion.feet import KEEP, MATCH, PUT
from ...motion.plan.climbs import Climb
from ..transforms import Floats


def climb_notes(climbs: Sequence[Climb], frames: Floats) -> Iterator[str]:
    """A sentence for all climbs of which the same was made.

    Args:
        climbs: The climbs, in rows of the clip.
        frames: Frame numbers of the clip; (f,).
    """
    for use in (KEEP, MATCH, PUT):
        alike = [climb for climb in climbs if climb.use == use]
        if alike:
            first, last = frames[alike[0].first], frames[alike[-1].stop - 1]
            yield _sentence(alike, f"{first:g}", f"{last:g}")


def _sentence(alike: Sequence[Climb], first: str, last: str) -> str:
    """What was made of climbs between two frames, and how to change it."""
    height = f"{max(climb.height for climb in alike):.2f}"
    if alike[0].use == MATCH:
        return (
            f"From frame {first} to {last} the clip climbs up to {height} m above its floor: feet "
            "are on the steps of the ground at about these heights."
        )
    if alike[0].use == PUT:
        return (
            f"From frame {first} to {last} the clip climbs up to {height} m above its floor: feet "
            "are put on the ground. To keep their height, set Levels to Keep Height."
        )
    if any(climb.hands and not climb.chosen for climb in alike):
        return (
            f"From frame {first} to {last} the clip climbs up to {height} m above its floor: feet "
            "keep that height, because hands bear. To put them on the ground, set Levels to Put on "
            "Ground."
        )
    return (
        f"From frame {first} to {last} the clip climbs up to {height} m above its floor: feet keep "
        "that height. To put them on the ground, set Levels to Put on Ground."
    )
