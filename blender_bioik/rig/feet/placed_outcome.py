"""Placed feet as what is judged: source and result, without what was planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...findings import CLIMB, Finding
from ...motion.measure.quality_change import Change
from ..judge.evaluated_depths import with_evaluated
from ..judge.judge import judge
from ..judge.outcome import Outcome, at_rows, body_feet, plausible_scale
from ..judge.skin_depths import leg_depths
from ..report.body_report import BodyReport
from ..skin.bound_meshes import carried_bones
from ..transforms import Floats
from .foot_motion import solved_pose, source_pose

if TYPE_CHECKING:
    from ..problem.feet_solution import FeetSolution
    from .placement import Placement


class Judged(NamedTuple):
    """An outcome and its measures."""

    outcome: Outcome
    body: BodyReport


def judged_feet(placement: Placement, findings: Sequence[Finding], after: Floats) -> Judged:
    """Placed feet as what is judged, and its measures.

    Args:
        placement: What was read.
        findings: What is told about them: the height of climbs may change.
        after: World matrices of the result's bones; (f, b, 4, 4).
    """
    outcome = placement.unplaced.with_result(after, _climbs(findings, len(after)))
    body, feet = judge(outcome), placement.feet
    # A bench says how high the body is.
    sits = feet.resting.sits(len(after), feet.source.rate)
    return Judged(outcome, replace(body, rise=np.where(sits, 0.0, body.rise)))


def _climbs(findings: Sequence[Finding], frames: int) -> NDArray[np.bool_]:
    """Rows in which the clip climbs; (f,)."""
    climbs = [found for found in findings if found.kind == CLIMB]
    spans = [(found.row, found.last or found.row) for found in climbs if found.row is not None]
    return at_rows(frames, spans)


def unplaced(placement: Placement) -> Outcome:
    """What is judged before there is a result."""
    feet, skeleton = placement.feet, placement.source.skeleton
    before = source_pose(feet)
    return Outcome(
        skeleton,
        before,
        before,
        placement.source.clip.world,
        placement.skin,
        body_feet(skeleton, [(sole.name, sole.bones, sole.toe) for sole in feet.legs.soles]),
        placement.limbs,
        skeleton.index[feet.legs.root],
        feet.terrain,
        placement.source.rate,
        plausible_scale(placement.skin.skin, feet.scale, placement.source.clip.world),
        at_rows(len(before), ()),
        frozenset(carried_bones(placement.source.armature, skeleton, placement.source.moved)),
    )


def mesh_depth(placement: Placement) -> Callable[[FeetSolution], Floats]:
    """A function that measures how deep meshes of feet and shins are in a solution; (f, feet)."""
    feet = placement.feet
    if placement.skin.bare:
        nowhere = np.zeros((len(feet.source.frames), len(feet.feet)))
        return lambda solution: nowhere

    def measure(solution: FeetSolution) -> Floats:
        after = solved_pose(feet, solution.tracks)
        climbs = _climbs(solution.findings, len(after))
        return leg_depths(placement.unplaced.with_result(after, climbs))

    return measure


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
