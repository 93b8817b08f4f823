"""Frames that an armature is animated in, and ranges that have none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import pytest

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.clip.clip_range import clip_range
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.rebake.rebake import rebake

from ...builders.placements import stepping
from ...builders.rigs import humanoid
from ...builders.snapshots import all_data, differences

FIRST, LAST = 10, 30


def waving(frames: tuple[int, ...] = (FIRST, LAST)) -> bpy.types.Object:
    """A person whose arm has keys, and a goal for its hand."""
    rig = humanoid()
    arm = rig.pose.bones["arm.L"]
    for frame in frames:
        arm.rotation_quaternion = (1.0, 0.01 * frame, 0.0, 0.0)
        arm.keyframe_insert("rotation_quaternion", frame=frame)
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.head_tail = "POSITION", "forearm.L", 1.0
    goal.point, goal.chain_length = (0.35, -0.25, 1.55), 2
    return rig


def curves(rig: bpy.types.Object) -> list[Any]:
    return list(fcurves.curves_by_channel(fcurves.assigned_container(rig)).values())


def repeats(rig: bpy.types.Object) -> None:
    curves(rig)[0].modifiers.new("CYCLES")


def leads_on(rig: bpy.types.Object) -> None:
    curves(rig)[0].extrapolation = "LINEAR"


def is_marked_as_cyclic(rig: bpy.types.Object) -> None:
    action = rig.animation_data.action
    action.use_frame_range = action.use_cyclic = True


def is_in_the_nla(rig: bpy.types.Object) -> None:
    rig.animation_data.nla_tracks.new().strips.new("Strip", 40, rig.animation_data.action)


def is_driven(rig: bpy.types.Object) -> None:
    rig.driver_add("location", 0).driver.expression = "frame"


def is_carried(rig: bpy.types.Object) -> None:
    raft = other()
    for frame in (1, 100):
        raft.keyframe_insert("location", frame=frame)
    rig.parent = raft


def follows_another(rig: bpy.types.Object) -> None:
    rig.pose.bones["head"].constraints.new("DAMPED_TRACK").target = other()


def other() -> bpy.types.Object:
    made = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(made)
    return made


@pytest.mark.parametrize(
    "change",
    [
        repeats,
        leads_on,
        is_marked_as_cyclic,
        is_in_the_nla,
        is_driven,
        is_carried,
        follows_another,
    ],
)
def test_what_may_move_beyond_its_keys_has_no_range(
    change: Callable[[bpy.types.Object], None],
) -> None:
    rig = waving()
    assert clip_range(bpy.context.scene, rig) == (FIRST, LAST)
    change(rig)
    assert clip_range(bpy.context.scene, rig) is None


def test_what_follows_itself_or_stands_on_something_still_has_a_range() -> None:
    rig = waving()
    track = rig.pose.bones["head"].constraints.new("DAMPED_TRACK")
    track.target, track.subtarget = rig, "forearm.L"
    rig.parent = other()
    rig["shown"] = 1.0
    rig.keyframe_insert('["shown"]', frame=90)
    assert clip_range(bpy.context.scene, rig) == (FIRST, LAST)


def test_one_pose_is_meant_for_any_frame() -> None:
    rig = waving((5,))
    assert clip_range(bpy.context.scene, rig) is None
    assert bake(bpy.context.scene, rig, BakeOptions(50, 60)).written


def test_no_animation_has_no_range() -> None:
    assert clip_range(bpy.context.scene, humanoid()) is None


@pytest.mark.parametrize("frames", [(1, 9), (31, 60)])
def test_frames_without_any_of_the_clip_are_refused(frames: tuple[int, int]) -> None:
    rig = waving()
    before = all_data()
    wanted = (
        rf'"Rig" is animated on frames {FIRST} to {LAST}, not on {frames[0]} to {frames[1]}: '
        "choose frames inside its clip"
    )
    with pytest.raises(RigError, match=wanted):
        bake(bpy.context.scene, rig, BakeOptions(*frames))
    assert differences(before, all_data()) == []


def test_feet_are_not_placed_in_frames_without_any_of_the_clip() -> None:
    rig = stepping()
    before = all_data()
    with pytest.raises(RigError, match='"Rig" is animated on frames 1 to 10, not on 20 to 40'):
        place_feet(bpy.context.scene, rig, BakeOptions(20, 40))
    assert differences(before, all_data()) == []


@pytest.mark.parametrize("operator", ["bake", "place_feet"])
def test_operators_say_the_same(operator: str) -> None:
    stepping()
    goal = bpy.context.object.bioik.goals.add()
    goal.type, goal.bone = "POSITION", "head"
    with pytest.raises(RuntimeError, match=r"is animated on frames 1 to 10, not on 20 to 40"):
        getattr(bpy.ops.bioik, operator)(range="CUSTOM", frame_start=20, frame_end=40)


@pytest.mark.parametrize(
    ("frames", "told"), [((5, 20), True), ((20, 31), True), ((FIRST, LAST), False)]
)
def test_frames_partly_beyond_the_clip_are_reported(frames: tuple[int, int], told: bool) -> None:
    report = bake(bpy.context.scene, waving(), BakeOptions(*frames))
    assert report.written
    notes = [note for note in report.notes if note.startswith("The clip covers frames")]
    assert len(notes) == told
    if told:
        assert notes[0].startswith(f"The clip covers frames {FIRST} to {LAST}: outside of it,")


def test_frames_beyond_the_clip_can_be_baked_again() -> None:
    rig = waving()
    goal = rig.bioik.goals[0]
    goal.use_frame_range, goal.frame_start, goal.frame_end = True, 45, 48
    bake(bpy.context.scene, rig, BakeOptions(FIRST, 60))
    goal.point.z += 0.05
    rig.bioik.bake.rebake_blend = 2
    assert rebake(bpy.context.scene, rig).goals[0].reached == 4
