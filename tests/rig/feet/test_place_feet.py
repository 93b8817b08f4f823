"""Placing feet: refusals that leave the file as it was, and results.

Tests of: foot_motion, keep_feet, measured_feet, read_feet, read_problem, refused_inputs,
rig.contacts.clip_contacts, rig.contacts.plan_settings, rig.contacts.read_clip_contacts,
rig.legs.goal_stages, rig.legs.source_feet, rig.problem.feet_problem, rig.problem.feet_solution,
rig.problem.plan_and_place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.errors import Cancelled, RigError
from blender_bioik.rig.feet.place_feet import (
    place_feet,
    solve_feet,
    write_feet,
)
from blender_bioik.rig.feet.read_feet import read_feet
from blender_bioik.rig.legs.source_feet import read_source_feet
from blender_bioik.rig.reading import drained
from blender_bioik.rig.report.goal_errors import GoalError, error_of
from blender_bioik.rig.transforms import Floats

from ...builders.bakes import tweaked_strip
from ...builders.curves import set_key
from ...builders.files import new_file
from ...builders.libraries import load, put_in_collection, save_as_library
from ...builders.placements import FEW, look_at, off_sight, stepping
from ...builders.snapshots import all_data, differences
from ...builders.walkers import (
    FIRST,
    LAST,
    SIDES,
    contacts,
    drift,
    keys_of,
    largest_drift,
    soles,
    stands,
    walker,
)

OPTIONS = BakeOptions(FIRST, LAST)


def run(rig: bpy.types.Object, options: BakeOptions = OPTIONS, **how: Any) -> Any:
    return place_feet(bpy.context.scene, rig, options, **how)


# Refusals


def ground() -> bpy.types.Object:
    return bpy.data.objects["Plane"]


def delete_bones(rig: bpy.types.Object, *parts: str, sides: str = "LR") -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for part in parts:
        for side in sides:
            bones.remove(bones[f"{part}.{side}"])
    bpy.ops.object.mode_set(mode="OBJECT")


def ground_elsewhere(_rig: bpy.types.Object) -> None:
    ground().location.x = 50.0


def no_faces(_rig: bpy.types.Object) -> None:
    ground().data.clear_geometry()


def no_ground(rig: bpy.types.Object) -> None:
    rig.bioik.feet.grounds[0].object = None


def hidden_ground(_rig: bpy.types.Object) -> None:
    ground().hide_viewport = True


def flat_ground(_rig: bpy.types.Object) -> None:
    ground().scale = (0.0, 0.0, 0.0)


def ground_nowhere(_rig: bpy.types.Object) -> None:
    ground().location.z = math.nan


def own_body(rig: bpy.types.Object) -> None:
    ground().parent = rig


def carrying_ground(rig: bpy.types.Object) -> None:
    plane = ground()
    for frame, x in ((1, 0.0), (10, 1.0)):
        plane.location.x = x
        plane.keyframe_insert("location", frame=frame)
    rig.parent = plane


def no_legs(rig: bpy.types.Object) -> None:
    delete_bones(rig, "foot", "shin", "thigh")


def legs_of_one_bone(rig: bpy.types.Object) -> None:
    delete_bones(rig, "foot", "shin")


def no_feet(rig: bpy.types.Object) -> None:
    delete_bones(rig, "foot")


def one_foot_gone(rig: bpy.types.Object) -> None:
    delete_bones(rig, "foot", sides="L")


def foot_of_no_leg(rig: bpy.types.Object) -> None:
    contact = rig.bioik.feet.contacts.add()
    contact.foot, contact.frame_start, contact.frame_end = "leg.X", 2, 7


def nothing_slides(rig: bpy.types.Object) -> None:
    rig.pose.bones["hips"].lock_location[2] = True


def not_a_number(rig: bpy.types.Object) -> None:
    set_key(rig, 'pose.bones["shin.L"].rotation_quaternion', math.nan)


def no_size(rig: bpy.types.Object) -> None:
    rig.scale = (0.0, 0.0, 0.0)


def size_lost_later(rig: bpy.types.Object) -> None:
    rig.keyframe_insert("scale", frame=1)
    rig.scale = (0.0, 0.0, 0.0)
    rig.keyframe_insert("scale", frame=6)


def mirrored(rig: bpy.types.Object) -> None:
    rig.scale.x = -1.0


def pelvis_without_size(rig: bpy.types.Object) -> None:
    rig.pose.bones["hips"].scale = (0.0, 0.0, 0.0)


def shin_that_loses_its_size(rig: bpy.types.Object) -> None:
    shin = rig.pose.bones["shin.L"]
    shin.keyframe_insert("scale", frame=1)
    shin.scale = (0.0, 0.0, 0.0)
    shin.keyframe_insert("scale", frame=6)


def foot_without_size(rig: bpy.types.Object) -> None:
    rig.pose.bones["foot.L"].scale = (0.0, 0.0, 0.0)


def nowhere(rig: bpy.types.Object) -> None:
    rig.location.x = math.nan


def infinite(rig: bpy.types.Object) -> None:
    set_key(rig, 'pose.bones["hips"].location', math.inf)


def uneven_size(rig: bpy.types.Object) -> None:
    rig.scale.x = 2.0


def edit_mode(_rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")


def rest_position(rig: bpy.types.Object) -> None:
    rig.data.pose_position = "REST"


REFUSED: list[tuple[Callable[[bpy.types.Object], None], str]] = [
    (ground_elsewhere, 'no ground under "Rig" in any frame: move the ground'),
    (no_faces, 'ground "Plane" has no faces: choose'),
    (no_ground, "There is no ground: add"),
    (hidden_ground, 'ground "Plane" is not visible in scene "Scene": enable'),
    (flat_ground, 'ground "Plane" has zero scale: set'),
    (ground_nowhere, 'ground "Plane" has an invalid transformation .*: fix'),
    (own_body, '"Plane" belongs to the armature "Rig": choose'),
    (carrying_ground, 'ground "Plane" carries the character along.*: clear'),
    (no_legs, 'No legs were detected in "Rig": assign'),
    (legs_of_one_bone, 'No legs were detected in "Rig": assign'),
    (no_feet, 'leg "leg.L" of "Rig" has no foot bone: assign'),
    (one_foot_gone, 'leg "leg.L" of "Rig" has no foot bone: assign'),
    (foot_of_no_leg, 'contact from frame 2 to 7 is for the foot "leg.X".*: choose'),
    (nothing_slides, '"Rig" has no bone above all legs that may change its location.*: unlock'),
    (not_a_number, 'bone "shin.L" has invalid values .* at frame .*: fix'),
    (no_size, "armature object has zero scale: set its scale"),
    (size_lost_later, "armature object has zero scale: set its scale"),
    (mirrored, "armature object is mirrored or flattened: apply its scale"),
    (pelvis_without_size, 'bone "hips" has zero scale at frame 1: set its scale'),
    (shin_that_loses_its_size, 'bone "shin.L" has zero scale at frame 6: set its scale'),
    (foot_without_size, 'bone "foot.L" has zero scale at frame 1: set its scale'),
    (nowhere, "armature object has invalid values .* at frame 1: fix"),
    (infinite, 'bone "hips" has invalid values .* at frame .*: fix'),
    (uneven_size, "armature object has non-uniform scale.*: apply its scale"),
    (tweaked_strip, 'NLA strip of "Rig" is being tweaked: exit'),
    (edit_mode, '"Rig" is in Edit Mode: exit Edit Mode'),
    (rest_position, '"Rig" is in Rest Position.*: switch'),
]


@pytest.mark.parametrize(
    ("spoil", "sentence"), [pytest.param(*case, id=case[0].__name__) for case in REFUSED]
)
def test_refused_with_a_sentence_and_nothing_changes(
    spoil: Callable[[bpy.types.Object], None], sentence: str
) -> None:
    rig = stepping()
    spoil(rig)
    before = all_data()
    with pytest.raises(RigError, match=sentence) as caught:
        run(rig, FEW)
    assert "\n" not in str(caught.value)
    assert differences(before, all_data()) == []


def test_what_is_not_spoiled_is_not_refused() -> None:
    rig = stepping()
    before = all_data()
    assert run(rig, FEW).written == "RigAction_bioik"
    assert differences(before, all_data())


@pytest.mark.parametrize("options", [BakeOptions(5, 5), BakeOptions(1, 10, step=9)])
def test_a_clip_of_too_few_frames(options: BakeOptions) -> None:
    rig = stepping()
    before = all_data()
    with pytest.raises(RigError, match=r"The range has only [12] frames?: foot placement requires"):
        run(rig, options)
    assert differences(before, all_data()) == []


def linked_character(path: Path) -> Any:
    """The collection of a saved character, linked into this file, which has its own ground."""
    rig = stepping()
    name = put_in_collection(rig, ground()).name
    collection = load(save_as_library(path), "collections", name)
    bpy.context.scene.collection.children.link(collection)
    bpy.context.view_layer.update()
    return collection


def test_a_linked_armature_is_refused(tmp_path: Path) -> None:
    rig = linked_character(tmp_path / "library.blend").objects["Rig"]
    before = all_data()
    with pytest.raises(RigError, match="Library Override"):
        run(rig, FEW)
    assert differences(before, all_data()) == []


def test_an_override_keeps_its_keys_contacts_and_curves(tmp_path: Path) -> None:
    linked = linked_character(tmp_path / "library.blend")
    linked.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    bpy.context.view_layer.update()
    rig = next(o for o in bpy.data.objects if o.override_library and o.type == "ARMATURE")
    before = all_data()
    with pytest.raises(RigError, match=r"is linked from .*: bake to a new action"):
        run(rig, BakeOptions(1, 10, output="IN_PLACE"))
    assert differences(before, all_data()) == []

    run(rig, FEW)
    keys, kept = keys_of(rig), contacts(rig)
    assert kept
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    rig = next(o for o in bpy.data.objects if o.override_library and o.type == "ARMATURE")
    assert keys_of(rig) == keys
    assert contacts(rig) == kept


@pytest.mark.parametrize("asked", [1, 5, 15])
def test_cancelled_in_the_middle_nothing_changes(asked: int) -> None:
    rig = stepping()
    before = all_data()
    times = 0

    def cancelled() -> bool:
        nonlocal times
        times += 1
        return times >= asked

    with pytest.raises(Cancelled):
        run(rig, FEW, cancelled=cancelled)
    assert times == asked
    assert differences(before, all_data()) == []


def test_reading_and_solving_change_nothing_and_a_removed_armature_is_noticed() -> None:
    rig = stepping()
    before = all_data()
    placement = drained(read_feet(bpy.context.scene, rig, FEW))
    solved = solve_feet(placement, FEW)
    assert differences(before, all_data()) == []

    bpy.data.objects.remove(rig)
    before = all_data()
    with pytest.raises(RigError, match="removed in the meantime"):
        write_feet(placement, solved, FEW)
    assert differences(before, all_data()) == []


# What comes out


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
@pytest.mark.parametrize("on", ["stairs", "hills"])
def test_planted_balls_stay_in_every_output(on: str, output: Any) -> None:
    rig = walker(on=on)
    source = rig.animation_data.action
    report = run(rig, BakeOptions(FIRST, LAST, output=output))
    # Blender blends layers of quaternions with 32-bit numbers.
    assert largest_drift(rig) < (4e-3 if output == "LAYER" else 1e-3)
    assert report.change.after.feet[0].penetration.worst < 1e-3
    playing = rig.animation_data.action
    assert (playing == source) == (output == "IN_PLACE")
    assert (len(rig.animation_data.nla_tracks) > 0) == (output == "LAYER")


def test_keys_do_not_depend_on_the_saved_frame_and_selection(tmp_path: Path) -> None:
    rig = walker(on="hills")
    found = []
    for number, frame in enumerate((FIRST, LAST, 20)):
        bpy.context.scene.frame_set(frame)
        for thing in bpy.context.scene.objects:
            thing.select_set(number == 1)
        bpy.context.view_layer.objects.active = ground_of(rig) if number == 2 else rig
        path = tmp_path / f"{number}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
        bpy.ops.wm.open_mainfile(filepath=str(path))
        rig = bpy.data.objects["Walker"]
        run(rig)
        found.append((keys_of(rig), contacts(rig)))
        bpy.ops.wm.open_mainfile(filepath=str(path))
        rig = bpy.data.objects["Walker"]
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) > 40


def ground_of(rig: bpy.types.Object) -> bpy.types.Object:
    return rig.bioik.feet.grounds[0].object


# Goals of the user's own


def test_the_head_looks_at_its_target_while_the_feet_walk_on_stairs() -> None:
    rig = walker()
    goal = look_at(rig, (1.0, -4.0, 2.2))
    assert off_sight(rig, goal) > 10.0
    report = run(rig)
    # Keys are 32-bit numbers, and so are the quaternions Blender makes of them.
    assert off_sight(rig, goal) < math.degrees(goal.tolerance_angle) + 0.01
    assert largest_drift(rig) < 1e-3
    (met,) = report.goals
    assert (met.name, met.unit, met.frames, met.reached) == ("eyes", "degrees", *[LAST] * 2)
    assert met.worst <= math.degrees(goal.tolerance_angle)
    assert f"{met}." in report.lines()
    assert report.missed == report.missed_goals == ()
    assert json.loads(json.dumps(report.to_json()))["goals"][0]["name"] == "eyes"


def look_behind(rig: bpy.types.Object) -> Any:
    """A goal for a head that can turn by 15 degrees."""
    goal = look_at(rig, (0.0, 6.0, 1.5))
    goal.chain_length = 1
    head = rig.pose.bones["head"]
    for axis in "xyz":
        setattr(head, f"use_ik_limit_{axis}", True)
        setattr(head, f"ik_min_{axis}", math.radians(-15.0))
        setattr(head, f"ik_max_{axis}", math.radians(15.0))
    return goal


def test_a_missed_goal_is_reported() -> None:
    rig = walker()
    goal = look_behind(rig)
    report = run(rig)
    (missed,) = report.missed_goals
    assert missed in report.missed
    assert (missed.name, missed.reached) == ("eyes", 0)
    assert missed.worst == pytest.approx(off_sight(rig, goal), abs=0.1)
    assert f"{missed}" in report.summary()
    kept = error_of(rig, "eyes")
    assert kept == GoalError(missed.worst, "degrees", reached=False)


def test_a_goal_that_cannot_be_met_leaves_body_and_feet_alone() -> None:
    rig = walker()
    look_behind(rig)
    report = run(rig)
    assert largest_drift(rig) < 1e-3
    assert report.change.pelvis_plan.worst < 0.1


def test_a_goal_to_keep_the_animation_is_not_in_the_report() -> None:
    rig = walker()
    rig.bioik.goals.add().type = "DISPLACEMENT"
    goal = look_at(rig, (1.0, -4.0, 2.2))
    report = run(rig)
    assert [met.name for met in report.goals] == [goal.name]
    assert report.goals[0].worst < 0.1


# Contacts


def test_found_contacts_are_kept_on_the_armature() -> None:
    rig = walker()
    run(rig)
    settings = rig.bioik.feet
    assert not settings.contacts_edited
    kept = contacts(rig)
    frames = range(FIRST, LAST + 1)
    names = [foot.name for foot in read_source_feet(bpy.context.scene, rig, frames).feet]
    assert {foot for foot, *_ in kept} == set(names)
    for side in SIDES:
        balls = [c for c in kept if c[:2] == (f"leg.{side}", "BALL")]
        assert len(balls) == len(stands(side))
        for (_, _, first, last, slides), rows in zip(balls, stands(side), strict=True):
            assert first - FIRST <= rows.start
            assert last - FIRST + 1 >= rows.stop
            assert not slides


def test_a_second_run_finds_contacts_again_unless_they_were_edited() -> None:
    rig = walker(on="hills")
    run(rig)
    found = contacts(rig)
    rig.bioik.feet.contacts[0].frame_start += 1
    edited = contacts(rig)
    assert rig.bioik.feet.contacts_edited
    run(rig)
    assert contacts(rig) == edited != found
    rig.bioik.feet.contacts_edited = False
    run(rig)
    assert [c[:2] for c in contacts(rig)] == [c[:2] for c in found]


def test_blended_frames_are_measured_as_written() -> None:
    rig = walker(on="stairs")
    whole = run(rig)
    assert not any("blended in" in note for note in whole.notes)
    new_file()
    rig = walker(on="stairs")
    source = soles(rig)
    report = run(rig, BakeOptions(FIRST, LAST, blend_in=8, blend_out=8))
    assert any("blended in or out" in note for note in report.notes)
    placed = soles(rig)
    assert all(np.allclose(placed[side][-1], source[side][-1], atol=1e-5) for side in SIDES)
    sinks_in = report.change.after.curves.penetration.max(axis=1)
    assert sinks_in[-1] > 0.1
    assert sinks_in[8:-8].max() < 0.001
    assert not report.change.on_ground[-1]


def knee_angles(rig: bpy.types.Object) -> Floats:
    """Angles of both shins about their own axes; degrees, (f, 2, 3)."""
    found = []
    for frame in range(FIRST, LAST + 1):
        bpy.context.scene.frame_set(frame)
        bones = [rig.pose.bones[f"shin.{side}"] for side in SIDES]
        found.append([bone.matrix_basis.to_euler("XYZ") for bone in bones])
    return np.degrees(np.array(found))


@pytest.mark.parametrize("most_bent", [-150.0, -65.0])
def test_knees_with_limits_stay_hinges_and_keep_to_them(most_bent: float) -> None:
    """The walk bends them about X, by up to -57 degrees, and stairs want more."""
    rig = walker(on="stairs")
    rig.bioik.feet.lean = 0.0
    for side in SIDES:
        shin = rig.pose.bones[f"shin.{side}"]
        shin.use_ik_limit_x = True
        shin.ik_min_x, shin.ik_max_x = math.radians(most_bent), math.radians(1.0)
    hips = rig.pose.bones["hips"]
    hips.use_ik_limit_x, hips.ik_min_x, hips.ik_max_x = True, -1.0, 1.0
    report = run(rig)
    angles = knee_angles(rig)
    assert np.abs(angles[..., 1:]).max() < 0.01
    assert angles[..., 0].max() < 1.01
    assert max(most_bent, -90.0) - 0.01 < angles[..., 0].min() < -62.0
    assert largest_drift(rig) < 1e-3
    assert report.change.after.curves.penetration.max() < 0.001
    assert report.change.upper_body.worst < 0.1


def second_ball(rig: bpy.types.Object) -> Any:
    """The second contact of the left ball."""
    return next(
        c
        for c in rig.bioik.feet.contacts
        if (c.foot, c.point) == ("leg.L", "BALL") and c.frame_start > LAST // 3
    )


def sliding_walker() -> tuple[bpy.types.Object, slice]:
    """A walker on hills whose planted left foot slides 3 cm in its second stand; its rows."""
    rig = walker(on="hills")
    rows = stands("L")[1]
    container = fcurves.assigned_container(rig)
    assert container is not None
    curves = {i: container.fcurves.find('pose.bones["hips"].location', index=i) for i in range(3)}
    # The hips slide along the way, and all that hangs on them.
    rest = np.array(rig.data.bones["hips"].matrix_local, float)[:3, :3]
    along = rest.T @ [0.0, -1.0, 0.0]
    length = rows.stop - rows.start
    for index, curve in curves.items():
        for key in curve.keyframe_points:
            share = np.clip((key.co.x - FIRST - rows.start) / length, 0.0, 1.0)
            key.co.y += 0.03 * share * along[index]
        curve.update()
    return rig, rows


def slid() -> tuple[Floats, Floats, slice]:
    """Paths of the left ball before and after, marked as sliding, and the rows of its stand."""
    rig, rows = sliding_walker()
    source = soles(rig)["L"]
    run_found(rig)
    for contact in rig.bioik.feet.contacts:
        contact.slides = contact.foot == "leg.L"
    run(rig)
    paths = soles(rig)
    assert max(drift(paths["R"], stand) for stand in stands("R")) < 1e-3
    return source, paths["L"], rows


def test_a_contact_is_locked_unless_it_is_marked_as_sliding() -> None:
    rig, rows = sliding_walker()
    assert drift(soles(rig)["L"], rows) > 0.01
    run(rig)
    assert drift(soles(rig)["L"], rows) < 1e-3

    new_file()
    _, path, rows = slid()
    assert drift(path, rows) > 0.01


def test_a_sliding_foot_keeps_its_path() -> None:
    source, path, rows = slid()
    assert np.linalg.norm((path - source)[rows, :2], axis=1).max() < 0.02


def run_found(rig: bpy.types.Object) -> None:
    """Find the contacts without placing the feet."""
    bpy.ops.bioik.find_contacts(range="SCENE")
    assert len(rig.bioik.feet.contacts) > 4


def test_a_removed_contact_no_longer_locks_the_foot() -> None:
    rig, rows = sliding_walker()
    source = drift(soles(rig)["L"], rows)
    run_found(rig)
    kept = rig.bioik.feet.contacts
    for i in reversed(range(len(kept))):
        if kept[i].foot == "leg.L" and kept[i].frame_start > FIRST + rows.start - 8:
            kept.remove(i)
    rig.bioik.feet.contacts_edited = True
    report = run(rig)
    assert drift(soles(rig)["L"], rows) > 0.5 * source
    left = report.feet.index("leg.L")
    assert report.change.after.feet[left].contacts == sum(
        c.foot == "leg.L" and c.point == "BALL" for c in kept
    )


def test_a_contact_that_lasts_longer_holds_longer() -> None:
    ways = {}
    for frames in (0, 4):
        new_file()
        rig = walker(on="hills")
        run_found(rig)
        ball = second_ball(rig)
        end = ball.frame_end
        ball.frame_end += frames
        run(rig)
        # The foot rolls about the ball, which is below the toe's joint.
        joint = []
        for frame in range(ball.frame_start + 1, end + 3):
            bpy.context.scene.frame_set(frame)
            joint.append((rig.matrix_world @ rig.pose.bones["toe.L"].head).xy)
        ways[frames] = max((place - joint[0]).length for place in joint)
    assert ways[4] < 0.03
    assert ways[0] > 0.06


# What the report says


def level(name: str) -> bpy.types.Object:
    """A large plane where the walker's floor is."""
    mesh = bpy.data.meshes.new(name)
    corners = [(-20.0, -20.0, 0.0), (20.0, -20.0, 0.0), (20.0, 20.0, 0.0), (-20.0, 20.0, 0.0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    plane = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(plane)
    return plane


def hips_way(rig: bpy.types.Object) -> Floats:
    places = []
    for frame in (FIRST, LAST):
        bpy.context.scene.frame_set(frame)
        places.append(rig.matrix_world @ rig.pose.bones["hips"].head)
    return np.array(places[1] - places[0])


def test_where_moving_ground_takes_the_body_is_what_it_asks() -> None:
    rig = walker()
    raft = level("Raft")
    for frame, x in ((FIRST, 0.0), (LAST, 0.5)):
        raft.location.x = x
        raft.keyframe_insert("location", frame=frame)
    rig.bioik.feet.grounds[0].object = raft
    before = hips_way(rig)
    report = run(rig)
    assert (hips_way(rig) - before)[0] == pytest.approx(0.5, abs=0.06)
    assert report.change.pelvis_plan.worst < 0.04


def walking_in_place(rig: bpy.types.Object) -> None:
    """Take the way out of a walker's clip."""
    container = fcurves.assigned_container(rig)
    assert container is not None
    for index in range(3):
        curve = container.fcurves.find('pose.bones["hips"].location', index=index)
        keys = curve.keyframe_points
        way = (keys[-1].co.y - keys[0].co.y) / (keys[-1].co.x - keys[0].co.x)
        for key in keys:
            key.co.y -= way * (key.co.x - FIRST)
        curve.update()


def test_a_walk_in_place_is_not_reported_as_carried() -> None:
    rig = walker(on="hills")
    walking_in_place(rig)
    report = run(rig)
    assert any("animated in place" in note for note in report.notes)
    assert report.change.pelvis_plan.worst < 0.04
    assert "they move" not in report.summary()


def test_a_clip_without_contacts_is_reported() -> None:
    rig = walker()
    rig.bioik.feet.floor, rig.bioik.feet.floor_height = "HEIGHT", -0.2
    report = run(rig)
    assert any(note.startswith("No contacts were detected") for note in report.notes)
    verdict = report.summary().split(". ")[0]
    assert verdict.startswith("Problems found: ")
    assert " floats " in verdict
    assert verdict.endswith("no foot is planted in any frame")


def test_own_contacts_outside_of_the_clip_are_reported() -> None:
    rig = walker()
    rig.bioik.feet.contacts_edited = True
    assert any(note.startswith("The armature's contacts have none") for note in run(rig).notes)


def test_legs_that_are_locked_are_not_too_short() -> None:
    rig = walker(on="hills")
    for bone in rig.pose.bones:
        if bone.name.startswith(("thigh", "shin", "foot", "toe")):
            bone.lock_rotation, bone.lock_rotation_w = (True, True, True), True
            bone.lock_rotations_4d = True
    assert {miss.reason for miss in run(rig).missed_feet} == {
        "locked rotation of thigh.L",
        "locked rotation of thigh.R",
    }


def test_a_foot_that_is_held_back_has_no_short_leg() -> None:
    """A goal pulls at a planted foot: which of them gives way is open, but it is told."""
    held = "blocked by the ground or another goal"
    reasons: list[str] = []
    for aside, up in ((0.05, 0.1), (0.05, 0.05), (0.03, 0.06), (0.05, 0.2)):
        new_file()
        rig = walker()
        goal = rig.bioik.goals.add()
        goal.type, goal.bone, goal.name = "POSITION", "foot.L", "held"
        standing = FIRST + 8
        bpy.context.scene.frame_set(standing)
        ankle = rig.matrix_world @ rig.pose.bones["foot.L"].head
        goal.point, goal.weight, goal.chain_length = ankle + Vector((aside, 0.0, up)), 1e4, 3
        goal.use_frame_range, goal.frame_start, goal.frame_end = True, standing, standing + 2
        report = run(rig)
        missed = {miss.reason for miss in report.missed_feet}
        assert missed <= {held}
        assert missed or report.missed_goals
        reasons += missed
    assert held in reasons


@pytest.mark.parametrize("size", [0.1, 10.0])
def test_steps_are_as_high_as_the_character_is_large(size: float) -> None:
    rig = walker()
    for thing in (rig, ground_of(rig)):
        thing.scale = (size, size, size)
    bpy.context.scene.frame_set(FIRST)
    placement = drained(read_feet(bpy.context.scene, rig, OPTIONS))
    feet = placement.feet
    assert feet.settings.step_up == pytest.approx(0.5 * feet.scale)
    assert not any("climb" in note for note in placement.problem.solve().plan.notes)

    rig.bioik.feet.step_up = 0.07
    feet = drained(read_feet(bpy.context.scene, rig, OPTIONS)).feet
    assert feet.settings.step_up == pytest.approx(0.07)
