"""Changed frames of the re-bake button, found without evaluating or changing anything.

Tests of: quick_changes, ui_state.rebaking.
"""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.watch import change_watch
from blender_bioik.rig.watch.change_watch import Change, known_change, look
from blender_bioik.ui_state.rebaking import rebaking_text

from ...builders.files import new_file
from ...builders.placements import last_contact, placed
from ...builders.rebakes import (
    goal_added,
    influence_keyed,
    move_target,
    reaching,
    solver_changed,
    source_edited,
    weight_changed,
)
from ...builders.snapshots import differences, file_data

NOTHING = Change(None, None)


@pytest.fixture(autouse=True)
def forgotten() -> None:
    change_watch.forget()


def look_twice() -> bool:
    """Look as the timer does: changed data is compared once it stays the same."""
    bpy.context.view_layer.update()
    first = look(bpy.context.scene)
    return look(bpy.context.scene) or first


def test_after_a_bake_nothing_has_changed() -> None:
    rig = reaching()
    assert known_change(rig) is None
    assert look_twice()
    assert known_change(rig) == NOTHING
    assert not look_twice()
    assert not bpy.ops.bioik.rebake.poll()
    with pytest.raises(RuntimeError, match="Nothing has changed since the last bake"):
        bpy.ops.bioik.rebake()


@pytest.mark.parametrize(
    "change", [goal_added, influence_keyed, weight_changed, solver_changed, source_edited]
)
def test_changed_frames_are_known(change: Any) -> None:
    rig = reaching()
    look_twice()
    frames = change(rig)
    rig.bioik.baked.source.update_tag()
    assert look_twice()
    assert known_change(rig) == Change(*frames)
    assert rebaking_text(rig) == f"Re-Bake {frames[0]} - {frames[1]}"
    assert bpy.ops.bioik.rebake.poll()


def test_a_moved_target_is_seen_and_baked_again() -> None:
    rig = reaching("IN_PLACE")
    look_twice()
    move_target()
    bpy.data.objects["Target"].animation_data.action.update_tag()
    look_twice()
    assert known_change(rig) == Change(22, 40)
    rebake(bpy.context.scene, rig)
    look_twice()
    assert known_change(rig) == NOTHING


def test_nothing_is_compared_while_it_is_being_dragged() -> None:
    rig = reaching()
    look_twice()
    for weight in (2.0, 3.0):
        rig.bioik.goals[0].weight = weight
        look(bpy.context.scene)
        assert known_change(rig) is None
    look(bpy.context.scene)
    assert known_change(rig) is not None


def test_looking_changes_nothing() -> None:
    rig = reaching()
    rig.pose.bones["head"].scale = (1.1, 1.0, 1.0)  # not keyed
    before = file_data()
    look_twice()
    assert known_change(rig) == NOTHING
    assert differences(before, file_data()) == []


def driven(rig: bpy.types.Object) -> bpy.types.Object:
    rig.pose.bones["head"].driver_add("location", 0).driver.expression = "frame * 0.01"
    return rig


def driven_target(rig: bpy.types.Object) -> bpy.types.Object:
    target = bpy.data.objects["Target"]
    target.driver_add("rotation_euler", 0).driver.expression = "frame * 0.01"
    return rig


@pytest.mark.parametrize("spoil", [driven, driven_target])
def test_what_only_the_scene_tells_is_not_known(spoil: Any) -> None:
    rig = spoil(reaching())
    look_twice()
    assert known_change(rig) is None
    assert rebaking_text(rig) == "Re-Bake Changed Frames"
    assert bpy.ops.bioik.rebake.poll()


def test_contacts_are_watched_and_ground_is_not_known() -> None:
    rig = placed()
    look_twice()
    assert known_change(rig) is None
    assert bpy.ops.bioik.rebake.poll()
    contact = last_contact(rig)
    contact.slides = True
    look_twice()
    assert known_change(rig) == Change(contact.frame_start, contact.frame_end)
    rig.bioik.feet.grounds[0].object.location.z += 0.1
    look_twice()
    assert known_change(rig) is None


def test_another_file_is_not_known() -> None:
    reaching()
    look_twice()
    new_file()
    assert change_watch._State.changes == {}
