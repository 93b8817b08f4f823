"""Other poses for the goals of the current frame: at once, and step by step.

Tests of: browsing, panels.solutions, rig.live.solutions, ui_state.browsed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.operators.live.browsing import Browsing
from blender_bioik.panels.solutions import BIOIK_PT_solutions
from blender_bioik.rig.blender.pose_channels import read_channels
from blender_bioik.rig.live.sessions import live_session
from blender_bioik.rig.live.solutions import Solutions, find_solutions
from blender_bioik.rig.source_shown import is_waiting, live_waits
from blender_bioik.ui_state.browsed import Browsed, browsed_solutions
from blender_bioik.ui_state.running import running_work

from ...builders.layouts import drawn
from ...builders.live_rigs import keys_at, move, off, reaching
from ...builders.snapshots import actions
from ...builders.windows import ESC, GOES_ON, TIMER, Window


@pytest.fixture(autouse=True)
def nothing_browsed() -> Iterator[None]:
    yield
    Browsed.solutions = None


def browsing(rig: bpy.types.Object, count: int = 4) -> Solutions:
    """Poses that are being looked through, as the operator leaves them in a window."""
    found = find_solutions(bpy.context.scene, rig, count)
    Browsed.solutions = found
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
    with live_waits():
        browsing(rig)
        bpy.ops.bioik.step_solution(by=1)
        bpy.context.view_layer.update()
        assert not np.array_equal(read_channels(rig), before)
        bpy.ops.bioik.end_solutions(keep=False)
    bpy.context.view_layer.update()
    assert np.array_equal(read_channels(rig), before)
    assert actions() == action
    assert browsed_solutions() is None


def test_the_operator_keys_the_requested_pose() -> None:
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


def test_a_missing_pose_is_reported_and_nothing_changes() -> None:
    rig, _ = reaching()
    before = read_channels(rig)
    with pytest.raises(RuntimeError, match="There are only"):
        bpy.ops.bioik.browse_solutions(index=40, count=2)
    assert np.array_equal(read_channels(rig), before)


def test_solutions_wrap_around_and_the_panel_shows_the_current_one() -> None:
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
    assert browsed_solutions() is None


def test_nothing_else_is_begun_while_poses_are_looked_through() -> None:
    rig, _ = reaching()
    bpy.ops.bioik.toggle_live()
    names = ("toggle_live", "key_live_pose", "bake", "add_goal", "go_to_frame", "browse_solutions")
    before = [getattr(bpy.ops.bioik, name).poll() for name in names]
    with live_waits():
        browsing(rig)
        assert not any(getattr(bpy.ops.bioik, name).poll() for name in names)
        bpy.ops.bioik.end_solutions(keep=False)
    assert [getattr(bpy.ops.bioik, name).poll() for name in names] == before == [True] * len(names)


class Browser(Browsing):
    """The operator's part in a window, driven by hand: Blender runs none without a window."""

    bl_label = "Browse"

    def __init__(self, count: int = 4) -> None:
        self.index, self.count, self.key = 0, count, True
        self.told: list[str] = []

    def report(self, _kinds: set[str], sentence: str) -> None:
        self.told.append(sentence)


class Scene(Window):
    """A window on the scene."""

    scene = property(lambda _self: bpy.context.scene)
    object = property(lambda _self: bpy.context.object)
    view_layer = property(lambda _self: bpy.context.view_layer)


def searched_to_the_end(browser: Browser, window: Any) -> None:
    for _ in range(10_000):
        assert browser.modal(window, TIMER) == GOES_ON
        if browsed_solutions() is not None:
            return
        time.sleep(0.001)
    raise AssertionError("The search does not end")


