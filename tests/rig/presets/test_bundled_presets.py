"""Each bundled preset does what its name says: applied to a rig, baked, and measured.

Tests of: grips.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import bpy
import numpy as np
import pytest
from mathutils import Vector

from benchmarks.feet import quadruped as feet_quadruped
from blender_bioik.rig.bake.bake import BakeOptions, bake, read_goals
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.presets.apply_preset import ApplyOptions, apply_preset
from blender_bioik.rig.presets.palms import palm_of
from blender_bioik.rig.reading import drained
from blender_bioik.rig.report.report import BakeReport
from blender_bioik.rig.transforms import Floats
from demo import ground, walk
from demo.gait import RUN, WALK

from ...builders.preset_rigs import (
    FRAMES,
    ROBOT,
    ROBOT_LIMIT,
    axis,
    bundled,
    mixamo,
    move,
    path,
    point,
    prop,
    robot_arm,
    standing,
    walking,
)

Rig = Callable[[], bpy.types.Object]
PEOPLE = pytest.mark.parametrize("build", [standing, mixamo])
ON = {
    standing: {"head": "head", "hand.L": "hand.L", "hand.R": "hand.R", "chest": "upper_chest"},
    mixamo: {
        "head": "mixamorig:Head",
        "hand.L": "mixamorig:LeftHand",
        "hand.R": "mixamorig:RightHand",
        "chest": "mixamorig:Spine2",
    },
}


def applied(rig: bpy.types.Object, name: str, **options: Any) -> None:
    done = apply_preset(bpy.context, rig, bundled(name), ApplyOptions(**options))
    assert done.skipped == ""


def baked(rig: bpy.types.Object) -> BakeReport:
    return bake(bpy.context.scene, rig, BakeOptions(1, FRAMES))


def off(rig: bpy.types.Object, bone: str, along: float, target: str) -> float:
    """How far a point of a bone is from its target in the worst frame, millimetres."""

    def way() -> Vector:
        return point(rig, bone, along) - bpy.data.objects[target].matrix_world.translation

    return 1000.0 * float(np.linalg.norm(path(way), axis=1).max())


def off_axis(rig: bpy.types.Object, bone: str, local: Vector, target: str) -> float:
    """How far an axis of a bone points past its target in the worst frame, degrees."""

    def way() -> Vector:
        seen = bpy.data.objects[target].matrix_world.translation - point(rig, bone)
        return Vector((math.degrees(axis(rig, bone, local).angle(seen)), 0.0, 0.0))

    return float(path(way).max())


def gaze_off(rig: bpy.types.Object, bone: str, local: Vector, target: str) -> float:
    """How far the line along an axis passes its target in the worst frame, millimetres."""

    def way() -> Vector:
        seen = bpy.data.objects[target].matrix_world.translation - point(rig, bone)
        return seen.cross(axis(rig, bone, local))

    return 1000.0 * float(np.linalg.norm(path(way), axis=1).max())


def off_target(rig: bpy.types.Object, goal: Any) -> float:
    """How far a position goal is from its target in the worst frame, millimetres."""

    def way() -> Vector:
        posed = rig.matrix_world @ rig.pose.bones[goal.bone].matrix
        return posed @ Vector(goal.offset) - goal.target.matrix_world.translation

    return 1000.0 * float(np.linalg.norm(path(way), axis=1).max())


def pose(rig: bpy.types.Object) -> dict[str, Floats]:
    """Heads of all bones in the world in each frame."""
    found: dict[str, list[tuple[float, ...]]] = {bone.name: [] for bone in rig.pose.bones}
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        for name, places in found.items():
            places.append(tuple(point(rig, name)))
    return {name: np.array(places) for name, places in found.items()}


@PEOPLE
@pytest.mark.parametrize("name", ["Head Look-At", "VR Trackers"])
def test_a_fresh_set_up_leaves_the_pose_alone(build: Rig, name: str) -> None:
    rig = build()
    before = pose(rig)
    applied(rig, name)
    assert baked(rig).missed == ()
    after = pose(rig)
    assert max(np.abs(after[bone] - before[bone]).max() for bone in before) < 5e-3


@PEOPLE
def test_head_look_at_turns_the_face_to_the_target(build: Rig) -> None:
    rig = build()
    face = ON[build]["head"]
    applied(rig, "Head Look-At")
    (goal,) = rig.bioik.goals
    assert goal.bone == face
    assert goal.chain_length == 2
    local = Vector(goal.axis)
    assert axis(rig, face, local).angle(Vector((0.0, -1.0, 0.0))) < 1e-3  # as it faces at rest
    before = pose(rig)
    move("Look At", (1.5, 0.5, -0.4))
    assert off_axis(rig, face, local, "Look At") > 20.0
    assert gaze_off(rig, face, local, "Look At") > 500.0
    assert baked(rig).missed == ()
    assert off_axis(rig, face, local, "Look At") < 1.0
    assert gaze_off(rig, face, local, "Look At") < 10.0
    after = pose(rig)
    for slot in ("chest", "hand.L", "hand.R"):
        bone = ON[build][slot]
        assert np.abs(after[bone] - before[bone]).max() < 1e-5


@PEOPLE
@pytest.mark.parametrize("way", [(0.3, -0.4, 1.15), (-0.35, -0.35, 1.0), (0.1, -0.5, 1.4)])
def test_hand_on_prop_puts_the_nearest_palm_on_it_and_keeps_it_there(
    build: Rig, way: tuple[float, float, float]
) -> None:
    rig = build()
    box = prop(way, (0.2, 0.2, 0.2), turn=0.3)
    nearest = min("LR", key=lambda side: away(rig, ON[build][f"hand.{side}"], box))
    select(rig, box)
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="Hand on Prop") == {"FINISHED"}
    hand = ON[build][f"hand.{nearest}"]
    assert {goal.bone for goal in rig.bioik.goals} == {hand}
    carried(box)
    assert bpy.ops.bioik.bake() == {"FINISHED"}
    held = on_surface(rig, hand, nearest, box)
    assert held.off < 1.0
    assert held.turned < 1.0
    assert held.slid < 1.0


@PEOPLE
def test_a_hand_that_the_preset_names_goes_there(build: Rig) -> None:
    rig, box = build(), prop((0.35, -0.4, 1.1), (0.2, 0.2, 0.2))
    preset = bundled("Hand on Prop")
    named = replace(preset, goals=tuple(replace(goal, slot="hand.R") for goal in preset.goals))
    apply_preset(bpy.context, rig, named, ApplyOptions(selected=box))
    assert {goal.bone for goal in rig.bioik.goals} == {ON[build]["hand.R"]}
    assert baked(rig).missed == ()
    assert on_surface(rig, ON[build]["hand.R"], "R", box).off < 1.0


@PEOPLE
def test_two_hand_reach_holds_a_box_from_both_sides(build: Rig) -> None:
    rig, box = build(), prop((0.05, -0.4, 1.1), (0.4, 0.25, 0.3))
    select(rig, box)
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="Two-Hand Reach") == {"FINISHED"}
    carried(box)
    assert bpy.ops.bioik.bake() == {"FINISHED"}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        held = on_surface(rig, ON[build][f"hand.{side}"], side, box)
        assert max(held.off, held.slid) < 1.0
        assert held.turned < 1.0
        assert sign * held.normal.x > 0.99  # on its own side, at the first frame


@PEOPLE
def test_two_hand_reach_leans_on_what_is_too_wide_to_hold(build: Rig) -> None:
    rig, table = build(), prop((0.0, -0.75, 0.95), (3.0, 0.8, 0.05))
    select(rig, table)
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="Two-Hand Reach") == {"FINISHED"}
    assert bpy.ops.bioik.bake() == {"FINISHED"}
    for side in "LR":
        assert on_surface(rig, ON[build][f"hand.{side}"], side, table).off < 1.0


@PEOPLE
def test_two_hand_reach_has_a_hand_for_each_of_two_objects(build: Rig) -> None:
    rig = build()
    left = prop((0.4, -0.4, 1.1), (0.1, 0.1, 0.1), "Left")
    right = prop((-0.4, -0.35, 1.2), (0.1, 0.1, 0.1), "Right")
    select(rig, right, left)
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="Two-Hand Reach") == {"FINISHED"}
    for thing in (left, right):
        carried(thing)
    assert bpy.ops.bioik.bake() == {"FINISHED"}
    for side, thing in (("L", left), ("R", right)):
        held = on_surface(rig, ON[build][f"hand.{side}"], side, thing)
        assert max(held.off, held.slid) < 1.0


def test_the_palm_is_the_skin_of_the_hand() -> None:
    """The mesh of the hand touches the prop: neither in it nor away from it by more than skin."""
    rig, wall = standing(), prop((0.0, -0.85, 1.2), (4.0, 0.5, 3.0))
    select(rig, wall)
    bpy.ops.bioik.apply_preset(kind="GOALS", name="Hand on Prop")
    bpy.ops.bioik.bake()
    (hand,) = {goal.bone for goal in rig.bioik.goals}
    (mesh,) = [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature() == rig]
    group = mesh.vertex_groups[hand].index
    depsgraph = bpy.context.evaluated_depsgraph_get()
    posed = mesh.evaluated_get(depsgraph).to_mesh()
    of_hand = [
        (mesh.matrix_world @ posed.vertices[vertex.index].co).y + 0.6
        for vertex in mesh.data.vertices
        for member in vertex.groups
        if member.group == group and member.weight > 0.9
    ]
    assert 1000.0 * min(of_hand) == pytest.approx(0.0, abs=5.0)


@pytest.mark.parametrize("name", ["Hand on Prop", "Two-Hand Reach"])
def test_what_is_missing_is_asked_for(name: str) -> None:
    rig = standing()
    select(rig)
    with pytest.raises(RuntimeError, match=f'"{name}" needs an object for hands to go to: select'):
        bpy.ops.bioik.apply_preset(kind="GOALS", name=name)
    assert len(rig.bioik.goals) == 0


class OnSurface(NamedTuple):
    """A palm on objects, in the worst frame.

    Attributes:
        off: From the surface, millimetres.
        turned: Between the palm and the surface, degrees.
        slid: From its first place on the object, millimetres.
        normal: Of the surface in the first frame.
    """

    off: float
    turned: float
    slid: float
    normal: Vector


def on_surface(rig: bpy.types.Object, hand: str, side: str, thing: bpy.types.Object) -> OnSurface:
    palm = palm_of(bpy.context.scene, rig, hand, side)
    offs, turns_, places, normals = [], [], [], []
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        posed = rig.matrix_world @ rig.pose.bones[hand].matrix
        at, facing = posed @ palm.centre, (posed.to_3x3() @ palm.normal).normalized()
        back = thing.matrix_world.inverted()
        _, near, normal, _ = thing.closest_point_on_mesh(back @ at)
        out = (back.to_3x3().transposed() @ normal).normalized()
        offs.append(1000.0 * (thing.matrix_world @ near - at).length)
        turns_.append(math.degrees(facing.angle(-out)))
        places.append(Vector(thing.scale) * (back @ at))
        normals.append(out)
    slid = max((place - places[0]).length for place in places)
    return OnSurface(max(offs), max(turns_), 1000.0 * slid, normals[0])


def away(rig: bpy.types.Object, hand: str, thing: bpy.types.Object) -> float:
    """How far a hand is from an object's surface, metres."""
    at = point(rig, hand)
    near = thing.closest_point_on_mesh(thing.matrix_world.inverted() @ at)[1]
    return float((thing.matrix_world @ near - at).length)


