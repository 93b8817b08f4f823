"""Baking: read the rig, solve its goals for every frame, write keys.

The three steps stand alone. Reading and writing touch Blender and belong to its main thread;
solving touches only arrays and may run in any thread. Nothing is changed before writing, and
writing checks everything that could fail before it changes anything.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ...solver import Clip as JointClip
from ...solver import ClipSolution, Goal, KinematicTree, Settings, Stop, Track
from ...solver.errors import SolverError
from ..clip.clip_range import beyond_clip_notes, refuse_frames_beyond_clip
from ..clip.sampling import Clip, plain_reason, sample_clip, sampling
from ..clip.skeleton import Skeleton, read_skeleton
from ..errors import Cancelled, RigError
from ..goals.constraint_goals import followed_influence
from ..goals.constraints import Released, check_mutable
from ..goals.solve_setup import (
    SolveSetup,
    read_setup,
    refuse_numbers_that_are_none,
    setup_model,
    staying,
)
from ..goals.tracks import PlannedGoal, plan_goals, solver_tracks, targets_of
from ..joints.joints import JointModel, TipPlace, approximations
from ..joints.non_rigid import solve_settled
from ..keys import outputs
from ..keys.influence import sample_influence
from ..keys.played_source import Held
from ..legs.goal_stages import GoalStages
from ..legs.leg_joints import LegSetup, turn_axes
from ..reading import Cancel, Progress, Reading, all_read, drained
from ..record.bake_inputs import held_properties, inputs_of_bake, source_bones
from ..record.bake_record import BakeInputs, Output
from ..report.goal_errors import keep_worst
from ..report.report import BakeReport, make_report
from ..report.stored_report import keep_report
from ..source_shown import live_waits, source_shown
from ..transforms import Floats
from .bake_keys import check_output, write_keys

# Frames per second for which the solver's smoothness is meant.
SMOOTHNESS_RATE = 24.0

MoreGoals = Callable[[JointModel], Sequence[Goal | Track]]


@dataclass(frozen=True)
class BakeOptions:
    """What to bake and where to.

    Attributes:
        frame_start: First frame.
        frame_end: Last frame.
        step: Frames from one key to the next.
        output: A new action, the action itself, or an NLA layer over it.
        blend_in: Frames at the start over which the correction grows from nothing.
        blend_out: Frames at the end over which it shrinks to nothing.
        mute_constraints: Mute constraints that would act again on top of the keys.
    """

    frame_start: int
    frame_end: int
    step: int = 1
    output: Output = "NEW_ACTION"
    blend_in: int = 0
    blend_out: int = 0
    mute_constraints: bool = True


@dataclass(frozen=True)
class BakeSolution(ClipSolution):
    """A solved clip, and what its goals were off before.

    Attributes:
        source_errors: Errors of the goals in the source, metres or degrees, (frames, goals); None
            where scipy is missing.
    """

    source_errors: Floats | None = None


@dataclass(frozen=True, eq=False)
class BakePlan:
    """Everything read for a bake.

    Attributes:
        armature: The armature.
        scene: The scene whose frames are meant.
        options: What to bake and where to.
        skeleton: The armature's bones.
        clip: Its source.
        model: Its joints; where feet are placed those of the feet's own solve.
        goals: Its goals over the frames.
        tracks: What the solver is asked for: first the armature's goals, then others. Where feet
            are placed only goals that take part in that, see `GoalStages`.
        settings: How the solver works.
        setup: What moves, and how far.
        held: Values of moving bones' properties that have no keys, by their data paths.
        notes: Sentences about what was left out.
        seconds: Time of reading.
        custom: Whether there are goals that only the caller knows.
    """

    armature: bpy.types.Object
    scene: bpy.types.Scene
    options: BakeOptions
    skeleton: Skeleton
    clip: Clip
    model: JointModel
    goals: tuple[PlannedGoal, ...]
    tracks: tuple[Goal | Track, ...]
    settings: Settings
    setup: SolveSetup
    held: Held
    notes: tuple[str, ...]
    seconds: float
    custom: bool

    @property
    def released(self) -> Released:
        """Constraints that the bake mutes."""
        return self.setup.released

    @property
    def moved(self) -> list[int]:
        """Indices of the bones whose channels decide about their poses from now on."""
        return [self.skeleton.index[bone] for bone in self.setup.moving]


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
        scene: The scene whose frames are meant.
        armature_object: The armature; its goals and solver settings are in `Object.bioik`.
        options: What to bake and where to.
        progress: Called with the frames solved and all frames.
        cancelled: Asked now and then; once it returns true nothing is written.
        more_goals: Called with the joint model for goals of your own, custom ones included. Its
            tree has tips for them: `tip_of(bone)` and `tip_of(bone, tail=True)` of every bone that
            may move. These are the bones of the armature's goals or, if none names a bone, all.

    Raises:
        RigError: Something stands in the way; one sentence that says what to do.
        Cancelled: `cancelled` returned true.
    """
    plan = read_bake(scene, armature_object, options, cancelled=cancelled, more_goals=more_goals)
    started = time.perf_counter()
    solution = solve_bake(plan, progress=progress, cancelled=cancelled)
    return write_bake(plan, solution, time.perf_counter() - started)


