"""Placed feet as what is judged: source and result, without what was planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...findings import Finding
from ...motion.measure.quality_change import Change
from ...motion.plan.climb_findings import KIND as CLIMB
from ..judge.evaluated_depths import with_evaluated
from ..judge.outcome import Outcome, at_rows, body_feet, plausible_scale
from ..report.body_report import BodyReport
from ..transforms import Floats
from .placement import Placement


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


def evaluated_body(
    placement: Placement, outcome: Outcome, body: BodyReport, change: Change
) -> BodyReport:
    """Measures to which the meshes are added that Blender has to evaluate.

    Args:
        placement: What was read; the keyframes are written.
        outcome: What is judged.
        body: Its measures.
        change: Measures of the feet.
    """
    if not placement.skin.inexact:
        return body
    source, depth = placement.source, change.after.curves.penetration
    meshes = with_evaluated(
        source.scene, source.armature, source.frames, outcome, body.meshes, depth
    )
    return replace(body, meshes=meshes)
