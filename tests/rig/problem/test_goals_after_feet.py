"""User goals while feet are placed: each moves its own chain, on the placed body.

Tests of: feet_then_goals, own_goal_errors, rig.legs.hand_holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from benchmarks.feet import quadruped as feet_quadruped
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.errors import Cancelled
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.feet.read_feet import read_feet
from blender_bioik.rig.reading import drained
from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.transforms import Floats
from demo import ground

from ...builders.files import new_file
from ...builders.loops import CYCLE, assert_ends_meet, walking
from ...builders.placements import look_at, off_sight
from ...builders.snapshots import all_data, differences
from ...builders.walkers import FIRST, LAST, keys_of, largest_drift, walker

OPTIONS = BakeOptions(FIRST, LAST)
FEET = ("hips", "thigh.L", "shin.L", "foot.L", "toe.L", "thigh.R", "shin.R", "foot.R", "toe.R")
TRUNK = ("spine", "chest", "upper_chest", "neck", "head")
FAR = (1.5, -8.0, 1.3)


def run(rig: bpy.types.Object, **how: Any) -> FootReport:
    return place_feet(bpy.context.scene, rig, OPTIONS, **how)


def poses(rig: bpy.types.Object, bones: Sequence[str], last: int = LAST) -> Floats:
    """World matrices (f, bones, 4, 4) by Blender."""
    found = []
    for frame in range(FIRST, last + 1):
        bpy.context.scene.frame_set(frame)
        found.append([np.array(rig.matrix_world @ rig.pose.bones[bone].matrix) for bone in bones])
    return np.array(found)


def heads(rig: bpy.types.Object, bone: str) -> Floats:
    """Places (f, 3) of a bone's head by Blender."""
    return np.asarray(poses(rig, [bone])[:, 0, :3, 3])


def reach(rig: bpy.types.Object, point: Sequence[float], bone: str = "hand.L", **what: Any) -> Any:
    """A goal that brings a bone's head to a point."""
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.point, goal.name = "POSITION", bone, point, "reach"
    for name, value in what.items():
        setattr(goal, name, value)
    return goal


def follow(rig: bpy.types.Object, places: Floats, **what: Any) -> Any:
    """A goal that brings the left hand's head to places, one for each frame."""
    target = bpy.data.objects.new("Lantern", None)
    bpy.context.scene.collection.objects.link(target)
    for frame, place in enumerate(places, FIRST):
        target.location = place
        target.keyframe_insert("location", frame=frame)
    return reach(rig, (0.0, 0.0, 0.0), target=target, **what)


def without_goals(on: str, bones: Sequence[str]) -> Floats:
    """Poses of bones where feet are placed and there is no goal; the scene is empty again."""
    found = placed_alone(on)
    new_file()
    return np.stack([found[bone] for bone in bones], axis=1)


@cache
def placed_alone(on: str) -> dict[str, Floats]:
    """Poses (f, 4, 4) of all bones where feet are placed and there is no goal."""
    new_file()
    rig = walker(on=on)
    run(rig)
    names = rig.pose.bones.keys()
    return dict(zip(names, poses(rig, names).swapaxes(0, 1), strict=True))


# What a goal moves


@pytest.mark.parametrize("length", [0, 3])
@pytest.mark.parametrize("on", ["hills", "stairs"])
def test_a_hand_that_cannot_reach_leaves_the_pelvis_and_the_feet_alone(
    on: str, length: int
) -> None:
    alone = without_goals(on, FEET)
    rig = walker(on=on)
    reach(rig, FAR, chain_length=length)
    report = run(rig)
    assert (poses(rig, FEET) == alone).all()
    (missed,) = report.missed_goals
    assert missed.reached == 0
    off = 1e3 * np.linalg.norm(heads(rig, "hand.L") - FAR, axis=1)
    assert missed.worst == pytest.approx(off.max(), abs=0.1)
    assert missed.mean == pytest.approx(off.mean(), abs=0.1)


