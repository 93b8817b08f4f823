"""Placing feet on the ground: read the rig and the ground, plan and solve, write keys and a report.

As in `bake.py` the steps stand alone: reading and writing touch Blender and belong to its main
thread, planning and solving touch only arrays. Nothing is changed before writing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import bpy
import numpy as np

from ...motion.contacts.floor import source_floor
from ...motion.feet import Contact, Floats, Foot
from ...motion.ground.terrain import Terrain
from ...motion.ground.underfoot import Underfoot
from ...motion.measure.quality_change import Change, compare
from ...motion.plan.plan import Plan, PlanSettings
from ...motion.plan.planner import make_plan
from ...motion.solve.body import Body
from ...motion.solve.body_goals import hand_notes
from ...motion.solve.loops import Loop, find_loop, place_loop
from ...motion.solve.placement import Placed, place
from ...solver.errors import SolverError
from ..bake.bake import (
    BakeOptions,
    BakePlan,
    bake_frames,
    frames_per_second,
    reading_bake,
)
from ..bake.bake_keys import WrittenKeys, result_tracks, write_keys
from ..clip.cyclic import is_cyclic
from ..clip.skeleton import read_skeleton
from ..errors import Cancelled, RigError
from ..joints.moving_bones import goal_chains
from ..joints.zero_scale import refuse_sizeless_bones
from ..keys.keys import BoneTracks
from ..legs.contact_store import store_contacts, stored_contacts
from ..legs.ground import Ground, reading_ground
from ..legs.leg_controls import refuse_idle_controls
from ..legs.leg_joints import LegSetup, leg_setup
from ..legs.soles import foot_points, leg_scale, read_soles
from ..legs.source_feet import found_contacts
from ..legs.upper_body import body_options
from ..mapping.chosen import rig_mapping
from ..reading import Cancel, Progress, Reading, all_read, drained, parts_of
from ..record.bake_inputs import ground_sketches
from ..report.foot_report import FootReport, reach_notes
from ..report.goal_errors import keep_worst
from ..report.metric_curves import write_metrics
from ..report.stored_report import keep_report
from ..source_shown import live_waits, source_shown
from .foot_motion import (
    measured_footing,
    solved_motion,
    source_motion,
    unreached_frames,
)
from .goals_after_feet import (
    GoalErrors,
    OwnGoals,
    feet_tracks,
    goal_reports,
    own_goals,
    solve_own_goals,
)
from .leg_body import make_body
from .placement_inputs import keep_placement_inputs

# How far around the feet the ground matters, metres for a character of 1.6 m.
AROUND = 1.5
FEWEST_FRAMES = 3
# Ground that has moved by more over a loop has moved on, metres for a character of 1.6 m.
SAME_GROUND = 0.001
MOVED_ON = "The ground is not where it was when the clip begins again: no loop."
BLENDED = (
    "Where the correction is blended in and out, feet are on their way between the source's floor "
    "and the ground."
)
NO_CONTACTS = (
    "No foot was found to stand in the clip, so none is planted: "
    "check the source's floor, or add contacts."
)
NO_OWN_CONTACTS = (
    "The armature's own contacts have none in these frames, so no foot is planted: add some, or "
    "switch Own Contacts off to find them in the clip."
)


@dataclass(frozen=True, eq=False)
class PlacementPlan:
    """Everything read for placing feet.

    Attributes:
        name: Name of the armature, for whoever must not touch Blender.
        bake: The rig, its clip, its goals and where the keys go.
        legs: The bones that move.
        feet: The feet in the source.
        contacts: When they stand on the ground.
        terrain: The ground.
        goals: The user's own goals.
        floor: Height of the source's floor under each foot; (f, feet).
        settings: How feet are placed.
        rate: Solved frames a second.
        scale: Size of the character relative to one of 1.6 m.
        found: Whether contacts were found in the clip and not given by the user.
        loop: How the clip repeats, None if it does not.
        own_grounds: Whether the ground is that of the armature's settings.
        seconds: Time of reading.
    """

    name: str
    bake: BakePlan
    legs: LegSetup
    feet: tuple[Foot, ...]
    contacts: tuple[Contact, ...]
    terrain: Terrain
    goals: OwnGoals
    floor: Floats
    settings: PlanSettings
    rate: float
    scale: float
    found: bool
    loop: Loop | None
    own_grounds: bool
    seconds: float

    @cached_property
    def body(self) -> Body:
        """The character in the solver's terms; made by whoever solves, as it uses the solver."""
        bake, own = self.bake, [track for _, track in feet_tracks(self.bake, self.goals)]
        aimed = goal_chains(
            bake.skeleton, [self.goals.planned[k].goal for k in self.goals.with_feet]
        )
        return make_body(
            self.legs, bake.skeleton, bake.clip, bake.model, own, self.rate, self.scale, aimed
        )


