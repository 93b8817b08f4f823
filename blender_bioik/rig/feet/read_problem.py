"""The foot placement problem of a source: its feet, contacts, floor and ground."""

from __future__ import annotations

from collections.abc import Sequence

from ...findings import Finding
from ..legs.goal_stages import GoalStages
from ..legs.ground import Ground, reading_ground
from ..legs.source_feet import clip_feet, origin_height
from ..problem.feet_model import feet_goals, feet_model, feet_notes
from ..problem.feet_problem import FeetProblem
from ..reading import Reading, all_read
from ..source.options import BakeOptions
from ..source.source import Source
from .clip_contacts import bearing_hands, clip_floor, in_place_findings, read_contacts
from .clip_loop import read_loop
from .feet_settings import plan_settings, region_around

BLENDED = (
    "While the correction is blended in or out, feet are between the source floor and the ground."
)


def read_problem(
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
        clip_floor(feet, contacts, height, origin_height(clip), loop),
        plan_settings(settings, scale),
        scale,
        loop,
        bearing_hands(source, stages.legs, scale),
        (*feet_notes(source, model), *loop_notes, *contact_notes, *blended),
    )
    return problem, found


def contact_findings(problem: FeetProblem, *, found: bool) -> list[Finding]:
    """What was decided about the contacts of a problem, detected or not."""
    planting = problem.source.armature.bioik.feet.planting
    return in_place_findings(problem.contacts, planting, found=found)