def select(rig: bpy.types.Object, *things: bpy.types.Object) -> None:
    for other in bpy.context.view_layer.objects:
        other.select_set(other is rig or other in things)


def carried(thing: bpy.types.Object) -> None:
    """Have an object move and turn until the last frame."""
    thing.keyframe_insert("rotation_euler", frame=1)
    thing.rotation_euler.z += 0.3
    thing.keyframe_insert("rotation_euler", frame=FRAMES)
    move(thing.name, (0.05, -0.08, 0.08))


def test_upper_body_aim_leaves_the_walk_of_the_legs_alone() -> None:
    rig = walking()
    before = pose(rig)
    applied(rig, "Upper-Body Aim While Walking")
    move("Aim", (1.2, 0.0, 0.3))
    assert baked(rig).missed == ()
    for goal in rig.bioik.goals:
        assert off_axis(rig, goal.bone, Vector(goal.axis), "Aim") < goal.tolerance_angle * 60
        assert gaze_off(rig, goal.bone, Vector(goal.axis), "Aim") < 10.0
    after = pose(rig)
    for bone in ("hips", "thigh.L", "foot.L", "foot.R", "toe.R"):
        assert np.abs(after[bone] - before[bone]).max() < 1e-5
    assert np.abs(after["hand.R"] - before["hand.R"]).max() > 0.05  # the arms go along