def test_an_arm_that_does_not_reach_is_helped_above_the_hips() -> None:
    """With its defaults; feet and hips stay as placed, bit for bit."""
    still, helping = (*FEET, "hips"), ("upper_chest", "shoulder.L")
    alone = without_goals("hills", (*still, *helping))
    rig = walker(on="hills")
    shoulder, hand = heads(rig, "upper_arm.L"), heads(rig, "hand.L")
    arm = float(np.linalg.norm(hand - shoulder, axis=1).max())
    follow(rig, shoulder + 1.25 * arm * np.array([0.3, -0.95, 0.0]))
    report = run(rig)
    assert report.missed_goals == ()
    assert (poses(rig, still) == alone[:, : len(still)]).all()
    moved = np.abs(poses(rig, helping) - alone[:, len(still) :])
    assert moved.max(axis=(0, 2, 3)).min() > 1e-3


def test_only_the_chain_of_a_goal_moves() -> None:
    alone = without_goals("hills", (*FEET, *TRUNK, "shoulder.L"))
    rig = walker(on="hills")
    reach(rig, FAR, chain_length=3)  # the arm without its shoulder
    report = run(rig)
    assert (poses(rig, (*FEET, *TRUNK, "shoulder.L")) == alone).all()
    assert report.change.pelvis_plan.worst < 0.04


def test_an_arm_that_hangs_down_reaches_behind_the_head() -> None:
    shoulders = without_goals("hills", ["upper_arm.L"])[:, 0, :3, 3]
    rig = walker(on="hills")
    source = heads(rig, "hand.L")
    places = shoulders + np.array([0.05, 0.12, 0.34])
    follow(rig, places, chain_length=3)
    report = run(rig)
    assert np.linalg.norm(source - places, axis=1).min() > 0.6
    (met,) = report.goals
    assert met.reached == met.frames == len(places)
    assert np.linalg.norm(heads(rig, "hand.L") - places, axis=1).max() < 2e-3
    assert met.worst_before is not None
    before = 1e3 * np.linalg.norm(source - places, axis=1).max()
    assert met.worst_before == pytest.approx(before, abs=0.1)


def test_the_head_looks_at_its_target_on_stairs_and_the_feet_do_not_know() -> None:
    alone = without_goals("stairs", FEET)
    rig = walker(on="stairs")
    goal = look_at(rig, (1.0, -4.0, 2.2))
    report = run(rig)
    assert off_sight(rig, goal) < math.degrees(goal.tolerance_angle) + 0.01
    assert (poses(rig, FEET) == alone).all()
    assert report.missed == ()


def test_half_the_influence_moves_half_of_the_way_from_the_placed_pose() -> None:
    placed = without_goals("stairs", ["hand.L"])[:, 0, :3, 3]
    rig = walker(on="stairs")
    places = placed + np.array([0.1, -0.05, 0.2])
    goal = follow(rig, places, chain_length=3, tolerance=1e-4)
    goal.influence = 0.5
    run(rig)
    wanted = 0.5 * (placed + places)
    assert np.linalg.norm(heads(rig, "hand.L") - wanted, axis=1).max() < 1e-3


def test_a_hand_on_a_rail_stays_there_while_the_chest_turns_for_the_head() -> None:
    rig = walker(on="hills")
    rig.bioik.feet.hands = "WORLD"
    run(rig)
    hands = {side: heads(rig, f"hand.{side}") for side in "LR"}
    new_file()
    rig = walker(on="hills")
    rig.bioik.feet.hands = "WORLD"
    goal = look_at(rig, (3.0, -1.0, 1.6))
    goal.chain_length = 5
    report = run(rig)
    assert report.missed_goals == ()
    for side, places in hands.items():
        assert np.linalg.norm(heads(rig, f"hand.{side}") - places, axis=1).max() < 0.005


