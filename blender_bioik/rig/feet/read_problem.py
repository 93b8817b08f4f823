"""The foot placement problem of a source: its feet, contacts, floor and ground."""

from __future__ import annotations

from collections.abc import Sequence

from ...motion.rests.resting import Resting
from ..legs.goal_stages import GoalStages
from ..legs.ground import Ground, reading_ground
from ..legs.source_feet import clip_feet, origin_height
from ..problem.feet_model import feet_goals, feet_model, feet_notes
from ..problem.feet_problem import FeetProblem
from ..reading import Reading, all_read
from ..rests.resting_legs import resting_legs
from ..source.options import BakeOptions
from ..source.read_source import with_more_bones
from ..source.source import Source
from .clip_contacts import bearing_hands, clip_floor, read_contacts
from .clip_loop import read_loop
from .feet_settings import plan_settings, region_around
from .read_resting import read_resting

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
    loop, loop_notes = read_loop(source, terrain, scale)
    contacts, found, contact_notes = read_contacts(source, feet, scale, loop)
    blended = [BLENDED] if options.blend_in or options.blend_out else []
    yield all_read(source.frames)
    height = settings.floor_height if settings.floor == "HEIGHT" else None
    floor = clip_floor(feet, contacts, height, origin_height(clip), loop)
    hands = bearing_hands(source, stages.legs, scale)
    planning = plan_settings(settings, scale)
    rests = read_resting(
        source,
        stages.legs,
        feet,
        contacts,
        floor,
        terrain,
        planning,
        scale,
        loop,
        hands,
        edited=not found,
    )
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
        tuple(contacts),
        terrain,
        rests.floor,
        planning,
        scale,
        loop,
        hands,
        (*feet_notes(source, model), *loop_notes, *contact_notes, *blended),
        Resting(rests.parts, rests.contacts),
    )
    return problem, found
