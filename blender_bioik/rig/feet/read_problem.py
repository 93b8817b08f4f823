"""The foot placement problem of a source: its feet, contacts, floor and ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...motion.rests.resting import Resting
from ..contacts.plan_settings import region_around
from ..contacts.read_clip_contacts import read_clip_contacts
from ..legs.goal_stages import GoalStages
from ..legs.ground import Ground, reading_ground
from ..legs.source_feet import clip_feet
from ..problem.feet_model import feet_goals, feet_model, feet_notes
from ..problem.feet_problem import FeetProblem
from ..reading import Reading, all_read
from ..rests.low_arms import low_arms
from ..rests.resting_legs import resting_legs
from ..source.options import BakeOptions
from ..source.read_source import with_more_bones
from ..source.source import Source

BLENDED = (
    "While the correction is blended in or out, feet are between the source floor and the ground."
)


def read_problem(
    source: Source, stages: GoalStages, grounds: Sequence[Ground], options: BakeOptions
) -> Reading[tuple[FeetProblem, bool]]:
    """The foot placement problem, and whether contacts were detected in the clip."""
    armature, clip = source.armature, source.clip
    settings = armature.bioik.feet
    feet, scale = clip_feet(armature, source.skeleton, clip, stages.legs.soles, source.rate)
    yield all_read(source.frames)
    around = region_around(feet, scale)
    terrain = yield from reading_ground(source.scene, grounds, source.frames, armature, around)
    yield all_read(source.frames)
    edited = settings.contacts_edited
    found = yield from read_clip_contacts(
        source, stages.legs, tuple(feet), terrain, scale, edited=edited
    )
    rests, lowest = found.rests, np.asarray(found.rests.floor.min(axis=1), float)
    low = low_arms(armature, stages.legs, source.skeleton, clip, lowest, terrain, scale)
    rests = replace(rests, low_arms=tuple(low))
    blended = [BLENDED] if options.blend_in or options.blend_out else []
    if rests.contacts or rests.low_arms:
        legs = resting_legs(armature, source.skeleton, stages.legs, rests)
        source = with_more_bones(source, options, legs.bones, legs.controls)
        stages = GoalStages(source.setup, source.skeleton, legs)
    yield all_read(source.frames)
    model = feet_model(source, stages)
    yield all_read(source.frames)
    problem = FeetProblem(
        source,
        armature.name,
        stages,
        model,
        feet_goals(source, stages, model),
        tuple(feet),
        found.feet,
        terrain,
        rests.floor,
        found.planning,
        scale,
        found.loop,
        found.hands,
        (*feet_notes(source, model), *found.notes, *blended),
        Resting(rests.parts, rests.contacts),
    )
    return problem, found.found