def trotting(looks: bool) -> tuple[Floats, FootReport]:
    """Poses of a quadruped whose feet are placed on hills, and the report."""
    new_file()
    scene = bpy.context.scene
    scene.render.fps = feet_quadruped.FPS
    rig = feet_quadruped.build(scene.collection, strides=2)
    made = ground.hills(ground.Hills())
    scene.collection.objects.link(made)
    rig.bioik.feet.grounds.add().object = made
    if looks:
        goal = rig.bioik.goals.add()
        goal.type, goal.bone, goal.point = "LOOK_AT", "head", (3.0, -6.0, 0.5)
    first, last = map(round, rig.animation_data.action.frame_range)
    report = place_feet(scene, rig, BakeOptions(first, last))
    names = [bone.name for bone in rig.pose.bones if bone.name not in ("neck", "head")]
    assert "chest" in names
    return poses(rig, names, last), report


def test_front_legs_hang_on_a_chest_that_the_head_does_not_turn() -> None:
    alone, _ = trotting(looks=False)
    found, report = trotting(looks=True)
    assert (found == alone).all()
    assert report.missed_goals == ()
    assert report.goals[0].worst < 0.1


# What still takes part in placing the feet


def test_a_goal_about_a_leg_is_part_of_placing_the_feet() -> None:
    rig = walker(on="stairs")
    speed = np.linalg.norm(np.gradient(heads(rig, "foot.L"), axis=0), axis=1)
    swing = int(np.argmax(speed))
    frame = FIRST + swing
    place = without_goals("stairs", ["foot.L"])[swing, 0, :3, 3] + np.array([0.06, 0.0, 0.03])
    rig = walker(on="stairs")
    goal = reach(rig, place, "foot.L", chain_length=3, tolerance=0.004)
    goal.use_frame_range, goal.frame_start, goal.frame_end = True, frame, frame
    goal.blend_in = goal.blend_out = 4
    report = run(rig)
    assert np.linalg.norm(heads(rig, "foot.L")[swing] - place) < 0.006
    assert largest_drift(rig) < 1e-3
    assert report.goals[0].name == "reach"


def test_a_goal_about_the_pelvis_is_part_of_placing_the_feet() -> None:
    placed = without_goals("hills", ["hips"])[:, 0, :3, 3]
    rig = walker(on="hills")
    goal = follow(rig, placed - [0.0, 0.0, 0.06], bone="hips", tolerance=0.005)
    assert goal.bone == "hips"
    report = run(rig)
    lowered = (placed - heads(rig, "hips"))[:, 2]
    assert lowered.mean() > 0.04
    assert largest_drift(rig) < 1e-3
    assert report.goals[0].frames == len(placed)


def test_a_goal_that_may_move_the_root_pulls_the_body_along() -> None:
    alone = without_goals("hills", ["hips"])[:, 0, :3, 3]
    shift = {}
    for length in (3, 0):
        new_file()
        rig = walker(on="hills")
        rig.bioik.solver.move_root = True
        reach(rig, FAR, chain_length=length)
        run(rig)
        shift[length] = np.linalg.norm(heads(rig, "hips") - alone, axis=1).max()
    assert shift[3] == 0.0  # its chain ends below the root
    assert shift[0] > 0.05


def test_both_kinds_of_goals_together_and_in_their_order() -> None:
    rig = walker(on="hills")
    look = look_at(rig, (1.0, -4.0, 2.2))
    look.chain_length = 2  # the hand cannot pull at its bones
    reach(rig, FAR, "foot.L", chain_length=3, name="foot", is_preference=True, weight=1e-6)
    reach(rig, FAR, chain_length=3, name="hand")
    rig.bioik.goals.add().type = "DISPLACEMENT"
    report = run(rig)
    assert [goal.name for goal in report.goals] == [look.name, "foot", "hand"]
    assert [goal.name for goal in report.missed_goals] == ["hand"]
    off = 1e3 * np.linalg.norm(heads(rig, "foot.L") - FAR, axis=1)
    assert report.goals[1].worst == pytest.approx(off.max(), rel=1e-3)
    assert off_sight(rig, look) < 0.1


