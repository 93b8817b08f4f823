"""Baking: read the rig, solve its goals for every frame, write keys.

The three steps stand alone. Reading and writing touch Blender and belong to its main thread;
solving touches only arrays and may run in any thread. Nothing is changed before writing, and
writing checks everything that could fail before it changes anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import bpy
import numpy as np

from ..solver import ClipSolution, Displacement, Goal, Settings, Stop, Track, solve_clip
from . import fcurves, outputs
from .constraints import Released, acting_constraints, mute
from .errors import Cancelled, RigError
from .goal_tracks import (
    ANGLE_GOALS,
    PlannedGoal,
    check_goals,
    enabled_goals,
    plan_goals,
    solver_tracks,
    targets_of,
    tip_places,
)
from .joints import JointModel, build_joints
from .keys import BoneTracks, ChannelKeys, bone_channels, driven_channels, faded, layer_channels
from .limits import read_limits
from .plain import bone_path
from .report import BakeReport, make_report
from .sampling import Clip, sample
from .scene_state import preserved_frame, selected_bones
from .skeleton import Skeleton, basis_matrices, read_skeleton
from .transforms import Floats, decompose

Output = Literal["NEW_ACTION", "IN_PLACE", "LAYER"]
Progress = Callable[[int, int], None]
Cancel = Callable[[], bool]
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


@dataclass(frozen=True, eq=False)
class BakePlan:
    """Everything read for a bake."""

    armature: bpy.types.Object
    scene: bpy.types.Scene
    options: BakeOptions
    skeleton: Skeleton
    clip: Clip
    model: JointModel
    goals: tuple[PlannedGoal, ...]
    tracks: tuple[Goal | Track, ...]
    settings: Settings
    released: Released
    notes: tuple[str, ...]
    seconds: float


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
        more_goals: Called with the joint model for goals of your own, custom ones included.

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
) -> BakePlan:
    """Read the rig, its clip, its goals and their targets. Leaves the scene as it is."""
    started = time.perf_counter()
    skeleton = read_skeleton(armature_object)
    _check_output(armature_object, options)
    frames = bake_frames(options)
    rig = armature_object.bioik
    goals = enabled_goals(rig.goals)
    if not goals and more_goals is None:
        raise RigError(f'"{armature_object.name}" has no enabled goal: add one first.')
    check_goals(skeleton, goals)
    moving, notes = _moving_bones(armature_object, skeleton, goals)
    influence = _sampled_influence(scene, armature_object, goals, frames)
    clip, targets = sample(
        scene,
        armature_object,
        frames,
        targets_of(goals),
        progress=progress,
        cancelled=cancelled,
    )
    planned = plan_goals(goals, frames, targets, influence)
    limits = read_limits(armature_object, moving, rig.solver.use_limits)
    notes += [f"Not kept to: {left_out}" for left_out in limits.unrepresented]
    released = acting_constraints(armature_object, moving)
    absolute = [g.bone for g in goals if g.type in ANGLE_GOALS]
    absolute += [g.other_bone for g in goals if g.type == "JOINT_FUNCTION"]
    model = build_joints(
        skeleton,
        clip,
        _keyed_source(skeleton, clip, released),
        moving,
        tip_places(skeleton, goals),
        limits.bones,
        sliding=_roots(skeleton, moving) if rig.solver.move_root else (),
        absolute=absolute,
    )
    notes += [
        f"{bone} is animated beyond its limits, which are widened to its motion."
        for bone in dict.fromkeys(model.widened)
    ]
    tracks = solver_tracks(model, clip, planned)
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
        (*tracks, *_staying(rig.solver)),
        solver_settings(rig.solver),
        released,
        tuple(notes),
        time.perf_counter() - started,
    )


def solve_bake(
    plan: BakePlan, *, progress: Progress | None = None, cancelled: Cancel | None = None
) -> ClipSolution:
    """Solve every frame. Touches nothing of Blender.

    Raises:
        Cancelled: `cancelled` returned true.
    """
    solution = solve_clip(
        plan.model.tree, plan.tracks, plan.model.clip, plan.settings, progress, cancelled
    )
    if Stop.NOT_SOLVED in solution.stops or Stop.CANCELLED in solution.stops:
        raise Cancelled
    return solution


def write_bake(plan: BakePlan, solution: ClipSolution, solve_seconds: float) -> BakeReport:
    """Write the keys of a solved bake.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    options, armature = plan.options, plan.armature
    result = plan.model.tracks(solution.values)
    if options.blend_in or options.blend_out:
        source = plan.clip if not plan.released.bones else _as_clip(plan)
        result = faded(source, result, options.blend_in, options.blend_out)
    make = layer_channels if options.output == "LAYER" else bone_channels
    channels = make(armature, plan.skeleton, plan.clip, result)
    _check_output(armature, options, channels)
    written = _write(plan, channels)
    if options.mute_constraints:
        mute(armature, plan.released)
    return make_report(
        plan.goals,
        plan.clip.frames,
        solution,
        bones=len({keys.group for keys in channels}),
        written=written,
        notes=plan.notes + _mute_notes(plan),
        seconds=(plan.seconds, solve_seconds, time.perf_counter() - started),
    )


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


def solver_settings(solver: bpy.types.PropertyGroup) -> Settings:
    """The solver's settings from those on the armature."""
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
    )


def _staying(solver: bpy.types.PropertyGroup) -> list[Goal]:
    """The wish to stay as animated, and to stay as in the frame before."""
    goals: list[Goal] = []
    if solver.displacement > 0.0:
        goals.append(Displacement("source", weight=solver.displacement))
    if solver.smoothness > 0.0:
        goals.append(Displacement("previous", weight=solver.smoothness))
    return goals


