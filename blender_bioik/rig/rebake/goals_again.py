"""Re-baking goals: only the frames around changed ones are solved."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

import bpy

from ..bake.bake import goals_record, goals_report
from ..clip.sampling import Clip
from ..errors import RigError
from ..problem.goals_problem import GoalsProblem, GoalsSolution, goals_problem
from ..reading import Cancel, Progress, Reading
from ..record.bake_inputs import inputs_of_goals
from ..record.bake_record import BakeInputs
from ..record.changed_rows import Window, window_around
from ..report.report import BakeReport
from ..result.keep import keep
from ..source.read_source import read_source
from ..source.source import Source, clip_rows
from ..steps import Steps
from .last_bake import (
    NOTHING_CHANGED,
    again_played,
    blended_again,
    faded_again,
    known_inputs,
    read_existing,
    reading_options,
    rebaked_note,
    write_again,
)
from .whole_errors import whole_result, with_whole_errors


@dataclass(frozen=True, eq=False)
class GoalsAgain:
    """Everything read for re-baking changed frames.

    Attributes:
        whole: The present inputs of all frames.
        before: The inputs of the last bake.
        window: The solved rows among all baked ones.
        problem: The problem in these rows.
        existing: The existing result, over all frames.
    """

    whole: Source
    before: BakeInputs
    window: Window
    problem: GoalsProblem
    existing: Clip

    @property
    def source(self) -> Source:
        """What was read, in the rows that are solved."""
        return self.problem.source

    def solve(
        self, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> GoalsSolution:
        """Solve the frames around the changed ones. Does not access Blender."""
        return self.problem.solve(progress, cancelled)


def goals_again_steps(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> Steps:
    """The steps of re-baking goals."""
    return Steps(read_goals_again(scene, armature_object), GoalsAgain.solve, write_goals_again)


def read_goals_again(
    scene: bpy.types.Scene, armature_object: bpy.types.Object
) -> Reading[GoalsAgain]:
    """Read the present inputs of the last bake, and find the frames that have to be solved.

    Raises:
        RigError: Nothing has changed, or something stands in the way.
    """
    before = known_inputs(armature_object)
    options = reading_options(before)
    played = again_played(scene, armature_object, before)
    whole = yield from read_source(scene, armature_object, options, played=played)
    changed = before.changed(inputs_of_goals(whole, options, bones=before.bones))
    window = window_around(changed, armature_object.bioik.bake.rebake_blend)
    if window is None:
        raise RigError(NOTHING_CHANGED)
    problem = goals_problem(whole.rows(window.solved))
    existing = yield from read_existing(scene, armature_object, before.frames)
    return GoalsAgain(whole, before, window, problem, existing)


def write_goals_again(again: GoalsAgain, solution: GoalsSolution) -> BakeReport:
    """Write the solved frames into the result, and store record and report.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    source, before, window = again.source, again.before, again.window
    weights = window.weights[window.solved]
    existing = clip_rows(again.existing, window.solved)
    result = faded_again(source, solution.tracks, before)
    tracks = blended_again(source, result, before, existing, weights)
    written = write_again(source, tracks, existing, weights, before.options)
    # Rows entirely of the new result; then the goals' errors over all rows.
    begin = window.solved.start
    report = goals_report(
        source,
        solution,
        written,
        (rebaked_note(before, window), *source.notes, *solution.notes),
        time.perf_counter() - started,
        slice(window.first - begin, window.last + 1 - begin),
    )
    whole = whole_result(again.existing, again.window.solved, tracks)
    report = with_whole_errors(report, again.whole, whole, window.weights)
    record = partial(goals_record, again.whole, before.options, before)
    keep(again.whole, written, report, record, whole, again=True)
    return report
