"""Loops on a slope: their ends meet, and where they are cut does not matter.

Tests of: rig.contacts.clip_loop.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.clip.cyclic import is_cyclic
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.feet.read_feet import read_feet
from blender_bioik.rig.reading import drained
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.transforms import Floats
from demo import walk
from demo.gait import about_x
from demo.skeleton import bones

from ...builders.files import new_file
from ...builders.loops import CYCLE, assert_ends_meet, stage, walking


def standing(frames: int = 33) -> bpy.types.Object:
    """An idle: the body sways, and its feet slip along until they are locked."""
    rig = stage()
    turn = 2.0 * np.pi * np.arange(frames) / (frames - 1)
    turns = {bone.name: np.tile(np.eye(3), (frames, 1, 1)) for bone in bones()}
    turns["chest"] = about_x(0.1 * np.sin(turn))
    hips = np.tile(np.array(next(b.head for b in bones() if not b.parent)), (frames, 1))
    hips[:, :2] += 0.01 * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    walk.key_turns(rig, bones(), turns, hips, "Idle")
    return rig


def placed(rig: bpy.types.Object, frames: int) -> FootReport:
    options = BakeOptions(walk.FIRST_FRAME, walk.FIRST_FRAME + frames - 1)
    return place_feet(bpy.context.scene, rig, options)


def poses(rig: bpy.types.Object, frames: int) -> Floats:
    """World matrices (f, n, 4, 4) of all bones."""
    found = []
    for frame in range(walk.FIRST_FRAME, walk.FIRST_FRAME + frames):
        bpy.context.scene.frame_set(frame)
        found.append([np.array(rig.matrix_world @ bone.matrix) for bone in rig.pose.bones])
    return np.array(found)


def test_ends_of_a_walk_in_place_meet() -> None:
    rig = walking(rolled=5)  # a foot that strikes the ground at the seam would not be smooth
    before = poses(rig, CYCLE + 1)
    report = placed(rig, CYCLE + 1)
    assert any("in place" in note for note in report.notes)
    assert_ends_meet(rig)
    assert np.abs(poses(rig, CYCLE + 1) - before).max() > 0.05  # or all this would say nothing


def test_ends_of_an_idle_meet() -> None:
    rig = standing()
    placed(rig, 33)
    assert_ends_meet(rig)
    assert poses(rig, 33)[..., 2, 3].min() < 0.1


def test_it_does_not_matter_where_a_loop_is_cut() -> None:
    cut = {}
    for rolled in (0, 9, 17):
        new_file()
        rig = walking(rolled)
        placed(rig, CYCLE + 1)
        cut[rolled] = np.roll(poses(rig, CYCLE + 1)[:-1], rolled, axis=0)
    for rolled in (9, 17):
        apart = np.abs(cut[rolled] - cut[0])[..., :3, 3].max()
        assert apart < 0.001


def test_a_stand_across_the_seam_is_one_stand() -> None:
    rig = walking(rolled=8)
    rig.bioik.feet.planting = "FOLLOW"
    options = BakeOptions(walk.FIRST_FRAME, walk.FIRST_FRAME + CYCLE)
    feet = drained(read_feet(bpy.context.scene, rig, options)).feet
    assert feet.loop is not None
    assert feet.loop.period == CYCLE
    balls = [c for c in feet.contacts if c.point == 1]
    begin = {c.foot for c in balls if c.first == 0}
    end = {c.foot for c in balls if c.stop == CYCLE + 1}
    assert begin == end
    assert begin
    repeated = feet.loop.repeated_contacts(balls)
    assert not {c.first for c in repeated if c.foot in begin} & {CYCLE, 2 * CYCLE}


def test_without_its_last_frame_a_loop_must_be_declared() -> None:
    options = BakeOptions(walk.FIRST_FRAME, walk.FIRST_FRAME + CYCLE - 1)
    rig = walking(frames=CYCLE)
    assert drained(read_feet(bpy.context.scene, rig, options)).feet.loop is None
    rig.bioik.feet.loop = "ON"
    feet = drained(read_feet(bpy.context.scene, rig, options)).feet
    assert feet.loop is not None
    assert feet.loop.period == CYCLE


def test_the_whole_clip_is_the_period_if_its_last_frame_is_not_the_first() -> None:
    rig = walking()
    placed(rig, CYCLE + 1)
    closed = poses(rig, CYCLE)
    new_file()
    rig = walking(frames=CYCLE, loop="ON")
    placed(rig, CYCLE)
    assert np.abs(poses(rig, CYCLE) - closed)[..., :3, 3].max() < 0.001


def test_cyclic_actions_are_reported() -> None:
    rig = walking(frames=CYCLE)
    assert not is_cyclic(rig)
    action = rig.animation_data.action
    action.use_frame_range = action.use_cyclic = True
    assert is_cyclic(rig)
    action.use_cyclic = False
    for curve in fcurves.curves_by_channel(fcurves.assigned_container(rig)).values():
        curve.modifiers.new("CYCLES")
    assert is_cyclic(rig)
    options = BakeOptions(walk.FIRST_FRAME, walk.FIRST_FRAME + CYCLE - 1)
    assert drained(read_feet(bpy.context.scene, rig, options)).feet.loop is not None


def test_a_travelling_clip_is_no_loop_and_that_is_reported() -> None:
    rig = stage("ON")
    walk.animate(rig, strides=1)
    report = placed(rig, CYCLE + 1)
    assert any("not treated as a loop" in note for note in report.notes)


@pytest.mark.parametrize("loop", ["AUTO", "ON"])
def test_on_ground_that_moves_on_nothing_is_a_loop(loop: str) -> None:
    """A walk in place on a lift: the last frame is higher than the first."""
    rig = walking(loop=loop)
    lift = rig.bioik.feet.grounds[0].object
    for frame, height in ((walk.FIRST_FRAME, 0.0), (walk.FIRST_FRAME + CYCLE, 0.3)):
        lift.location.z = height
        lift.keyframe_insert("location", index=2, frame=frame)
    before = poses(rig, CYCLE + 1)
    report = placed(rig, CYCLE + 1)
    assert any("not treated as a loop" in note for note in report.notes) == (loop == "ON")
    hips = rig.pose.bones.find("hips")
    risen = (poses(rig, CYCLE + 1) - before)[[0, -1], hips, 2, 3]
    assert risen[1] - risen[0] == pytest.approx(0.3, abs=0.06)


def test_off_is_off() -> None:
    rig = walking(loop="OFF")
    options = BakeOptions(walk.FIRST_FRAME, walk.FIRST_FRAME + CYCLE)
    assert drained(read_feet(bpy.context.scene, rig, options)).feet.loop is None
