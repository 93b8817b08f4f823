"""Reading a source from the scene: once, frame by frame, leaving the scene as it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

import bpy

from ..blender.scene_state import frames_per_second
from ..clip.clip_range import beyond_clip_notes, refuse_frames_beyond_clip
from ..clip.skeleton import read_skeleton
from ..controls.rig_controls import RigControls
from ..goals.constraints import check_mutable
from ..goals.solve_setup import read_setup, refuse_numbers_that_are_none
from ..keys.outputs import check_output
from ..keys.played_source import own_source_played
from ..reading import Reading, all_read
from ..source_shown import source_shown
from .held import held_controls, held_values
from .options import BakeOptions
from .solver_settings import solver_settings
from .source import Source
from .source_goals import clip_and_goals, goal_influence

# Makes an armature temporarily play the source of its last bake instead of the result.
Played = Callable[[], AbstractContextManager[None]]


def read_source(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    needs_goal: bool = True,
    all_bones: bool = False,
    more: Sequence[str] = (),
    controls: RigControls | None = None,
    played: Played | None = None,
) -> Reading[Source]:
    """Read an armature, its clip, its goals and their targets.

    Args:
        scene: The scene whose frames are used.
        armature_object: The armature; its goals and solver settings are in `Object.bioik`.
        options: The frames, and where to write the keyframes.
        needs_goal: Whether at least one goal is required.
        all_bones: Whether all bones may move where no goal names a bone.
        more: Additional bones that move.
        controls: The controls that pose some of the bones.
        played: Makes the armature play the source of its bake; None for the source of the result
            that it plays, if it plays one. Influences of goals are read from the action that plays
            otherwise, the result.

    Raises:
        RigError: It cannot be done; one sentence that says how to fix it.
    """
    started = time.perf_counter()
    playing = source_playing(scene, armature_object, played)
    rig = armature_object.bioik
    posed = controls.posed if controls is not None else ()
    with source_shown():
        with playing():
            skeleton = read_skeleton(armature_object)
            check_output(armature_object, options.output)
            frames = options.frames()
            setup = read_setup(
                armature_object,
                skeleton,
                needs_goal=needs_goal,
                all_bones=all_bones,
                more=more,
                posed=posed,
            )
            notes = setup.notes
            if played is None:
                notes += _frame_notes(scene, armature_object, options)
            if options.mute_constraints:
                check_mutable(armature_object, setup.released)
        influence = yield from goal_influence(scene, armature_object, setup.goals, frames)
        with playing():
            clip, goals = yield from clip_and_goals(
                scene, armature_object, setup.goals, frames, influence
            )
            held = held_values(armature_object, skeleton, setup.may_move)
            held |= held_controls(armature_object, skeleton, controls)
            rate = frames_per_second(scene) / options.step
            settings = solver_settings(rig.solver, rate)
            displacement = float(rig.solver.displacement)
    refuse_numbers_that_are_none(skeleton, clip, goals)
    yield all_read(frames)
    muted = setup.released.bones if options.mute_constraints else frozenset()
    return Source(
        armature_object,
        scene,
        skeleton,
        replace(setup, goals=tuple(goal.goal for goal in goals)),
        setup.limited | muted | frozenset(posed),
        clip,
        rate,
        settings,
        displacement,
        goals,
        held,
        notes,
        time.perf_counter() - started,
    )


def source_playing(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, played: Played | None
) -> Played:
    """What makes an armature play the source to read; see `read_source`."""
    return played or partial(own_source_played, scene, armature_object)


def with_more_bones(
    source: Source, options: BakeOptions, more: Sequence[str], controls: RigControls | None
) -> Source:
    """The same source with additional bones that move; nothing is sampled again.

    Args:
        source: What was read.
        options: The options that it was read with.
        more: All bones that move for more than goals, as in `read_source`.
        controls: The controls that pose some of the bones.

    Raises:
        RigError: The constraints of these bones cannot be muted.
    """
    armature, skeleton = source.armature, source.skeleton
    posed = controls.posed if controls is not None else ()
    setup = read_setup(armature, skeleton, needs_goal=False, more=more, posed=posed)
    if options.mute_constraints:
        check_mutable(armature, setup.released)
    held = held_values(armature, skeleton, setup.may_move)
    held |= held_controls(armature, skeleton, controls)
    muted = setup.released.bones if options.mute_constraints else frozenset()
    new = tuple(note for note in setup.notes if note not in source.notes)
    return replace(
        source,
        setup=replace(setup, goals=source.setup.goals),
        visual=setup.limited | muted | frozenset(posed),
        held=held,
        notes=(*source.notes, *new),
    )


def _frame_notes(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, options: BakeOptions
) -> tuple[str, ...]:
    """Notes about the frame range.

    Raises:
        RigError: The armature is not animated in them.
    """
    frames = scene, armature_object, options.frame_start, options.frame_end
    refuse_frames_beyond_clip(*frames)
    return tuple(beyond_clip_notes(*frames))
