"""Placed feet as what is judged: source and result, without what was planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...findings import Finding
from ...motion.measure.quality_change import Change
from ...motion.plan.climb_findings import KIND as CLIMB
from ..judge.evaluated_depths import with_evaluated
from ..judge.judge import judge
from ..judge.outcome import Outcome, at_rows, body_feet, plausible_scale
from ..report.body_report import BodyReport
from ..transforms import Floats
from .placement import Placement


class Judged(NamedTuple):
    """An outcome and its measures."""

    outcome: Outcome
    body: BodyReport


def judged_feet(
    placement: Placement, findings: Sequence[Finding], before: Floats, after: Floats
) -> Judged:
    """Placed feet as what is judged, and its measures; see `placed_outcome`."""
    outcome = placed_outcome(placement, findings, before, after)
    return Judged(outcome, judge(outcome))


def placed_outcome(
    placement: Placement, findings: Sequence[Finding], before: Floats, after: Floats
) -> Outcome:
    """What is judged of placed feet.

    Args:
        placement: What was read.
        findings: What is told about it: the height of climbs may change.
        before: World matrices of the source's bones; (f, b, 4, 4).
        after: The same of the result.
    """
    feet, skeleton = placement.feet, placement.source.skeleton
    climbs = [found for found in findings if found.kind == CLIMB]
    spans = [(found.row, found.last or found.row) for found in climbs if found.row is not None]
    return Outcome(
        skeleton,
        before,
        after,
        placement.source.clip.world,
        placement.skin,
        body_feet(skeleton, [(sole.name, sole.bones, sole.toe) for sole in feet.legs.soles]),
        placement.limbs,
        skeleton.index[feet.legs.root],
        feet.terrain,
        placement.source.rate,
        plausible_scale(placement.skin.skin, feet.scale, placement.source.clip.world),
        at_rows(len(after), spans),
    )


def evaluated_body(placement: Placement, judged: Judged, change: Change) -> BodyReport:
    """Measures to which the meshes are added that Blender has to evaluate.

    Args:
        placement: What was read; the keyframes are written.
        judged: The outcome and its other measures.
        change: Measures of the feet.
    """
    if not placement.skin.inexact:
        return judged.body
    source, depth = placement.source, change.after.curves.penetration
    meshes = with_evaluated(
        source.scene, source.armature, source.frames, judged.outcome, judged.body.meshes, depth
    )
    return replace(judged.body, meshes=meshes)
