"""The operators of live solving, and its panel.

Tests of: panels.live.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.panels.live import BIOIK_PT_live
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.blender.pose_channels import read_channels
from blender_bioik.rig.live.sessions import SESSIONS, live_session

from ...builders.layouts import drawn
from ...builders.live_rigs import keys_at, move, off, own_handlers, reaching
from ...builders.snapshots import actions


def test_the_toggle_starts_and_stops() -> None:
    rig, target = reaching()
    before = read_channels(rig)
    assert bpy.ops.bioik.toggle_live() == {"FINISHED"}
    move(target, (0.1, -0.1, 0.1))
    assert off(rig, target) < 1e-3
    assert bpy.ops.bioik.toggle_live() == {"FINISHED"}
    assert np.array_equal(read_channels(rig), before)
    assert own_handlers() == []


def test_a_rig_without_goals_gets_a_reason() -> None:
    rig, _ = reaching()
    rig.bioik.goals.clear()
    with pytest.raises(RuntimeError, match="Add a goal"):
        bpy.ops.bioik.toggle_live()


def test_an_impossible_solve_is_reported_and_nothing_changes() -> None:
    rig, _ = reaching()
    rig.bioik.goals[0].bone = "tail"
    before = read_channels(rig)
    with pytest.raises(RuntimeError, match="tail"):
        bpy.ops.bioik.toggle_live()
    assert not SESSIONS
    assert np.array_equal(read_channels(rig), before)


def test_it_can_be_ended_without_any_frames_to_solve() -> None:
    rig, _ = reaching()
    bpy.ops.bioik.toggle_live()
    rig.bioik.goals.clear()
    assert bpy.ops.bioik.toggle_live() == {"FINISHED"}
    assert not SESSIONS


def test_keying_keeps_the_pose() -> None:
    rig, target = reaching()
    bpy.ops.bioik.toggle_live()
    move(target, (0.1, -0.1, 0.1))
    shown = read_channels(rig)
    assert bpy.ops.bioik.key_live_pose() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert np.abs(read_channels(rig) - shown).max() < 1e-5
    bpy.ops.bioik.toggle_live()
    assert np.abs(read_channels(rig) - shown).max() < 1e-5
    bpy.context.scene.frame_set(10)
    bpy.context.scene.frame_set(3)
    assert off(rig, target) < 1e-3


def test_only_bones_that_moved_are_keyed_in_their_modes_and_unlocked_channels() -> None:
    rig, target = reaching()
    rig.pose.bones["arm.L"].rotation_mode = "XYZ"
    rig.pose.bones["arm.L"].lock_rotation[1] = True
    bpy.context.view_layer.update()
    before = keys_at(rig, 3.0)
    bpy.ops.bioik.toggle_live()
    move(target, (0.1, -0.1, 0.1))
    bpy.ops.bioik.key_live_pose()
    new = keys_at(rig, 3.0) - before
    assert {path.split('"')[1] for path, _ in new} <= {"hips", "chest", "arm.L", "forearm.L"}
    arm = {index for path, index in new if 'bones["arm.L"].rotation_euler' in path}
    assert arm == {0, 2}
    assert not any("location" in path or "scale" in path for path, _ in new)


def test_keying_without_an_action_makes_one() -> None:
    rig, target = reaching(keyed=False)
    bpy.ops.bioik.toggle_live()
    move(target, (0.1, -0.1, 0.1))
    assert bpy.ops.bioik.key_live_pose() == {"FINISHED"}
    bpy.ops.bioik.toggle_live()
    bpy.context.scene.frame_set(10)
    assert off(rig, target) < 1e-3


def test_a_locked_curve_is_reported_and_nothing_is_keyed() -> None:
    rig, target = reaching()
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in container.fcurves:
        curve.lock = "arm.L" in curve.data_path
    bpy.ops.bioik.toggle_live()
    move(target, (0.1, -0.1, 0.1))
    before = actions()
    with pytest.raises(RuntimeError, match="is locked"):
        bpy.ops.bioik.key_live_pose()
    assert actions() == before


def test_undo_of_keying_brings_the_animation_back() -> None:
    rig, target = reaching()
    before = read_channels(rig)
    bpy.ops.bioik.toggle_live()
    move(target, (0.1, -0.1, 0.1))
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.bioik.key_live_pose()
    bpy.ops.ed.undo_push(message="keyed")
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    rig = bpy.data.objects["Rig"]
    assert live_session(rig) is not None
    bpy.ops.bioik.toggle_live()
    assert np.array_equal(read_channels(rig), before)


def test_the_panel_shows_the_toggle_its_time_and_problems() -> None:
    rig, target = reaching()
    assert drawn(BIOIK_PT_live).operators() == ["bioik.toggle_live", "bioik.key_live_pose"]
    bpy.ops.bioik.toggle_live()
    layout = drawn(BIOIK_PT_live)
    assert layout.named("operator")[0]["depress"]
    assert any("ms" in given["text"] for given in layout.named("label"))
    rig.bioik.goals[0].bone = "tail"
    move(target, (0.01, 0.0, 0.0))
    texts = " ".join(given["text"] for given in drawn(BIOIK_PT_live).named("label"))
    assert "tail" in texts