STAGES: list[tuple[str, dict[str, Any], bool]] = [
    ("a hand", {"type": "POSITION", "bone": "hand.L"}, False),
    ("the first bone above the pelvis", {"type": "DIRECTION", "bone": "spine"}, False),
    ("the pelvis", {"type": "ORIENTATION", "bone": "hips"}, True),
    ("a knee", {"type": "POLE", "bone": "shin.L"}, True),
    ("an elbow", {"type": "POLE", "bone": "forearm.L"}, False),
    ("a pouch on a shin", {"type": "POSITION", "bone": "pouch"}, True),
    ("a pouch alone", {"type": "LOOK_AT", "bone": "pouch", "chain_length": 1}, False),
    ("a hand off a foot", {"type": "DISTANCE", "bone": "hand.L", "other_bone": "foot.L"}, False),
    ("a foot off a hand", {"type": "DISTANCE", "bone": "foot.L", "other_bone": "hand.L"}, False),
    ("both feet apart", {"type": "DISTANCE", "bone": "foot.L", "other_bone": "foot.R"}, True),
    ("an angle of the head", {"type": "JOINT_VALUE", "bone": "head"}, False),
    ("an angle of a knee", {"type": "JOINT_VALUE", "bone": "shin.L"}, True),
    (
        "an arm as a leg",
        {"type": "JOINT_FUNCTION", "bone": "forearm.L", "other_bone": "shin.L"},
        True,
    ),
    ("balance", {"type": "BALANCE"}, True),
]


def test_goals_of_legs_and_their_parents_are_met_together_with_the_feet() -> None:
    rig = walker(on="hills")
    add_pouch(rig)
    for _, what, _ in STAGES:
        goal = rig.bioik.goals.add()
        for name, value in what.items():
            setattr(goal, name, value)
    every = drained(read_feet(bpy.context.scene, rig, OPTIONS)).feet.stages
    found, wanted = {}, {}
    for (case, _, with_feet), goal in zip(STAGES, every.setup.goals, strict=True):
        alone = replace(every, setup=replace(every.setup, goals=(goal,)))
        found[case] = (alone.with_feet, alone.above)
        wanted[case] = ((0,), ()) if with_feet else ((), (0,))
    assert found == wanted
    assert every.with_feet == tuple(k for k, (*_, with_feet) in enumerate(STAGES) if with_feet)


