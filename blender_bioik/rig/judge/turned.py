"""What a result turns that it should not: feet about the vertical, and the upper body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...findings import Finding, Severity
from ...motion.measure.turns import turns, twist_and_tilt
from ..clip.bone_frames import bone_orientation
from ..report.foot_findings import TWISTS, UPPER_BODY
from .outcome import Outcome, below

# What is nearer touches, metres for a person.
TOUCHES = 0.01


def turned_findings(outcome: Outcome) -> Iterator[Finding]:
    """Findings about turned feet, and the upper body of two-legged characters.

    Trunks on more legs follow the slope, and so do those that rest on their hands. Arms move whose
    hands touch something.
    """
    feet = [foot.leg[-1] for foot in outcome.feet]
    before, after = (bone_orientation(pose[:, feet]) for pose in (outcome.before, outcome.after))
    twist = twist_and_tilt(before, after)[0]
    foot, row = int(twist.max(axis=0).argmax()), int(twist.max(axis=1).argmax())
    if (angle := float(twist[row, foot])) > TWISTS[1]:
        text = f"{outcome.feet[foot].name} is twisted by {angle:.0f} degrees"
        yield Finding(text, "foot_twist", Severity.FAULT, angle / TWISTS[1], row)
    standing = {bone for foot in outcome.feet for bone in foot.bones}
    hands = any(not standing & set(rest.bones) for rest in outcome.rests.rests)
    upper = sorted(set(_upper_bones(outcome)) - _touching(outcome))
    if len(feet) > 2 or hands or not upper:
        return
    before, after = (bone_orientation(pose[:, upper]) for pose in (outcome.before, outcome.after))
    turn = turns(before, after).max(axis=1)
    row = int(turn.argmax())
    if (angle := float(turn[row])) > UPPER_BODY:
        text = f"the upper body turns by {angle:.1f} degrees"
        yield Finding(text, "upper_body", Severity.FAULT, angle / UPPER_BODY, row)


def _touching(outcome: Outcome) -> set[int]:
    """Bones of arms on which anything touches the ground in the result."""
    parent, found = outcome.skeleton.parent, set[int]()
    for bone in sorted(set(_upper_bones(outcome)) & outcome.limbs):
        places = outcome.flesh.posed(outcome.after, outcome.flesh.of([bone]))
        rows = np.arange(len(places)).repeat(places.shape[1])
        most = np.full(len(rows), TOUCHES * outcome.scale)
        apart = outcome.terrain.distance(places.reshape(-1, 3), rows, most)
        if not (apart < most).any():
            continue
        above = bone
        while above in outcome.limbs:
            found.add(above)
            above = int(parent[above])
    return set(below(outcome.skeleton, found))


def _upper_bones(outcome: Outcome) -> list[int]:
    """Bones with flesh below the root that belong to no leg."""
    legs = below(outcome.skeleton, [foot.leg[0] for foot in outcome.feet])
    legs |= {bone for foot in outcome.feet for bone in (*foot.leg, *foot.bones)}
    upper = below(outcome.skeleton, [outcome.root]) - legs - {outcome.root}
    return sorted(upper & set(np.unique(outcome.flesh.bone).tolist()))
