"""Baking only the changed frames again; all others stay bit for bit.

Tests of: last_bake, rebake, taken, whole_errors, rig.keys.played_source, rig.record.bake_inputs,
rig.record.bake_record, rig.result.part_of_result.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.errors import Cancelled, RigError
from blender_bioik.rig.reading import drained
from blender_bioik.rig.rebake.goals_again import read_goals_again
from blender_bioik.rig.rebake.last_bake import NOTHING_CHANGED
from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.record.bake_record import inputs_of_text, rebake_problem, stored_inputs
from blender_bioik.rig.report.report import BakeReport

from ...builders.bakes import HAND, add_goal, distance, poses, waving
from ...builders.rebakes import (
    BLEND,
    FIRST,
    LAST,
    frames_changed,
    goal_added,
    influence_keyed,
    key_bytes,
    move_target,
    reaching,
    solver_changed,
    source_edited,
    weight_changed,
)
from ...builders.snapshots import differences, file_data

OPTIONS = BakeOptions(FIRST, LAST)
# Solving goes on from the frame before, which a part of the clip begins without.
NEAR = 0.05


def off_target(rig: bpy.types.Object, frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    tail = rig.matrix_world @ rig.pose.bones[HAND].tail
    return float((tail - bpy.data.objects["Target"].matrix_world.translation).length)


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_only_frames_around_the_change_get_other_keys(output: str) -> None:
    rig = reaching(output)
    result, before = rig.bioik.baked.result, key_bytes(rig)
    shown = poses(rig, range(FIRST, LAST + 1))
    move_target()
    report = rebake(bpy.context.scene, rig)

    changed = frames_changed(before, key_bytes(rig))
    assert (changed[0], changed[-1]) == (22 - BLEND, 40 + BLEND)
    assert rig.bioik.baked.result == result
    assert report.notes[0] == "Frames 22 to 40 had changed and were re-baked."
    assert isinstance(report, BakeReport)
    # The report is about the whole result, as that of a bake of everything.
    count = LAST - FIRST + 1
    assert (report.first_frame, report.last_frame, report.goals[0].frames) == (FIRST, LAST, count)
    worst = max(off_target(rig, frame) for frame in range(FIRST, LAST + 1))
    exact = 4.0 if output == "LAYER" else 0.2
    assert report.goals[0].worst == pytest.approx(1e3 * worst, abs=exact)
    limit = 4e-3 if output == "LAYER" else 2e-4
    assert max(off_target(rig, frame) for frame in range(22, 41)) < limit
    again = poses(rig, range(FIRST, LAST + 1))
    outside = [*range(21 - BLEND), *range(40 + BLEND, LAST)]
    np.testing.assert_array_equal(again[outside], shown[outside])
    # No pop: where it begins and ends to change, poses go on as before.
    steps = np.abs(np.diff(again, axis=0)).max(axis=(1, 2, 3))
    assert steps.max() < 1.5 * np.abs(np.diff(shown, axis=0)).max()


def test_frames_that_changed_are_as_if_everything_was_baked() -> None:
    rig = reaching(smoothness=0.0)
    source = rig.bioik.baked.source
    move_target()
    rebake(bpy.context.scene, rig)
    parts = poses(rig, range(22, 41))
    fcurves.assign_action(rig, source, fcurves.matching_slot(source, fcurves.assigned_slot(rig)))
    bake(bpy.context.scene, rig, OPTIONS)
    np.testing.assert_allclose(parts, poses(rig, range(22, 41)), atol=NEAR)


def test_an_unchanged_bake_is_reported_and_changes_nothing() -> None:
    rig = reaching()
    before = file_data()
    with pytest.raises(RigError, match=NOTHING_CHANGED):
        rebake(bpy.context.scene, rig)
    assert differences(before, file_data()) == []
    move_target()
    rebake(bpy.context.scene, rig)
    with pytest.raises(RigError, match=NOTHING_CHANGED):
        rebake(bpy.context.scene, rig)


def changed_frames(rig: bpy.types.Object) -> tuple[int, int]:
    """The frames that a reading finds to have changed."""
    again = drained(read_goals_again(bpy.context.scene, rig))
    frames = again.before.frames
    return round(frames[again.window.first]), round(frames[again.window.last])


def goal_renamed_and_frame_moved(rig: bpy.types.Object) -> tuple[int, int]:
    """What says nothing, beside a change that does."""
    rig.bioik.goals[0].name = "another"
    bpy.context.scene.frame_set(17)
    move_target()
    return 22, 40


@pytest.mark.parametrize(
    "change",
    [
        source_edited,
        goal_added,
        influence_keyed,
        weight_changed,
        solver_changed,
        goal_renamed_and_frame_moved,
    ],
)
def test_changes_since_the_last_bake_are_found(change: Any) -> None:
    rig = reaching()
    assert change(rig) == changed_frames(rig)


def test_edits_of_the_source_reach_the_result() -> None:
    rig = reaching()
    before = poses(rig, [20])
    source_edited(rig)
    rebake(bpy.context.scene, rig)
    assert np.abs(poses(rig, [20]) - before).max() > 1e-3
    assert max(off_target(rig, frame) for frame in range(2, 40)) < 2e-4
    # Between two poses that reach a target is one that nearly does.
    assert max(off_target(rig, frame) for frame in range(40, 40 + BLEND)) < 2e-3


def test_a_removed_goal_gives_its_frames_back() -> None:
    rig = waving()
    rig.bioik.bake.rebake_blend = BLEND
    goal = rig.bioik.goals[0]
    goal.use_frame_range, goal.frame_start, goal.frame_end = True, 30, 36
    add_goal(rig, name="foot", bone="shin.R", point=(-0.1, -0.2, 0.3), chain_length=2)
    source = poses(rig, [33])
    bake(bpy.context.scene, rig, OPTIONS)
    assert distance(rig, 33) < 2e-4
    rig.bioik.goals.remove(0)
    rebake(bpy.context.scene, rig)
    arm = [rig.pose.bones.find(name) for name in ("arm.L", HAND)]
    np.testing.assert_allclose(poses(rig, [33])[:, arm], source[:, arm], atol=1e-4)


def test_poses_that_are_not_keyed_are_remembered() -> None:
    rig = waving()
    rig.animation_data_clear()
    rig.bioik.bake.rebake_blend = BLEND
    rig.pose.bones["chest"].rotation_mode = "XYZ"
    rig.pose.bones["chest"].rotation_euler = (0.3, 0.0, 0.1)
    bake(bpy.context.scene, rig, OPTIONS)
    with pytest.raises(RigError, match=NOTHING_CHANGED):
        rebake(bpy.context.scene, rig)


def test_constraints_that_the_bake_muted_act_on_the_source() -> None:
    rig = waving()
    rig.bioik.bake.rebake_blend = BLEND
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.location = (0.0, 0.0, 2.0)
    rig.pose.bones["arm.L"].constraints.new("DAMPED_TRACK").target = empty
    bake(bpy.context.scene, rig, OPTIONS)
    assert rig.pose.bones["arm.L"].constraints[0].mute
    with pytest.raises(RigError, match=NOTHING_CHANGED):
        rebake(bpy.context.scene, rig)
    assert rig.pose.bones["arm.L"].constraints[0].mute


def test_the_scene_is_read_once() -> None:
    rig = reaching()
    rig.pose.bones["head"].driver_add("location", 0).driver.expression = "frame * 0.01"
    bpy.context.view_layer.update()
    move_target()
    visited: list[int] = []

    def visit(scene: bpy.types.Scene, *_: Any) -> None:
        visited.append(scene.frame_current)

    bpy.context.scene.frame_set(0)
    bpy.app.handlers.frame_change_post.append(visit)
    try:
        again = drained(read_goals_again(bpy.context.scene, rig))
    finally:
        bpy.app.handlers.frame_change_post.remove(visit)
    source = [round(frame) for frame in again.whole.frames]
    assert [frame for frame in visited if frame] == source + source  # and the whole result
    assert len(again.source.frames) < len(source)


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
@pytest.mark.parametrize("plain", [True, False])
def test_cancelled_it_changes_nothing(output: str, plain: bool) -> None:
    rig = reaching(output)
    if not plain:
        rig.pose.bones["head"].driver_add("location", 0).driver.expression = "frame * 0.01"
        bpy.context.view_layer.update()
    move_target()
    bpy.context.scene.frame_set(12)
    rig.pose.bones["head"].scale = (1.1, 1.0, 1.0)
    before = file_data()
    for asked in (1, 30, 90):
        answers = iter([False] * asked)
        steps = read_goals_again(bpy.context.scene, rig)
        for _ in answers:
            if next(steps, None) is None:
                break
        steps.close()
        assert differences(before, file_data()) == []
    with pytest.raises(Cancelled):
        drained(read_goals_again(bpy.context.scene, rig)).solve(cancelled=lambda: True)
    assert differences(before, file_data()) == []


def not_active(rig: bpy.types.Object) -> str:
    rig.animation_data.action = rig.bioik.baked.source
    return "The action of the last bake is not active: assign it, or bake everything"


def source_gone(rig: bpy.types.Object) -> str:
    bpy.data.actions.remove(rig.bioik.baked.source)
    return "The source of the last bake no longer exists: bake everything"


def broken(rig: bpy.types.Object) -> str:
    rig.bioik.baked.inputs = "{"
    return "The last bake cannot be updated in part: bake everything"


def never_baked(rig: bpy.types.Object) -> str:
    rig.bioik.baked.result = None
    return "Bake goals or place feet first"


@pytest.mark.parametrize("spoil", [not_active, source_gone, broken, never_baked])
def test_the_reason_of_a_refusal_is_given(spoil: Any) -> None:
    rig = reaching()
    assert rebake_problem(rig) == ""
    reason = spoil(rig)
    assert rebake_problem(rig) == reason
    with pytest.raises(RigError, match=reason):
        rebake(bpy.context.scene, rig)


def test_channels_keyed_in_the_result_by_hand_stay() -> None:
    rig = reaching()
    head, hand = rig.pose.bones["head"], rig.pose.bones["forearm.R"]
    head.location = (0.0, 0.05, 0.0)
    head.keyframe_insert("location", frame=30)
    hand.scale = (1.2, 1.0, 1.0)
    hand.keyframe_insert("scale", frame=31)
    before = key_bytes(rig)
    move_target()
    rebake(bpy.context.scene, rig)
    after = key_bytes(rig)
    for channel, keys in before.items():
        if channel[0].split('"')[1] in ("head", "forearm.R"):
            assert after[channel] == keys


def test_steps_and_fades_of_the_bake_are_kept() -> None:
    rig = reaching(step=3, blend_in=9)
    before = key_bytes(rig)
    shown = poses(rig, [FIRST])
    move_target(at=1)
    rebake(bpy.context.scene, rig)
    changed = frames_changed(before, key_bytes(rig))
    assert {(frame - FIRST) % 3 for frame in changed} == {0.0}
    np.testing.assert_allclose(poses(rig, [FIRST]), shown, atol=1e-6)


def test_inputs_are_kept_as_text() -> None:
    rig = reaching()
    inputs = stored_inputs(rig)
    assert inputs is not None
    assert inputs.to_text() == rig.bioik.baked.inputs
    assert len(inputs.choices) == LAST - FIRST + 1
    for spoiled in ("", "[]", "{}", inputs.to_text().replace('"version":1', '"version":9')):
        assert inputs_of_text(spoiled) is None
