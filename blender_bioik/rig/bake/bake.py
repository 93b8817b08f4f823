"""Baking goals: read the rig, solve its goals for every frame, write keys.

Reading and writing touch Blender and belong to its main thread; solving touches only arrays and may
run in any thread. Nothing is changed before writing, and writing checks everything that could fail
before it changes anything.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import bpy

from ..clip.animation import goals_animation_problem
from ..clip.sampling import plain_reason, sample_clip
from ..errors import RigError
from ..keys.results import played_result
from ..problem.goals_problem import GoalsProblem, GoalsSolution, MoreGoals, goals_problem, tip_of
from ..reading import Cancel, Progress, Reading, all_read
from ..record.bake_inputs import inputs_of_goals
from ..record.bake_record import BakeInputs
from ..report.report import BakeReport, make_report
from ..result.keep import keep
from ..result.write_keys import WrittenKeys, faded_tracks, write_keys
from ..source.options import BakeOptions, Output, Tolerance
from ..source.read_source import read_source
from ..source.source import Source
from ..steps import Steps, done

__all__ = ["BakeOptions", "Output", "Tolerance", "bake", "bake_steps", "tip_of"]

ALL = slice(None)


def bake(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
    more_goals: MoreGoals | None = None,
) -> BakeReport:
    """Solve an armature's goals over frames and write the result as keys.

    Args:
        scene: The scene whose frames are used.
        armature_object: The armature; its goals and solver settings are in `Object.bioik`.
        options: What to bake, and where to write it.
        progress: Called with the number of frames solved and of all frames.
        cancelled: Called regularly; once it returns true, nothing is written.
        more_goals: Called with the joint model for goals of your own, custom ones included. Its
            tree has tips for them: `tip_of(bone)` and `tip_of(bone, tail=True)` of every bone that
            may move. These are the bones of the armature's goals or, if none names a bone, all.

    Raises:
        RigError: It cannot be done; one sentence that says how to fix it.
        Cancelled: `cancelled` returned true.
    """
    steps = bake_steps(scene, armature_object, options, more_goals)
    report: BakeReport = done(steps, progress, cancelled)
    return report


def bake_steps(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    more_goals: MoreGoals | None = None,
) -> Steps:
    """The steps of `bake`."""
    return Steps(
        read_goals(scene, armature_object, options, more_goals),
        GoalsProblem.solve,
        partial(write_goals, options=options),
    )


def read_goals(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    more_goals: MoreGoals | None = None,
) -> Reading[GoalsProblem]:
    """Read the rig, its clip, its goals and their targets. Leaves the scene as it is.

    Raises:
        RigError: It cannot be done; says why.
    """
    _refuse_to_lose_feet(armature_object)
    custom = more_goals is not None
    if not custom:
        _refuse_idle_action(scene, armature_object)
    source = yield from read_source(
        scene, armature_object, options, needs_goal=not custom, all_bones=custom
    )
    problem = goals_problem(source, more_goals)
    yield all_read(source.frames)
    return problem


def _refuse_to_lose_feet(armature_object: bpy.types.Object) -> None:
    """Refuse to replace placed feet by goals alone."""
    result = played_result(armature_object)
    if result is not None and result.feet:
        raise RigError(
            f'"{result.action.name}" has placed feet, which a bake of goals would lose: place feet '
            "to solve both, press Use Result as Source, or remove the result."
        )


def _refuse_idle_action(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> None:
    """Refuse an action that does not animate the armature; a pose without any may be baked."""
    data = armature_object.animation_data
    if data is None or data.action is None:
        return
    if problem := goals_animation_problem(scene, armature_object):
        raise RigError(problem)


def write_goals(problem: GoalsProblem, solution: GoalsSolution, options: BakeOptions) -> BakeReport:
    """Write the keys of solved goals, and keep their record, trace and report.

    If no bone had to change, nothing is written.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    source = problem.source
    result = faded_tracks(source, solution.tracks, options)
    written = write_keys(source, result, options)
    seconds = time.perf_counter() - started
    report = goals_report(source, solution, written, (*source.notes, *solution.notes), seconds)
    keep(
        source,
        written,
        report,
        lambda: None if problem.custom else goals_record(source, options),
        result,
    )
    return report


def goals_report(
    source: Source,
    solution: GoalsSolution,
    written: WrittenKeys,
    notes: tuple[str, ...],
    seconds: float,
    rows: slice = ALL,
) -> BakeReport:
    """The report of goal errors.

    Args:
        source: What was read.
        solution: The solution.
        written: The written keyframes.
        notes: Notes about skipped or changed items.
        seconds: Time of writing.
        rows: The rows to report.
    """
    poses, before, part = solution.poses, solution.source_errors, source.rows(rows)
    return make_report(
        part.goals,
        part.frames,
        replace(
            poses,
            errors=poses.errors[rows],
            reached=poses.reached[rows],
            iterations=poses.iterations[rows],
        ),
        bones=written.bones,
        written=written.name,
        notes=(*notes, *written.notes),
        seconds=(source.seconds, solution.seconds, seconds),
        before=None if before is None else before[rows],
    )


def goals_record(
    source: Source, options: BakeOptions, before: BakeInputs | None = None
) -> BakeInputs | None:
    """The inputs of baked goals, after writing; None if reading them again takes too long.

    `before` are the inputs of an earlier bake into the same result.
    """
    if options.output == "IN_PLACE":
        # From now on the result is its own source. If it has more than F-curves, reading takes too
        # long.
        if plain_reason(source.armature, source.scene) is not None:
            return None
        clip = sample_clip(source.scene, source.armature, source.frames)
        source = replace(source, clip=clip)
    return inputs_of_goals(source, options, before=before)