def read_bake(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
    more_goals: MoreGoals | None = None,
    legs: LegSetup | None = None,
) -> BakePlan:
    """Read the rig, its clip, its goals and their targets. Leaves the scene as it is.

    With `legs` their bones and the one above them may move too, and no goal is needed.
    """
    reading = reading_bake(scene, armature_object, options, more_goals=more_goals, legs=legs)
    return drained(reading, progress, cancelled)


def reading_bake(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    more_goals: MoreGoals | None = None,
    legs: LegSetup | None = None,
    influence: Sequence[Floats] | None = None,
) -> Reading[BakePlan]:
    """Read as `read_bake` does, frame by frame; the goals' influence may be known already."""
    with source_shown():
        return (
            yield from _reading_bake(scene, armature_object, options, more_goals, legs, influence)
        )


def _reading_bake(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    more_goals: MoreGoals | None,
    legs: LegSetup | None,
    influence: Sequence[Floats] | None,
) -> Reading[BakePlan]:
    started = time.perf_counter()
    skeleton = read_skeleton(armature_object)
    check_output(armature_object, options)
    frames = bake_frames(options)
    rig = armature_object.bioik
    setup = read_setup(
        armature_object,
        skeleton,
        needs_goal=more_goals is None and legs is None,
        all_bones=more_goals is not None,
        more=legs.bones if legs else (),
    )
    goals, moving, notes = setup.goals, setup.moving, list(setup.notes)
    if influence is None:  # otherwise these are frames that were baked before
        asked_frames = scene, armature_object, options.frame_start, options.frame_end
        refuse_frames_beyond_clip(*asked_frames)
        notes += beyond_clip_notes(*asked_frames)
    if options.mute_constraints:
        check_mutable(armature_object, setup.released)
    if influence is None:
        influence = yield from reading_influence(scene, armature_object, goals, frames)
    clip, targets = yield from sampling(scene, armature_object, frames, targets_of(goals))
    planned = plan_goals(goals, frames, targets, influence)
    refuse_numbers_that_are_none(skeleton, clip, planned)
    yield all_read(frames)
    stages = GoalStages(setup, skeleton, legs) if legs else None
    model = setup_model(
        stages.feet_setup() if stages else setup,
        skeleton,
        clip,
        setup.limited | (setup.released.bones if options.mute_constraints else frozenset()),
        tips=[
            *(_bone_tips(skeleton, moving) if more_goals else ()),
            *(legs.tips() if legs else ()),
        ],
        sliding=[legs.root] if legs else (),
        turn_axes=turn_axes(legs, skeleton, clip) if legs else None,
        turn_bounds=legs.turn_bounds() if legs else None,
        attached=legs.attached if legs else None,
    )
    yield all_read(frames)
    notes += widened_notes(model)
    notes += approximations(skeleton, clip, moving, {skeleton.names[b] for b, _ in model.attached})
    settings = solver_settings(rig.solver, frames_per_second(scene) / options.step)
    if settings.smoothness > 0.0 and not _can_smooth():
        settings = replace(settings, smoothness=0.0)
        notes.append(
            "Each frame is solved alone, so corrections may jump: smoothing them needs scipy, "
            "which cannot be loaded here."
        )
    asked = [planned[number] for number in stages.with_feet] if stages else planned
    tracks = solver_tracks(model, clip, asked)
    if more_goals is not None:
        tracks += more_goals(model)
    return BakePlan(
        armature_object,
        scene,
        options,
        skeleton,
        clip,
        model,
        tuple(planned),
        (*tracks, *staying(rig.solver.displacement, model)),
        settings,
        setup,
        _held(armature_object, skeleton, moving),
        tuple(notes),
        time.perf_counter() - started,
        more_goals is not None,
    )


def widened_notes(model: JointModel) -> list[str]:
    """Sentences about bones whose limits the source exceeds."""
    return [
        f"{bone} is animated beyond its limits, which are widened to its motion."
        for bone in dict.fromkeys(model.widened)
    ]


def reading_influence(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    goals: Sequence[Any],
    frames: Floats,
) -> Reading[Sequence[Floats]]:
    """Influence of goals, those of constraints included, frame by frame; arrays (f,)."""
    influence = yield from sample_influence(scene, armature_object, goals, frames)
    return followed_influence(goals, influence)


def _held(
    armature_object: bpy.types.Object, skeleton: Skeleton, moving: Sequence[str]
) -> dict[str, list[float]]:
    """Properties of bones that have no keys, with the values they have now, by data path."""
    keyed = {path for path, _ in outputs.animated_channels(armature_object)}
    return held_properties(armature_object, source_bones(skeleton, moving), keyed)


