"""Other poses for the goals of the current frame: by the operator at once, and step by step."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest

from blender_bioik.operators import solutions as operators
from blender_bioik.panels.solutions import BIOIK_PT_solutions
from blender_bioik.rig.live_sessions import live_session
from blender_bioik.rig.pose_channels import read_channels
from blender_bioik.rig.solutions import Solutions, find_solutions

from ..panels.layouts import drawn
from ..rig.test_live import actions, move, off, reaching
from .test_live import keys_at


@pytest.fixture(autouse=True)
def nothing_browsed() -> Iterator[None]:
    yield
    operators._Browsing.solutions = None


def browsing(rig: bpy.types.Object, count: int = 4) -> Solutions:
    """Poses that are being looked through, as the operator leaves them in a window."""
    found = find_solutions(bpy.context.scene, rig, count)
    operators._Browsing.solutions = found
    found.show(0)
    bpy.context.view_layer.update()
    return found


def test_every_pose_reaches_the_goal_and_no_two_are_alike() -> None:
    rig, target = reaching()
    found = find_solutions(bpy.context.scene, rig, 5)
    assert len(found.poses) > 1
    for number, pose in enumerate(found.poses):
        found.show(number)
        assert not pose.missed
        assert off(rig, target) < 1e-3
        for other in found.poses[:number]:
            assert np.abs(pose.channels - other.channels).max() > 0.05


def test_looking_for_poses_changes_nothing_and_is_the_same_each_time() -> None:
    rig, _ = reaching()
    before, action = read_channels(rig), actions()
    first = find_solutions(bpy.context.scene, rig, 4)
    second = find_solutions(bpy.context.scene, rig, 4)
    assert np.array_equal(read_channels(rig), before)
    assert actions() == action
    assert all(
        np.array_equal(a.channels, b.channels)
        for a, b in zip(first.poses, second.poses, strict=True)
    )


@pytest.mark.parametrize("live", [False, True], ids=["alone", "live"])
def test_restoring_is_exact(live: bool) -> None:
    rig, target = reaching()
    if live:
        bpy.ops.bioik.toggle_live()
        move(target, (0.05, 0.0, 0.05))
    before, action = read_channels(rig), actions()
    with operators.live_waits():
        browsing(rig)
        bpy.ops.bioik.step_solution(by=1)
        bpy.context.view_layer.update()
        assert not np.array_equal(read_channels(rig), before)
        bpy.ops.bioik.end_solutions(keep=False)
    bpy.context.view_layer.update()
    assert np.array_equal(read_channels(rig), before)
    assert actions() == action
    assert operators.browsed_solutions() is None


def test_the_operator_keys_the_pose_that_is_asked_for() -> None:
    rig, target = reaching()
    expected = find_solutions(bpy.context.scene, rig, 4).poses[1].channels
    assert bpy.ops.bioik.browse_solutions(index=1, count=4) == {"FINISHED"}
    assert np.array_equal(read_channels(rig), expected)
    assert any("forearm.L" in path for path, _ in keys_at(rig, 3.0))
    bpy.context.scene.frame_set(8)
    bpy.context.scene.frame_set(3)
    assert off(rig, target) < 1e-3


def test_without_keys_the_pose_is_only_shown() -> None:
    rig, target = reaching()
    before = actions()
    assert bpy.ops.bioik.browse_solutions(index=1, count=4, key=False) == {"FINISHED"}
    assert off(rig, target) < 1e-3
    assert actions() == before


def test_a_pose_that_is_not_there_is_told_and_nothing_changes() -> None:
    rig, _ = reaching()
    before = read_channels(rig)
    with pytest.raises(RuntimeError, match="There are only"):
        bpy.ops.bioik.browse_solutions(index=40, count=2)
    assert np.array_equal(read_channels(rig), before)


def test_after_the_last_comes_the_first_and_the_panel_tells_which() -> None:
    rig, _ = reaching()
    found = browsing(rig)
    for _step in range(len(found.poses)):
        bpy.ops.bioik.step_solution(by=1)
    assert found.shown == 0
    bpy.ops.bioik.step_solution(by=-1)
    assert found.shown == len(found.poses) - 1
    texts = [given["text"] for given in drawn(BIOIK_PT_solutions).named("label")]
    assert any(f"{len(found.poses)} of {len(found.poses)}" in text for text in texts)
    assert not bpy.ops.bioik.browse_solutions.poll()


def test_live_solving_goes_on_from_the_pose_that_was_chosen() -> None:
    rig, target = reaching()
    before = read_channels(rig)
    bpy.ops.bioik.toggle_live()
    assert bpy.ops.bioik.browse_solutions(index=2, count=5, key=False) == {"FINISHED"}
    bpy.context.view_layer.update()
    chosen = read_channels(rig)
    move(target, (0.01, 0.0, 0.0))
    assert off(rig, target) < 1e-3
    assert np.abs(read_channels(rig) - chosen).max() < 0.2
    assert live_session(rig) is not None
    bpy.ops.bioik.toggle_live()
    assert np.array_equal(read_channels(rig), before)


def test_what_is_shown_of_a_deleted_armature_ends() -> None:
    rig, _ = reaching()
    browsing(rig)
    bpy.data.objects.remove(rig)
    bpy.ops.bioik.step_solution(by=1)
    assert operators.browsed_solutions() is None
