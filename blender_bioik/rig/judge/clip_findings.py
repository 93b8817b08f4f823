"""What is known about a clip before anything is placed: in the air, lying, on hands and knees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...findings import Finding
from ...motion.measure.rests import OFF_ORIGIN, ON_FLOOR, Rest
from .outcome import Outcome

# A pelvis lower than this share of its height in the rest pose does not stand or walk.
LOW_PELVIS = 0.65
# The kind of finding that says that a clip climbs; what was done about it is another one.
CLIMBING = "climbing"
# What is so for a larger part of the clip is told.
MOSTLY = 0.5


def clip_findings(outcome: Outcome) -> tuple[Finding, ...]:
    """What there is to know about the source of an outcome."""
    return tuple(_findings(outcome))


def _findings(outcome: Outcome) -> Iterator[Finding]:
    rests, scale = outcome.rests, outcome.scale
    height = outcome.flesh.posed(outcome.before)[..., 2].min(axis=1)
    frames = len(height)
    if not frames or not len(outcome.flesh):
        return
    origin = float(outcome.world[0, 2, 3])
    if not rests.rests and rests.floor - origin > OFF_ORIGIN * scale:
        text = "the clip is in the air in all frames, and keeps its height above the ground"
        yield Finding(text, "airborne")
        return
    over = height > rests.floor + ON_FLOOR * scale
    standing = _resting(outcome, [rest for rest in rests.rests if rest.height > ON_FLOOR * scale])
    if (above := int((over & ~standing).sum())) > MOSTLY * frames:
        text = f"the clip is in the air in {above} of {frames} frames"
        yield Finding(text, "airborne")
    if standing.any():
        highest = max(rest.height for rest in rests.rests)
        text = f"the clip climbs up to {highest:.2f} m above its floor"
        yield Finding(text, CLIMBING)
    pelvis = outcome.before[:, outcome.root, 2, 3] - rests.floor
    low = int((pelvis < LOW_PELVIS * _standing_height(outcome)).sum())
    if low > MOSTLY * frames:
        text = f"the body lies, sits or crawls on the floor in {low} of {frames} frames"
        yield Finding(text, "lying")
    own = {tuple(sorted(foot.bones)) for foot in outcome.feet}
    on_floor = [rest for rest in rests.rests if rest.height < ON_FLOOR * scale]
    others = _resting(outcome, [rest for rest in on_floor if rest.bones not in own])
    feet = _resting(outcome, [rest for rest in on_floor if rest.bones in own])
    if others.sum() > max(MOSTLY * frames, feet.sum()):
        text = (
            f"hands, knees or other parts rest on the floor in {int(others.sum())} of {frames} "
            f"frames, and feet in {int(feet.sum())}"
        )
        yield Finding(text, "other_contacts")


def _standing_height(outcome: Outcome) -> float:
    """How far the pelvis is from the line or plane of the feet in the rest pose, metres."""
    heads = outcome.skeleton.rest[:, :3, 3]
    feet = heads[[foot.leg[-1] for foot in outcome.feet]]
    middle = feet.mean(axis=0)
    across = np.linalg.svd(feet - middle)[2][: min(2, len(feet) - 1)]
    way = heads[outcome.root] - middle
    return float(outcome.unit * np.linalg.norm(way - across.T @ (across @ way)))


def _resting(outcome: Outcome, rests: Sequence[Rest]) -> NDArray[np.bool_]:
    """In which rows something rests; (f,)."""
    found = np.zeros(len(outcome.before), bool)
    for rest in rests:
        found[rest.first : rest.stop] = True
    return found