@PEOPLE
def test_vr_trackers_move_the_whole_body_over_feet_that_stay(build: Rig) -> None:
    rig = build()
    applied(rig, "VR Trackers")
    before = pose(rig)
    for target in ("Headset", "Left Controller", "Right Controller"):
        move(target, (0.0, 0.0, -0.3))
    assert baked(rig).missed == ()
    after = pose(rig)
    slots = {goal.name: goal.bone for goal in rig.bioik.goals}
    for goal, target in (
        ("Head Place", "Headset"),
        ("Left Hand Place", "Left Controller"),
        ("Right Hand Place", "Right Controller"),
    ):
        assert off(rig, slots[goal], 0.0, target) < 5.0
    for side in ("Left", "Right"):
        foot, shin = slots[f"{side} Foot Place"], slots[f"{side} Knee"]
        assert np.linalg.norm(after[foot] - before[foot], axis=1).max() < 5e-3
        # It kneels down: knees bend, forward and not across each other.
        way = after[shin][-1] - before[shin][-1]
        assert way[1] < -0.15
        assert abs(way[0]) < 0.05
    pelvis = slots["Pelvis Over Feet"]
    sunk = after[pelvis][-1] - before[pelvis][-1]
    assert sunk[2] < -0.2
    assert np.linalg.norm(sunk[:2]) < 0.05
    chest = Vector(next(g.axis for g in rig.bioik.goals if g.name == "Chest Upright"))
    assert axis(rig, slots["Chest Upright"], chest).angle(Vector((0, 0, 1))) < math.radians(10)