def test_in_a_window_poses_are_searched_beside_it_and_then_looked_through() -> None:
    rig, target = reaching()
    expected = find_solutions(bpy.context.scene, rig, 4).poses[1].channels
    before, window, browser = read_channels(rig), Scene(), Browser()
    assert browser.invoke(window, None) == GOES_ON
    work = running_work()
    assert work is not None
    assert np.array_equal(read_channels(rig), before)
    assert drawn(BIOIK_PT_solutions).named("progress")
    searched_to_the_end(browser, window)
    assert running_work() is None
    assert is_waiting()
    found = browsed_solutions()
    assert found is not None
    assert window.status is not None
    assert browser.modal(window, pressed("RIGHT_ARROW")) == GOES_ON
    assert np.array_equal(read_channels(rig), expected)
    assert browser.modal(window, pressed("RET")) == {"FINISHED"}
    assert any("forearm.L" in path for path, _ in keys_at(rig, 3.0))
    assert (window.timers, window.status) == (0, None)
    assert not is_waiting()
    assert off(rig, target) < 1e-3


def test_esc_ends_a_long_search_and_nothing_has_changed() -> None:
    rig, target = reaching()
    move(target, (0.0, 0.0, 50.0))
    rig.bioik.solver.strategy, rig.bioik.solver.evaluations = "EVOLUTION", 1_000_000
    before, action = read_channels(rig), actions()
    window, browser = Scene(), Browser(32)
    assert browser.invoke(window, None) == GOES_ON
    for _ in range(20):
        assert browser.modal(window, TIMER) == GOES_ON
        time.sleep(0.01)
    assert browser.modal(window, ESC) == {"CANCELLED"}
    assert browser.told == ["Pose search cancelled, nothing was changed"]
    assert (running_work(), browsed_solutions()) == (None, None)
    assert np.array_equal(read_channels(rig), before)
    assert actions() == action
    assert (window.timers, window.status) == (0, None)
    assert not is_waiting()


def test_solutions_of_an_armature_that_was_changed_while_browsing_end_with_a_sentence() -> None:
    rig, _ = reaching()
    window, browser = Scene(), Browser()
    browser.invoke(window, None)
    searched_to_the_end(browser, window)
    bpy.data.objects.remove(rig)
    assert browser.modal(window, pressed("RIGHT_ARROW")) == {"CANCELLED"}
    assert browser.told == ["The armature has changed in the meantime: browse solutions again."]
    assert (browsed_solutions(), window.timers, window.status) == (None, 0, None)


def test_goals_removed_while_the_search_runs_do_not_stop_it() -> None:
    rig, _ = reaching()
    window, browser = Scene(), Browser()
    browser.invoke(window, None)
    rig.bioik.goals.clear()
    searched_to_the_end(browser, window)
    assert browser.modal(window, pressed("ESC")) == {"CANCELLED"}
    assert browsed_solutions() is None


@pytest.mark.parametrize("key", ["LEFT_ARROW", "WHEELDOWNMOUSE", "A"])
def test_without_solutions_any_event_ends_browsing(key: str) -> None:
    reaching()
    window, browser = Scene(), Browser()
    browser.invoke(window, None)
    searched_to_the_end(browser, window)
    Browsed.solutions = None  # ended by a button in the panel
    assert browser.modal(window, pressed(key)) == {"CANCELLED"}
    assert (window.timers, window.status, is_waiting()) == (0, None, False)


@pytest.mark.parametrize("found", [False, True], ids=["searching", "looking"])
def test_blender_can_end_it_without_a_workspace(found: bool) -> None:
    rig, _ = reaching()
    before, window, browser = read_channels(rig), Scene(), Browser()
    browser.invoke(window, None)
    if found:
        searched_to_the_end(browser, window)
    window.workspace = None  # type: ignore[assignment]
    browser.cancel(window)
    assert np.array_equal(read_channels(rig), before)
    assert (running_work(), browsed_solutions(), is_waiting()) == (None, None, False)


def pressed(kind: str) -> Any:
    return SimpleNamespace(type=kind, value="PRESS", mouse_x=0, mouse_y=0)