def _moving_bones(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    goals: Sequence[bpy.types.PropertyGroup],
) -> tuple[list[str], list[str]]:
    """Bones that the goals may move, and sentences about those that they may not."""
    wanted: dict[str, None] = {}
    for goal in goals:
        for bone in (goal.bone, goal.other_bone if "other_bone" in goal.kind.uses else ""):
            if bone:
                wanted |= dict.fromkeys(_chain(skeleton, bone, goal.chain_length))
    if any(goal.type == "BALANCE" for goal in goals):
        wanted |= dict.fromkeys(skeleton.names)
    if armature_object.bioik.solver.scope == "SELECTED":
        chosen = selected_bones(armature_object)
        wanted = {bone: None for bone in wanted if bone in chosen}
        if not wanted:
            raise RigError(
                "None of the bones that the goals could move is selected: select some in "
                "Pose Mode, or let all of the goals' chains move."
            )
    driven = {path for path, _ in driven_channels(armature_object)}
    notes, moving = [], []
    for bone in wanted:
        if any(path.startswith(f"{bone_path(bone)}.rotation") for path in driven):
            notes.append(f"{bone} does not move: drivers decide its rotation.")
        else:
            moving.append(bone)
    return moving, notes


def _chain(skeleton: Skeleton, bone: str, length: int) -> list[str]:
    """A bone and those above it, as many as a chain is long."""
    chain: list[str] = []
    b = skeleton.index[bone]
    while b >= 0 and (length == 0 or len(chain) < length):
        chain.append(skeleton.names[b])
        b = int(skeleton.parent[b])
    return chain


def _roots(skeleton: Skeleton, moving: Sequence[str]) -> list[str]:
    """Moving bones with no moving bone above them."""
    among = set(moving)
    roots = []
    for bone in moving:
        above = _chain(skeleton, bone, 0)[1:]
        if not among & set(above):
            roots.append(bone)
    return roots


def _keyed_source(skeleton: Skeleton, clip: Clip, released: Released) -> BoneTracks:
    """Channels that give the clip's poses: the keyed ones or, for released bones, the visual."""
    location, rotation, scale = clip.location, clip.rotation, clip.scale
    if released.bones:
        visual = decompose(basis_matrices(skeleton, clip.pose))
        location, rotation, scale = location.copy(), rotation.copy(), scale.copy()
        for name in released.bones:
            b = skeleton.index[name]
            location[:, b], rotation[:, b], scale[:, b] = (part[:, b] for part in visual)
    return BoneTracks(location, rotation, scale)


def _as_clip(plan: BakePlan) -> Clip:
    """The clip with the channels that give its poses without the released constraints."""
    source = plan.model.source
    clip = plan.clip
    return Clip(
        clip.frames,
        source.location,
        source.rotation,
        source.scale,
        clip.rotation_channels,
        clip.world,
        clip.pose,
    )


def _sampled_influence(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    goals: Sequence[bpy.types.PropertyGroup],
    frames: Floats,
) -> list[Floats]:
    """Influence of each goal in every frame, from its F-curve or its driver if it has one."""
    paths = [goal.path_from_id("influence") for goal in goals]
    driven = {path for path, _ in driven_channels(armature_object)}
    if driven & set(paths):
        return _evaluated_influence(scene, armature_object, paths, frames)
    curves = fcurves.sample_curves(fcurves.assigned_container(armature_object), frames)
    return [
        np.clip(curves.get((path, 0), np.full(len(frames), goal.influence)), 0.0, 1.0)
        for path, goal in zip(paths, goals, strict=True)
    ]


def _evaluated_influence(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, paths: Sequence[str], frames: Floats
) -> list[Floats]:
    values = np.empty((len(paths), len(frames)))
    with preserved_frame(scene, [armature_object]):
        for f, frame in enumerate(frames):
            scene.frame_set(int(frame), subframe=float(frame % 1.0))
            evaluated = armature_object.evaluated_get(bpy.context.evaluated_depsgraph_get())
            values[:, f] = [evaluated.path_resolve(path) for path in paths]
    return list(np.clip(values, 0.0, 1.0))


def _check_output(
    armature_object: bpy.types.Object, options: BakeOptions, channels: Sequence[ChannelKeys] = ()
) -> None:
    if options.output == "LAYER":
        outputs.check_layer(armature_object)
    elif options.output == "IN_PLACE":
        outputs.check_in_place(armature_object, channels)
    else:
        outputs.check_new_action(armature_object, channels)


def _write(plan: BakePlan, channels: Sequence[ChannelKeys]) -> str:
    """Write the channels; returns the name of what now holds them."""
    armature, frames = plan.armature, plan.clip.frames
    if plan.options.output == "LAYER":
        return str(outputs.write_layer(plan.scene, armature, frames, channels).name)
    if plan.options.output == "IN_PLACE":
        return str(outputs.write_in_place(armature, frames, channels).name)
    return str(outputs.write_new_action(armature, frames, channels).name)


def _mute_notes(plan: BakePlan) -> tuple[str, ...]:
    names = [f'"{name}" of {bone}' for bone, name in plan.released.constraints]
    if not names:
        return ()
    if plan.options.mute_constraints:
        return (f"Muted, because they would act on top of the keys: {', '.join(names)}.",)
    return (f"These act on top of the keys and may change the result: {', '.join(names)}.",)
