"""Placed feet, with quality measures before and after."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from ...motion.measure.quality_change import Change, compare
from ..controls.misses import missed_frames
from ..controls.posing import PosedControls
from ..judge.clip_findings import CLIMBING, clip_findings
from ..keys.keys import BoneTracks
from ..problem.feet_solution import FeetSolution
from ..problem.own_goal_errors import goal_reports
from ..report.foot_findings import measured_findings
from ..report.foot_report import FootReport, reach_notes
from ..result.write_keys import WrittenKeys
from ..transforms import Floats
from .foot_motion import (
    PartReports,
    measured_footing,
    measured_parts,
    posed_motion,
    solved_pose,
    source_pose,
    unreached_frames,
)
from .placed_outcome import Judged, evaluated_body, judged_feet
from .placement import Placement


class MeasuredFeet(NamedTuple):
    """Placed feet and their quality.

    Attributes:
        solution: The placed feet.
        result: Channels of all bones as they are written.
        change: Quality measures before and after.
        ground: Sketch of the ground in each frame; (f, SUMS).
        seconds: Time of solving, without that of planning.
        measure_seconds: Time of measuring.
        parts: Other parts of the body that rest.
        judged: What is judged, whatever was planned, and its measures.
        posed: Channels of the controls that pose the legs; None if their own channels do.
    """

    solution: FeetSolution
    result: BoneTracks
    change: Change
    ground: Floats
    seconds: float
    measure_seconds: float
    parts: PartReports
    judged: Judged
    posed: PosedControls | None = None

    @property
    def errors(self) -> Floats:
        """How far the rig is from what was solved, in each frame where controls pose it."""
        return self.posed.errors if self.posed is not None else np.zeros(0)


def measured_feet(
    placement: Placement,
    solution: FeetSolution,
    result: BoneTracks,
    ground: Floats,
    started: float,
) -> MeasuredFeet:
    """Measure placed feet.

    Args:
        placement: What was read.
        solution: The solution.
        result: Channels of all bones to write.
        ground: Sketch of the ground in each frame.
        started: When solving began, by `time.perf_counter`.
    """
    measuring = time.perf_counter()
    feet, plan = placement.feet, solution.plan
    before, after = source_pose(feet), solved_pose(feet, result)
    motion = posed_motion(feet, plan, after, placed=True)
    change = compare(
        posed_motion(feet, plan, before),
        motion,
        measured_footing(feet, plan),
        unreached_frames(feet, plan, solution.placed.values, motion),
    )
    parts = tuple(measured_parts(feet, solution, after))
    judged = judged_feet(placement, solution.findings, after)
    seconds = measuring - started - solution.plan_seconds
    measure_seconds = time.perf_counter() - measuring
    return MeasuredFeet(solution, result, change, ground, seconds, measure_seconds, parts, judged)


def feet_report(
    placement: Placement,
    measured: MeasuredFeet,
    written: WrittenKeys,
    seconds: float,
    notes: tuple[str, ...] = (),
) -> FootReport:
    """The report.

    Args:
        placement: What was read.
        measured: The solution.
        written: The written keyframes.
        seconds: Time of writing.
        notes: Notes to list first.
    """
    feet = placement.feet
    names, frames = tuple(foot.name for foot in feet.feet), feet.source.frames
    change, errors = measured.change, measured.solution.goal_errors
    measuring = time.perf_counter()
    body = evaluated_body(placement, measured.judged, change)
    return FootReport(
        feet=names,
        frames=frames,
        change=change,
        scale=feet.scale,
        bones=written.bones,
        written=written.name,
        read_seconds=feet.source.seconds,
        plan_seconds=measured.solution.plan_seconds,
        solve_seconds=measured.seconds,
        write_seconds=seconds,
        measure_seconds=measured.measure_seconds + time.perf_counter() - measuring,
        body=body,
        parts=measured.parts,
        notes=(
            *notes,
            *feet.source.notes,
            *feet.notes,
            *measured.solution.notes,
            *written.notes,
            *reach_notes(change, names, frames),
            *_evaluated_notes(placement),
        ),
        findings=(
            *placement.findings,
            *(f for f in clip_findings(measured.judged.outcome) if f.kind != CLIMBING),
            *measured.solution.findings,
            *missed_frames(measured.errors, feet.scale),
            *measured_findings(
                change,
                names,
                feet.source.skeleton.names,
                feet.scale,
                upper_moves=bool(feet.legs.upper.moves or feet.source.setup.goals),
                rests=bool(measured.parts),
            ),
            *body.findings(measured.judged.outcome.scale),
        ),
        goals=tuple(goal_reports((errors[number] for number in sorted(errors)), frames)),
    )


def _evaluated_notes(placement: Placement) -> list[str]:
    """A note about meshes of which only some frames are measured."""
    if not placement.skin.inexact:
        return []
    names = ", ".join(placement.skin.inexact)
    return [f"Measured in some frames only, because Blender has to evaluate the mesh: {names}."]
