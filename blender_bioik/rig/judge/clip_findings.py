"""What is known about a clip before anything is placed: in the air, lying, on hands and knees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...findings import Finding
from ...motion.measure.rests import OFF_ORIGIN, ON_FLOOR
from .outcome import Outcome

# A pelvis lower than this share of the legs' length over the floor does not stand or walk.
LOW_PELVIS = 0.65
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
    above = int((height > rests.floor + ON_FLOOR * scale).sum())
    if above > MOSTLY * frames:
        text = f"the clip is in the air in {above} of {frames} frames"
        yield Finding(text, "airborne")
    pelvis = outcome.before[:, outcome.root, 2, 3] - rests.floor
    low = int((pelvis < LOW_PELVIS * _leg(outcome)).sum())
    if low > MOSTLY * frames:
        text = f"the body lies, sits or crawls on the floor in {low} of {frames} frames"
        yield Finding(text, "lying")
    others, feet = _resting(outcome, feet=False), _resting(outcome, feet=True)
    if others.sum() > max(MOSTLY * frames, feet.sum()):
        text = (
            f"hands, knees or other parts rest on the floor in {int(others.sum())} of {frames} "
            f"frames, and feet in {int(feet.sum())}"
        )
        yield Finding(text, "other_contacts")


def _leg(outcome: Outcome) -> float:
    """Mean length of the legs from hip to foot in the source's first frame, metres."""
    heads = outcome.before[0, :, :3, 3]
    lengths = [
        np.linalg.norm(np.diff(heads[list(foot.leg)], axis=0), axis=1).sum()
        for foot in outcome.feet
    ]
    return float(np.mean(lengths)) if lengths else 0.0


def _resting(outcome: Outcome, *, feet: bool) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """In which rows feet rest on the floor, or else other limbs; (f,)."""
    own = {tuple(sorted(foot.bones)) for foot in outcome.feet}
    found = np.zeros(len(outcome.before), bool)
    for rest in outcome.rests.rests:
        on_floor = rest.height < ON_FLOOR * outcome.scale
        if on_floor and (rest.bones in own) == feet:
            found[rest.first : rest.stop] = True
    return found