@live_waits()
def solve_bake(
    plan: BakePlan, *, progress: Progress | None = None, cancelled: Cancel | None = None
) -> BakeSolution:
    """Solve every frame. Touches nothing of Blender.

    Raises:
        RigError: The solver cannot work with what was read.
        Cancelled: `cancelled` returned true.
    """
    stopped = False

    def asked() -> bool:
        nonlocal stopped
        stopped = stopped or (cancelled is not None and cancelled())
        return stopped

    try:
        solution = solve_settled(
            plan.model, plan.tracks, plan.settings, progress, asked if cancelled else None
        )
        before = source_errors(plan.model.tree, plan.tracks, plan.model.clip)
    except SolverError as error:
        raise RigError(str(error)) from error
    if stopped or Stop.NOT_SOLVED in solution.stops or Stop.CANCELLED in solution.stops:
        raise Cancelled
    return BakeSolution(**vars(solution), source_errors=before)


def source_errors(
    tree: KinematicTree, tracks: Sequence[Goal | Track], clip: JointClip
) -> Floats | None:
    """Errors of goals in a clip as it came, metres or degrees, (f, goals); None without scipy."""
    if not _can_smooth():
        return None
    from ...solver.clips.open_clip import clip_errors

    return clip_errors(tree, tracks, clip)


def write_bake(plan: BakePlan, solution: BakeSolution, solve_seconds: float) -> BakeReport:
    """Write the keys of a solved bake and keep its report on the armature.

    Where no bone had to change, nothing is written.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    written = write_keys(plan, plan.model.tracks(solution.values))
    report = make_report(
        plan.goals,
        plan.clip.frames,
        solution,
        bones=written.bones,
        written=written.name,
        notes=written.notes,
        seconds=(plan.seconds, solve_seconds, time.perf_counter() - started),
        before=solution.source_errors,
    )
    keep_worst(plan.armature, report.goals)
    if written.action is not None:
        keep_report(plan.armature, report)
        keep_inputs(plan)
    return report


def keep_inputs(plan: BakePlan, before: BakeInputs | None = None) -> None:
    """Keep on the armature what a bake was made from; not for what cannot be baked again.

    `before` is what an earlier bake into the same result was made from.
    """
    baked, options = plan.armature.bioik.baked, plan.options
    baked.inputs = ""
    if plan.custom:
        return
    clip = plan.clip
    if options.output == "IN_PLACE":
        # From now on the result is its own source. Where it is not plain, reading takes too long.
        if plain_reason(plan.armature, plan.scene) is not None:
            return
        clip = sample_clip(plan.scene, plan.armature, clip.frames)
    baked.inputs = inputs_of_bake(plan, clip, before=before).to_text()


def bake_frames(options: BakeOptions) -> Floats:
    """The frames that are solved and keyed."""
    if options.frame_end < options.frame_start:
        raise RigError(
            f"The end frame {options.frame_end} is before the start frame {options.frame_start}: "
            "choose a later end."
        )
    if options.step < 1:
        raise RigError(f"The frame step must be at least 1, not {options.step}.")
    return np.arange(options.frame_start, options.frame_end + 1, options.step, dtype=float)


def frames_per_second(scene: bpy.types.Scene) -> float:
    """The scene's frame rate."""
    return float(scene.render.fps / scene.render.fps_base)


def solver_settings(solver: bpy.types.PropertyGroup, rate: float) -> Settings:
    """The solver's settings from those on the armature, for `rate` solved frames a second."""
    if solver.elites >= solver.population:
        raise RigError(
            f"There are {solver.elites} elites in a population of {solver.population}: "
            "choose fewer elites or a larger population."
        )
    return Settings(
        population=solver.population,
        elites=solver.elites,
        strategy=solver.strategy.lower(),
        evaluations=solver.evaluations,
        seed=solver.seed,
        # The same acceleration is a smaller change from frame to frame at a higher rate.
        smoothness=solver.smoothness * (rate / SMOOTHNESS_RATE) ** 4,
    )


def _can_smooth() -> bool:
    """Whether what the solver needs to solve all frames together is there."""
    try:
        importlib.import_module("scipy.linalg")
    except ImportError:
        return False
    return True


def tip_of(bone: str, *, tail: bool = False) -> str:
    """Name of the solver's tip at a bone's head or tail, for goals of your own."""
    return f"{bone}, {'tail' if tail else 'head'}"


def _bone_tips(skeleton: Skeleton, bones: Sequence[str]) -> Iterator[TipPlace]:
    for bone in bones:
        length = float(skeleton.length[skeleton.index[bone]])
        yield TipPlace(tip_of(bone), bone)
        yield TipPlace(tip_of(bone, tail=True), bone, (0.0, length, 0.0))