@dataclass(frozen=True, eq=False)
class PlacedFeet:
    """A solved and measured placement.

    Attributes:
        plan: Where feet go.
        placed: The poses of the feet's own solve.
        tracks: Channels of all bones, with the user's own goals met.
        change: The clip's numbers before and after.
        ground: Sketch of the ground in each frame; (f, SUMS).
        goal_errors: How far the user's own goals are off.
        notes: Sentences about hands and limits.
        plan_seconds: Time of planning.
        solve_seconds: Time of solving and measuring.
    """

    plan: Plan
    placed: Placed
    tracks: BoneTracks
    change: Change
    ground: Floats
    goal_errors: tuple[GoalErrors, ...]
    notes: tuple[str, ...]
    plan_seconds: float
    solve_seconds: float


def place_feet(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    grounds: Sequence[Ground] | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> FootReport:
    """Put a character's feet on the ground and write the result as keys.

    Args:
        scene: The scene whose frames are meant.
        armature_object: The character; its goals and settings are in `Object.bioik`.
        options: Which frames, and where the keys go.
        grounds: What it walks on; None for what its settings name.
        progress: Called with the work done and all work.
        cancelled: Asked now and then; once it returns true nothing is written.

    Raises:
        RigError: Something stands in the way; one sentence that says what to do.
        Cancelled: `cancelled` returned true.
    """
    plan = read_placement(scene, armature_object, options, grounds=grounds, cancelled=cancelled)
    solved = solve_placement(plan, progress=progress, cancelled=cancelled)
    return write_placement(plan, solved)


def read_placement(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    grounds: Sequence[Ground] | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> PlacementPlan:
    """Read the rig, its clip, its contacts and the ground. Leaves the scene as it is."""
    reading = reading_placement(scene, armature_object, options, grounds=grounds)
    return drained(reading, progress, cancelled)


def reading_placement(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    grounds: Sequence[Ground] | None = None,
    influence: Sequence[Floats] | None = None,
) -> Reading[PlacementPlan]:
    """Read as `read_placement` does, frame by frame; goals' influence may be known already."""
    with source_shown():
        return (yield from _reading_placement(scene, armature_object, options, grounds, influence))


def _reading_placement(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    grounds: Sequence[Ground] | None,
    influence: Sequence[Floats] | None,
) -> Reading[PlacementPlan]:
    started = time.perf_counter()
    settings = armature_object.bioik.feet
    legs = read_legs(armature_object)
    frames = bake_frames(options)
    if len(frames) < FEWEST_FRAMES:
        raise RigError(
            f"The range has only {len(frames)} frame{'s' if len(frames) > 1 else ''}: "
            f"feet are placed over a clip of at least {FEWEST_FRAMES}."
        )
    chosen = list(grounds) if grounds is not None else chosen_grounds(armature_object)
    bake = yield from reading_bake(scene, armature_object, options, legs=legs, influence=influence)
    refuse_idle_controls(armature_object, bake.skeleton, bake.clip, legs.soles)
    refuse_sizeless_bones(bake.skeleton, bake.clip, legs.leg_bones)
    rate = frames_per_second(scene) / options.step
    feet = foot_points(bake.skeleton, bake.clip, legs.soles, rate)
    scale = leg_scale(bake.skeleton, bake.clip, legs.soles)
    yield all_read(frames)
    around = _around(feet, scale)
    terrain = yield from reading_ground(scene, chosen, frames, armature_object, around)
    yield all_read(frames)
    loop, notes = _loop(armature_object, bake, terrain, rate, scale)
    contacts, found, seen = _contacts(armature_object, feet, frames, rate, scale, loop)
    notes += [*seen, *([BLENDED] if options.blend_in or options.blend_out else [])]
    yield all_read(frames)
    height = settings.floor_height if settings.floor == "HEIGHT" else None
    return PlacementPlan(
        armature_object.name,
        replace(bake, notes=(*bake.notes, *notes)),
        legs,
        tuple(feet),
        tuple(contacts),
        terrain,
        own_goals(bake, legs, scale),
        _floor(feet, contacts, height, loop),
        _plan_settings(settings, scale),
        rate,
        scale,
        found,
        loop,
        grounds is None,
        time.perf_counter() - started,
    )


@live_waits()
def solve_placement(
    plan: PlacementPlan, *, progress: Progress | None = None, cancelled: Cancel | None = None
) -> PlacedFeet:
    """Plan where feet go and solve all frames. Touches nothing of Blender.

    Raises:
        RigError: There is no ground under the character, or the solver cannot work with it.
        Cancelled: `cancelled` returned true.
    """
    started = time.perf_counter()
    planned = _planned(plan)
    between = time.perf_counter()
    try:
        solve = partial(place_loop, plan.loop) if plan.loop else place
        first, second = parts_of(progress, 2) if plan.goals.above else (progress, None)
        placed = solve(plan.body, plan.feet, planned, plan.rate, plan.scale, first, cancelled)
    except SolverError as error:
        raise RigError(str(error)) from error
    if placed.cancelled:
        raise Cancelled
    goals = solve_own_goals(plan.bake, plan.goals, placed, plan.loop, second, cancelled)
    return PlacedFeet(
        planned,
        placed,
        goals.tracks,
        measured(plan, planned, placed.values, result_tracks(plan.bake, goals.tracks)),
        ground_sketches(plan.terrain, plan.feet, plan.scale),
        tuple(goals.errors[number] for number in sorted(goals.errors)),
        (
            *hand_notes(plan.body.hands, plan.body.tip_places(placed.values), plan.scale),
            *(note for note in goals.notes if note not in plan.bake.notes),
        ),
        between - started,
        time.perf_counter() - between,
    )


def measured(plan: PlacementPlan, planned: Plan, values: Floats, tracks: BoneTracks) -> Change:
    """The clip's numbers as it came and with joint values (f, joints), written as channels."""
    result = solved_motion(plan, planned, tracks)
    return compare(
        source_motion(plan, planned),
        result,
        measured_footing(plan, planned),
        unreached_frames(plan, planned, values, result),
    )


def _planned(plan: PlacementPlan) -> Plan:
    """Plan where feet go; a loop is planned repeated."""
    feet, contacts, floor = plan.feet, plan.contacts, plan.floor
    pelvis, terrain, loop = plan.body.pelvis.places, plan.terrain, plan.loop
    if loop is not None:
        feet, contacts = tuple(loop.repeated_feet(feet)), tuple(loop.repeated_contacts(contacts))
        floor, pelvis, terrain = floor[loop.rows], pelvis[loop.rows], terrain.repeated(loop.period)
    knee = float(np.mean([foot.knee[:, 2] - floor[:, i] for i, foot in enumerate(feet)]))
    underfoot = Underfoot(terrain, pelvis[:, :2], float(floor[0].mean()), knee, plan.rate)
    if underfoot.is_empty:
        raise RigError(
            f'There is no ground under "{plan.name}" in any frame: '
            "move the ground under its path, or choose another one."
        )
    planned = make_plan(
        feet, contacts, floor, pelvis, underfoot, plan.rate, plan.scale, plan.settings
    )
    return planned if loop is None else loop.own_plan(planned, feet, plan.settings)


def write_placement(plan: PlacementPlan, solved: PlacedFeet) -> FootReport:
    """Write the keys, the contacts that were found, and the report's curves and markers.

    Where no bone had to change, nothing is written.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    bake = plan.bake
    notes = (*bake.notes, *solved.plan.notes, *solved.notes)
    written = write_keys(replace(bake, notes=notes), solved.tracks)
    report = finish_placement(plan, solved, written, started)
    if written.action is not None:
        keep_placement_inputs(plan, solved.ground)
    return report


def finish_placement(
    plan: PlacementPlan, solved: PlacedFeet, written: WrittenKeys, started: float
) -> FootReport:
    """Keep and show what was reached, and the contacts that were found.

    Args:
        plan: What was read.
        solved: What was found.
        written: The keys that were written.
        started: When writing began, by `time.perf_counter`.
    """
    bake = plan.bake
    feet = tuple(foot.name for foot in plan.feet)
    report = FootReport(
        feet=feet,
        frames=bake.clip.frames,
        change=solved.change,
        scale=plan.scale,
        bones=written.bones,
        written=written.name,
        read_seconds=plan.seconds,
        plan_seconds=solved.plan_seconds,
        solve_seconds=solved.solve_seconds,
        write_seconds=time.perf_counter() - started,
        notes=(*written.notes, *reach_notes(solved.change, feet, bake.clip.frames)),
        goals=tuple(goal_reports(solved.goal_errors, bake.clip.frames)),
    )
    keep_worst(bake.armature, report.goals)
    if written.action is not None:
        if plan.found:
            store_contacts(bake.armature.bioik.feet, plan.contacts, feet, bake.clip.frames)
        _show(plan, report, written.action)
        keep_report(bake.armature, report)
    return report


def read_legs(armature_object: bpy.types.Object) -> LegSetup:
    """The legs of an armature.

    Raises:
        RigError: It has none, or they cannot be placed.
    """
    skeleton = read_skeleton(armature_object)
    mapping = rig_mapping(armature_object)
    soles = read_soles(armature_object, skeleton, mapping)
    wanted = body_options(armature_object.bioik.feet)
    return leg_setup(armature_object, skeleton, soles, mapping, wanted)


def chosen_grounds(armature_object: bpy.types.Object) -> list[Ground]:
    """What the armature's settings name as ground."""
    return [
        chosen
        for ground in armature_object.bioik.feet.grounds
        for chosen in (ground.object, ground.collection)
        if chosen is not None
    ]


def _show(plan: PlacementPlan, report: FootReport, action: bpy.types.Action) -> None:
    """Write the report's curves and markers, as far as they are wanted."""
    settings = plan.bake.armature.bioik.feet
    write_metrics(
        plan.bake.scene,
        plan.bake.armature,
        action,
        plan.bake.clip.frames,
        report.curves() if settings.plot else {},
        [(moment.frame, moment.text) for moment in report.worst()] if settings.markers else [],
    )


def _contacts(
    armature_object: bpy.types.Object,
    feet: Sequence[Foot],
    frames: Floats,
    rate: float,
    scale: float,
    loop: Loop | None,
) -> tuple[list[Contact], bool, list[str]]:
    """Contacts, whether they were found in the clip, and sentences about them."""
    settings = armature_object.bioik.feet
    if settings.contacts_edited:
        own = stored_contacts(settings, [foot.name for foot in feet], frames)
        return own, False, [] if own else [NO_OWN_CONTACTS]
    if loop is None:
        contacts, in_place = found_contacts(settings, feet, rate, scale)
    else:
        contacts, in_place = found_contacts(settings, loop.repeated_feet(feet), rate, scale)
        contacts = loop.own_contacts(contacts)
    if in_place and settings.planting != "LOCKED":
        note = "The clip walks in place: feet follow the ground's height and slope, unlocked."
        return contacts, True, [note]
    if not contacts:
        return contacts, True, [NO_CONTACTS]
    return contacts, True, []


def _plan_settings(settings: bpy.types.PropertyGroup, scale: float) -> PlanSettings:
    """How feet are placed; a step's height that nobody chose is one for the character's size."""
    chosen = settings.is_property_set("step_up")
    step_up = settings.step_up if chosen else scale * settings.step_up
    return PlanSettings(settings.slope, step_up, settings.ease, settings.swing)


def _floor(
    feet: Sequence[Foot], contacts: Sequence[Contact], height: float | None, loop: Loop | None
) -> Floats:
    """Height of the source's floor under each foot; (f, feet)."""
    if loop is None:
        return source_floor(feet, contacts, height)
    again = loop.repeated_feet(feet), loop.repeated_contacts(contacts)
    return np.asarray(loop.own_rows(source_floor(*again, height)))


def _loop(
    armature_object: bpy.types.Object, bake: BakePlan, terrain: Terrain, rate: float, scale: float
) -> tuple[Loop | None, list[str]]:
    """How the clip repeats, and sentences about it: over ground that moves on it does not."""
    wanted = armature_object.bioik.feet.loop
    if wanted == "OFF":
        return None, []
    told = wanted == "ON" or is_cyclic(armature_object)
    loop = find_loop(_heads(bake), rate, scale, told=told)
    if wanted == "ON" and loop is None:
        return None, ["The clip does not go on with its first frame after the last: no loop."]
    if loop is not None and not terrain.comes_back(loop.period, SAME_GROUND * scale):
        return None, [MOVED_ON] if wanted == "ON" else []
    return loop, []


def _heads(bake: BakePlan) -> Floats:
    """Heads of all bones in the world; (f, n, 3)."""
    return np.asarray((bake.clip.world[:, None] @ bake.clip.pose)[..., :3, 3])


def _around(feet: Sequence[Foot], scale: float) -> Floats:
    """Lowest and highest (x, y) of the ground that matters; (2, 2)."""
    points = np.concatenate([foot.points[..., :2].reshape(-1, 2) for foot in feet])
    margin = AROUND * scale
    return np.stack([points.min(axis=0) - margin, points.max(axis=0) + margin])