@PEOPLE
def test_vr_trackers_follow_three_selected_objects(build: Rig) -> None:
    rig = build()
    trackers = {}
    for slot in ("hand.R", "head", "hand.L"):
        tracker = bpy.data.objects.new(slot, None)
        tracker.location = point(rig, ON[build][slot]) + Vector((0.03, -0.05, 0.02))
        bpy.context.scene.collection.objects.link(tracker)
        trackers[slot] = tracker
    bpy.context.view_layer.update()
    select(rig, *trackers.values())
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="VR Trackers") == {"FINISHED"}
    followed = {goal.bone: goal.target.parent for goal in rig.bioik.goals if goal.target}
    assert followed == {ON[build][slot]: tracker for slot, tracker in trackers.items()}
    before = {slot: point(rig, ON[build][slot]) for slot in trackers}
    for slot in trackers:
        move(slot, (0.05, -0.05, -0.1))
    assert baked(rig).missed == ()
    bpy.context.scene.frame_set(FRAMES)
    for slot in trackers:
        way = point(rig, ON[build][slot]) - before[slot]
        assert 1000.0 * (way - Vector((0.05, -0.05, -0.1))).length < 5.0


def test_robot_arm_is_precise_and_keeps_to_its_limits() -> None:
    rig = robot_arm()
    applied(rig, "Robot Arm (Precise)")
    assert {goal.bone for goal in rig.bioik.goals} == {"joint6"}
    target = move("Tool Target", (0.2, 0.25, -0.2))
    target.keyframe_insert("rotation_euler", frame=1)
    target.rotation_euler.x += 0.5
    target.keyframe_insert("rotation_euler", frame=FRAMES)
    assert baked(rig).missed == ()
    # As far as Blender's own numbers go.
    assert off(rig, "joint6", 1.0, "Tool Target") < 0.02
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        for posed, (_, free) in zip(rig.pose.bones, ROBOT, strict=True):
            for number, name in enumerate("xyz"):
                limit = ROBOT_LIMIT if name == free else 0.0
                assert abs(posed.rotation_euler[number]) <= limit + 1e-5


