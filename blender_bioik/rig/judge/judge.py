"""Judging an outcome: all measures of the whole body."""

from __future__ import annotations

import numpy as np

from ...motion.feet import Ints
from ...motion.measure.joint_jerk import worst_jerk
from ...motion.measure.rest_change import rest_changes
from ...motion.measure.rests import OFF_ORIGIN, ON_FLOOR, Rests
from ...motion.measure.rise import height_change
from ...motion.measure.ties import ties_of, worst_stretch
from ..report.body_report import BodyReport
from ..transforms import Floats
from .outcome import Outcome
from .skin_depths import skin_depths

# Numbers of single precision move joints by this, metres for a person.
NOISE = 1e-6


def judge(outcome: Outcome) -> BodyReport:
    """Measure an outcome."""
    rests, skeleton = outcome.rests, outcome.skeleton
    known = tuple(rest for rest in rests.rests if outcome.known.issuperset(rest.bones))
    resting = Rests(rests.floor, known)
    before, after = outcome.before, outcome.after
    return BodyReport(
        skin_depths(outcome),
        rest_changes(
            outcome.flesh, resting, before, after, outcome.terrain, outcome.tops, outcome.scale
        ),
        worst_stretch(before, after, *_ties(outcome), outcome.scale, [outcome.root]),
        _rise(outcome),
        worst_jerk(before, after, *_limbs(outcome), NOISE * outcome.scale),
        skeleton.names,
        {tuple(sorted(foot.bones)): foot.name for foot in outcome.feet},
    )


def _ties(outcome: Outcome) -> tuple[Ints, Ints]:
    """Bones that are tied: those with flesh; and loose ones to what they touch."""
    own = outcome.known & set(np.unique(outcome.flesh.bone).tolist())
    pairs = ties_of(outcome.skeleton.parent, own)
    loose = [
        (one, other) for _, one, other in outcome.loose if outcome.known.issuperset({one, other})
    ]
    return pairs, np.array(loose, int).reshape(-1, 2)


def _limbs(outcome: Outcome) -> tuple[list[list[int]], list[list[int]]]:
    """Legs below the hip with their feet; and loose bones that rest."""
    fleshed = outcome.known & set(np.unique(outcome.flesh.bone).tolist())
    legs = [sorted({*foot.leg[1:], *foot.bones} & fleshed) for foot in outcome.feet]
    resting = {bone for rest in outcome.rests.rests for bone in rest.bones}
    loose = [
        sorted({*part, other} & outcome.known) for part, _, other in outcome.loose if resting & part
    ]
    return legs, loose


def _rise(outcome: Outcome) -> Floats:
    """How much higher the body is than the ground asks for in each frame."""
    rests = outcome.rests
    drift = ON_FLOOR * outcome.scale
    climbs = [
        rest
        for rest in rests.rests
        if rest.height < drift or outcome.climbs[rest.first : rest.stop].any()
    ]
    feet = [max(foot.bones) for foot in outcome.feet]
    origin = float(outcome.world[0, 2, 3])
    near = abs(rests.floor - origin) < OFF_ORIGIN * outcome.scale
    return height_change(
        outcome.before[:, outcome.root, :3, 3],
        outcome.after[:, outcome.root, :3, 3],
        outcome.after[:, feet][..., :3, 3],
        # What never touches its floor keeps its height above the origin.
        Rests(rests.floor if near or rests.rests else origin, tuple(climbs)),
        outcome.terrain,
        outcome.tops,
        outcome.rate,
    )