def add_pouch(rig: bpy.types.Object) -> None:
    """A bone that hangs on the left shin."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    pouch = bones.new("pouch")
    pouch.head = bones["shin.L"].head
    pouch.tail = pouch.head + Vector((0.1, 0.0, 0.0))
    pouch.parent = bones["shin.L"]
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_goal_that_was_met_with_the_feet_stays_met_when_others_move_its_bones() -> None:
    rig = walker(on="hills")
    rig.bioik.solver.move_root = True
    hand = reach(rig, (0.45, -1.0, 1.25), name="hand", tolerance=0.002)
    hand.use_frame_range, hand.frame_start, hand.frame_end = True, 20, 24
    hand.blend_in = hand.blend_out = 6
    look = look_at(rig, (3.0, -3.0, 1.0))
    look.chain_length = 5  # down to the spine
    report = run(rig)
    met, _ = report.goals
    off = 1e3 * np.linalg.norm(heads(rig, "hand.L") - hand.point, axis=1)[20 - FIRST : 25 - FIRST]
    assert off.max() < 2.1
    assert met.reached == met.frames


@pytest.mark.parametrize("why", ["locked", "unselected", "driven"])
def test_a_goal_whose_bones_cannot_move_is_reported_and_the_feet_are_placed(why: str) -> None:
    alone = without_goals("hills", FEET)
    rig = walker(on="hills")
    reach(rig, FAR, "head", chain_length=1)
    head = rig.pose.bones["head"]
    if why == "locked":
        head.lock_rotation = (True, True, True)
    elif why == "driven":
        for index in range(4):
            rig.driver_add('pose.bones["head"].rotation_quaternion', index).driver.expression = "1"
    else:
        rig.bioik.solver.scope = "SELECTED"
    report = run(rig)
    (missed,) = report.missed_goals
    off = 1e3 * np.linalg.norm(heads(rig, "head") - FAR, axis=1)
    assert missed.worst == pytest.approx(off.max(), abs=0.1)
    if why != "driven":
        assert (poses(rig, FEET) == alone).all()


# Keys and records


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_a_goal_that_has_moved_is_baked_again(output: Any) -> None:
    shoulders = without_goals("hills", ["upper_arm.L"])[:, 0, :3, 3]
    rig = walker(on="hills")
    places = shoulders + np.array([0.1, -0.3, 0.1])
    follow(rig, places, chain_length=3)
    rig.bioik.feet.plot = rig.bioik.feet.markers = False
    place_feet(bpy.context.scene, rig, BakeOptions(FIRST, LAST, output=output))
    feet = poses(rig, FEET)
    target = bpy.data.objects["Lantern"]
    target.delta_location = (0.0, 0.0, 0.1)
    bpy.context.view_layer.update()
    report = rebake(bpy.context.scene, rig)
    assert report.missed == ()
    raised = places + np.array([0.0, 0.0, 0.1])
    near = 0.01 if output == "LAYER" else 2e-3
    assert np.linalg.norm(heads(rig, "hand.L") - raised, axis=1).max() < near
    # Blender blends layers of quaternions with 32-bit numbers.
    assert np.abs(poses(rig, FEET) - feet).max() < (5e-4 if output == "LAYER" else 1e-6)


def test_the_same_bits_twice() -> None:
    found = []
    for _ in range(2):
        new_file()
        rig = walker(on="hills")
        look_at(rig, (1.0, -4.0, 2.2))
        reach(rig, (0.4, -1.2, 1.5), chain_length=0)
        run(rig)
        found.append(keys_of(rig))
    assert found[0] == found[1]


def test_with_blending_the_result_begins_and_ends_as_the_source() -> None:
    rig = walker(on="hills")
    source = heads(rig, "hand.L")
    reach(rig, FAR, chain_length=3)
    place_feet(bpy.context.scene, rig, BakeOptions(FIRST, LAST, blend_in=8, blend_out=8))
    moved = np.linalg.norm(heads(rig, "hand.L") - source, axis=1)
    assert max(moved[0], moved[-1]) < 1e-5
    assert moved[20] > 0.1


def test_a_loop_stays_one_with_a_goal() -> None:
    rig = walking(rolled=5)
    goal = look_at(rig, (3.0, -4.0, 1.0))
    reach(rig, (0.6, -0.4, 1.3), chain_length=4)
    place_feet(bpy.context.scene, rig, BakeOptions(FIRST, FIRST + CYCLE))
    assert_ends_meet(rig)
    for frame in range(FIRST, FIRST + CYCLE + 1):
        bpy.context.scene.frame_set(frame)
        head = rig.matrix_world @ rig.pose.bones["head"].matrix
        way = goal.target.matrix_world.translation - head.translation
        axis = head.to_3x3() @ Vector(goal.axis)
        assert math.degrees(axis.angle(way)) < math.degrees(goal.tolerance_angle) + 0.02


# While it works


def test_cancelled_while_goals_are_solved_nothing_changes() -> None:
    rig = walker(on="hills")
    reach(rig, FAR, chain_length=3)
    before = all_data()
    shares: list[float] = []

    def progress(done: int, total: int) -> None:
        shares.append(done / total)

    def cancelled() -> bool:
        return bool(shares) and shares[-1] > 0.6

    with pytest.raises(Cancelled):
        run(rig, progress=progress, cancelled=cancelled)
    assert differences(before, all_data()) == []
    assert shares == sorted(shares)


def test_solving_looks_at_nothing_of_blender() -> None:
    rig = walker(on="hills")
    look_at(rig, (1.0, -4.0, 2.2))
    placement = drained(read_feet(bpy.context.scene, rig, OPTIONS))
    expected = placement.problem.solve()
    placement = drained(read_feet(bpy.context.scene, rig, OPTIONS))
    rig.bioik.goals.clear()
    bpy.data.objects.remove(rig)
    solved = placement.problem.solve()
    for found, wanted in zip(solved.tracks, expected.tracks, strict=True):
        assert (found == wanted).all()
