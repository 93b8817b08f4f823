"""Reading the inputs of foot placement: legs, their clip, the ground and contacts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

import bpy

from ..legs.goal_stages import GoalStages
from ..legs.ground import Ground, chosen_grounds, reading_ground
from ..legs.read_legs import legs_in_clip, read_legs
from ..legs.source_feet import clip_feet
from ..problem.feet_model import feet_goals, feet_model, feet_notes
from ..problem.feet_problem import FeetProblem
from ..problem.feet_then_goals import FeetThenGoals
from ..reading import Reading, all_read
from ..source.options import BakeOptions
from ..source.read_source import Played, read_source
from ..source.source import Source
from ..source_shown import source_shown
from .contacts_and_loop import (
    clip_floor,
    plan_settings,
    read_contacts,
    read_loop,
    refuse_few_frames,
    region_around,
)
from .placement import Placement
from .skin_depths import character_skin

__all__ = ["Placement", "read_feet"]

BLENDED = (
    "While the correction is blended in or out, feet are between the source floor and the ground."
)


def read_feet(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    grounds: Sequence[Ground] | None = None,
    played: Played | None = None,
) -> Reading[Placement]:
    """Read the rig, its clip, its contacts and the ground. Leaves the scene as it is.

    Args:
        scene: The scene whose frames are used.
        armature_object: The character; its goals and settings are in `Object.bioik`.
        options: The frames, and where to write the keyframes.
        grounds: The ground; None for the ground in its settings.
        played: See `read_source`.

    Raises:
        RigError: It cannot be done; one sentence that says how to fix it.
    """
    started = time.perf_counter()
    with source_shown():
        legs = read_legs(armature_object)
        refuse_few_frames(options)
        own = chosen_grounds(armature_object)
        chosen = own if grounds is None else list(grounds)
        source = yield from read_source(
            scene,
            armature_object,
            options,
            needs_goal=False,
            more=legs.bones,
            controls=legs.controls,
            played=played,
        )
        with (played or nullcontext)():
            legs, notes = legs_in_clip(
                armature_object, legs, source.skeleton, source.clip, source.rate
            )
            source = replace(source, notes=(*source.notes, *notes))
            stages = GoalStages(source.setup, source.skeleton, legs)
            feet, found = yield from _read_problem(source, stages, chosen, options)
            skin = character_skin(source, legs)
    source = replace(source, seconds=time.perf_counter() - started)
    return Placement(FeetThenGoals(replace(feet, source=source)), found, chosen == own, skin)


def _read_problem(
    source: Source, stages: GoalStages, grounds: Sequence[Ground], options: BakeOptions
) -> Reading[tuple[FeetProblem, bool]]:
    """The foot placement problem, and whether contacts were detected in the clip."""
    armature, clip = source.armature, source.clip
    settings = armature.bioik.feet
    model = feet_model(source, stages)
    yield all_read(source.frames)
    feet, scale = clip_feet(armature, source.skeleton, clip, stages.legs.soles, source.rate)
    yield all_read(source.frames)
    around = region_around(feet, scale)
    terrain = yield from reading_ground(source.scene, grounds, source.frames, armature, around)
    yield all_read(source.frames)
    loop, loop_notes = read_loop(source, terrain, scale)
    contacts, found, contact_notes = read_contacts(source, feet, scale, loop)
    blended = [BLENDED] if options.blend_in or options.blend_out else []
    yield all_read(source.frames)
    height = settings.floor_height if settings.floor == "HEIGHT" else None
    problem = FeetProblem(
        source,
        armature.name,
        stages,
        model,
        feet_goals(source, stages, model),
        tuple(feet),
        tuple(contacts),
        terrain,
        clip_floor(feet, contacts, height, loop),
        plan_settings(settings, scale),
        scale,
        loop,
        (*feet_notes(source, model), *loop_notes, *contact_notes, *blended),
    )
    return problem, found
