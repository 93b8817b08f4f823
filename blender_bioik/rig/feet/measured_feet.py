"""Placed feet, with quality measures before and after."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from ...motion.measure.quality_change import Change, compare
from ..controls.misses import missed_frames
from ..controls.posing import PosedControls
from ..keys.keys import BoneTracks
from ..problem.feet_problem import FeetProblem
from ..problem.feet_solution import FeetSolution
from ..problem.own_goal_errors import goal_reports
from ..report.foot_findings import measured_findings
from ..report.foot_report import FootReport, reach_notes
from ..result.write_keys import WrittenKeys
from ..transforms import Floats
from .foot_motion import measured_footing, solved_motion, source_motion, unreached_frames
from .read_feet import Placement


class MeasuredFeet(NamedTuple):
    """Placed feet and their quality.

    Attributes:
        solution: The placed feet.
        result: Channels of all bones as they are written.
        change: Quality measures before and after.
        ground: Sketch of the ground in each frame; (f, SUMS).
        seconds: Time of solving and measuring, without that of planning.
        posed: Channels of the controls that pose the legs; None if their own channels do.
    """

    solution: FeetSolution
    result: BoneTracks
    change: Change
    ground: Floats
    seconds: float
    posed: PosedControls | None = None

    @property
    def errors(self) -> Floats:
        """How far the rig is from what was solved, in each frame where controls pose it."""
        return self.posed.errors if self.posed is not None else np.zeros(0)


def measured_feet(
    feet: FeetProblem,
    solution: FeetSolution,
    result: BoneTracks,
    ground: Floats,
    started: float,
) -> MeasuredFeet:
    """Measure placed feet.

    Args:
        feet: The foot placement problem.
        solution: The solution.
        result: Channels of all bones to write.
        ground: Sketch of the ground in each frame.
        started: When solving began, by `time.perf_counter`.
    """
    plan = solution.plan
    motion = solved_motion(feet, plan, result)
    change = compare(
        source_motion(feet, plan),
        motion,
        measured_footing(feet, plan),
        unreached_frames(feet, plan, solution.placed.values, motion),
    )
    seconds = time.perf_counter() - started - solution.plan_seconds
    return MeasuredFeet(solution, result, change, ground, seconds)


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
        notes=(
            *notes,
            *feet.source.notes,
            *feet.notes,
            *measured.solution.notes,
            *written.notes,
            *reach_notes(change, names, frames),
        ),
        findings=(
            *placement.findings,
            *measured.solution.findings,
            *missed_frames(measured.errors, feet.scale),
            *measured_findings(
                change,
                names,
                feet.source.skeleton.names,
                feet.scale,
                upper_moves=bool(feet.legs.upper.bones or feet.source.setup.goals),
            ),
        ),
        goals=tuple(goal_reports((errors[number] for number in sorted(errors)), frames)),
    )