def test_robot_arm_follows_the_selected_object() -> None:
    rig, part = robot_arm(), bpy.data.objects.new("Part", None)
    bpy.context.scene.collection.objects.link(part)
    part.location = point(rig, "joint6", 1.0) + Vector((0.05, 0.1, -0.1))
    part.rotation_euler = (rig.matrix_world @ rig.pose.bones["joint6"].matrix).to_euler()
    bpy.context.view_layer.update()
    select(rig, part)
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="Robot Arm (Precise)") == {"FINISHED"}
    assert {goal.target for goal in rig.bioik.goals} == {part}
    assert baked(rig).missed == ()
    assert off(rig, "joint6", 1.0, "Part") < 0.02


def test_robot_arm_takes_the_active_bone_for_its_tool() -> None:
    rig = robot_arm()
    rig.data.bones.active = rig.data.bones["joint4"]
    applied(rig, "Robot Arm (Precise)")
    assert {goal.bone for goal in rig.bioik.goals} == {"joint4"}


def test_fast_preview_tries_far_fewer_poses() -> None:
    rig = walking()
    applied(rig, "Two-Hand Reach", selected=prop((0.0, -0.4, 1.2), (0.3, 0.2, 0.2)))
    for goal in rig.bioik.goals:
        goal.chain_length = 3
    move("Prop", (0.5, -3.0, 0.5))  # out of reach, so that all is tried
    options = BakeOptions(1, FRAMES)
    counts = []
    for name in (None, "Fast Preview"):
        if name:
            applied(rig, name)
        problem = drained(read_goals(bpy.context.scene, rig, options))
        counts.append(int(problem.solve().poses.evaluations.sum()))
    assert counts[1] < 0.1 * counts[0]
    assert len(rig.bioik.goals) == 4  # goals stay as they are
    # What is near is reached all the same.
    for goal in rig.bioik.goals[1:]:
        goal.enabled = False
    bpy.data.objects["Prop"].animation_data_clear()
    bpy.context.scene.frame_set(FRAMES // 2)
    grip = rig.bioik.goals[0].target
    way = point(rig, rig.bioik.goals[0].bone) - grip.matrix_world.translation
    bpy.data.objects["Prop"].location += way + Vector((0.0, -0.1, 0.1))
    assert baked(rig).missed == ()
    assert off_target(rig, rig.bioik.goals[0]) < 1.0


def test_mocap_clean_up_locks_sliding_feet_and_leaves_the_rest() -> None:
    rig, slides = walker(WALK), 0.2
    rig.location.x = 0.0
    rig.keyframe_insert("location", frame=1)
    rig.location.x = slides  # the whole clip drifts sideways, as bad recordings do
    rig.keyframe_insert("location", frame=WALK.cycle_frames + 1)
    bpy.context.scene.frame_set(1)
    upper = turns(rig, "upper_chest")
    done = apply_preset(bpy.context, rig, bundled("Mocap Clean-Up"))
    floor = bpy.data.objects["Flat Floor"]
    assert "Flat Floor" in done.notes[0]
    assert [g.object for g in rig.bioik.feet.grounds] == [floor]
    assert floor.data.vertices[0].co.z == pytest.approx(0.0, abs=2e-3)  # where the walk has it
    worst = place(rig)
    assert worst("before", "drift_worst_mm") > 10.0
    assert worst("after", "drift_worst_mm") < 1.0
    assert np.abs(turns(rig, "upper_chest") - upper).max() < 1e-4


@pytest.mark.parametrize(
    ("name", "gait", "on"),
    [
        ("Walk on Terrain", WALK, "hills"),
        ("Run on Terrain", RUN, "hills"),
        ("Stairs", WALK, "stairs"),
    ],
)
def test_feet_stand_on_the_ground_and_do_not_slide(name: str, gait: Any, on: str) -> None:
    rig = walker(gait, on)
    applied(rig, name)
    worst = place(rig)
    assert worst("before", "penetration_worst_mm") > 10.0
    assert worst("after", "penetration_worst_mm") < 1.0
    assert worst("after", "drift_worst_mm") < 5.0


def test_quadruped_on_terrain_follows_the_slope_with_its_trunk() -> None:
    rig = feet_quadruped.build(bpy.context.scene.collection, strides=2)
    last = 2 * feet_quadruped.CYCLE_FRAMES
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = feet_quadruped.FPS, 1, last
    slope = ground.grid("Slope", (-4.0, 2.0), 2.0, 0.5, lambda x, y: -0.2 * y)
    scene.collection.objects.link(slope)
    rig.bioik.feet.grounds.add().object = slope
    before = turns(rig, "pelvis")
    applied(rig, "Quadruped on Terrain")
    worst = place(rig)
    assert worst("after", "penetration_worst_mm") < 1.0
    assert worst("after", "drift_worst_mm") < 5.0
    tilt = np.degrees(np.arccos(np.sum(before * turns(rig, "pelvis"), axis=1)))
    assert tilt[len(tilt) // 2] == pytest.approx(math.degrees(math.atan(0.2)), abs=4.0)


def walker(gait: Any, on: str = "") -> bpy.types.Object:
    """The demo character with one stride of a gait on a ground."""
    from demo import character

    scene = bpy.context.scene
    rig = character.build(scene.collection)
    walk.animate(rig, gait, 1)
    scene.render.fps, scene.frame_start = gait.fps, 1
    scene.frame_end = 1 + gait.cycle_frames
    if on:
        hills = ground.Hills(begin=0.2, wavelength=2.0)
        made = ground.hills(hills) if on == "hills" else ground.stairs(ground.Stairs(begin=0.5))
        scene.collection.objects.link(made)
        rig.bioik.feet.grounds.add().object = made
    scene.frame_set(1)
    bpy.context.view_layer.objects.active = rig
    return rig


def place(rig: bpy.types.Object) -> Callable[[str, str], float]:
    """Place the feet; gives a number "before" or "after", of the foot that is worst."""
    scene = bpy.context.scene
    report = place_feet(scene, rig, BakeOptions(scene.frame_start, scene.frame_end)).to_json()
    return lambda when, name: max(foot[when][name] for foot in report["feet"])


def turns(rig: bpy.types.Object, bone: str) -> Floats:
    """The direction along a bone in the world in each frame; (f, 3)."""
    scene, found = bpy.context.scene, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        found.append(tuple(axis(rig, bone, (0, 1, 0))))
    return np.array(found)
