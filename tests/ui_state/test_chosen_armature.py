"""The chosen armature, with several armatures, other objects selected, and linked files.

Tests of: scene_armatures, operators.pick_armature.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from blender_bioik.ui_state.chosen_armature import armature_problem, chosen_armature

from ..builders.libraries import link_object, save_as_library
from ..builders.rigs import humanoid


def add_object(name: str, data: bpy.types.ID | None = None) -> bpy.types.Object:
    """An object in the scene, active."""
    added = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(added)
    bpy.context.view_layer.objects.active = added
    return added


def activate(active: bpy.types.Object | None) -> None:
    bpy.context.view_layer.objects.active = active


def test_the_active_armature_is_meant() -> None:
    for rig in (humanoid("A"), humanoid("B")):
        activate(rig)
        assert chosen_armature(bpy.context) == rig


def test_a_picked_armature_stays_chosen_when_another_object_is_active() -> None:
    picked, other = humanoid("A"), humanoid("B")
    activate(picked)
    assert bpy.ops.bioik.pick_armature() == {"FINISHED"}
    for active in (other, add_object("Lamp"), None):
        activate(active)
        assert chosen_armature(bpy.context) == picked
    activate(other)
    bpy.ops.object.mode_set(mode="POSE")
    assert chosen_armature(bpy.context) == picked
    bpy.ops.bioik.pick_armature()
    assert chosen_armature(bpy.context) == other
    bpy.context.scene.bioik.armature = None
    activate(picked)
    assert chosen_armature(bpy.context) == picked


def test_a_hidden_armature_can_be_picked_and_a_deleted_one_is_no_more() -> None:
    picked, other = humanoid("A"), humanoid("B")
    bpy.context.scene.bioik.armature = picked
    picked.hide_set(True)
    assert chosen_armature(bpy.context) == picked
    for collection in picked.users_collection:
        collection.objects.unlink(picked)
    activate(other)
    assert chosen_armature(bpy.context) == other


def test_only_armatures_can_be_picked() -> None:
    add_object("Lamp")
    assert not bpy.ops.bioik.pick_armature.poll()
    bpy.context.scene.bioik.armature = bpy.data.objects["Lamp"]
    assert chosen_armature(bpy.context) is None


def test_who_selects_a_target_or_the_ground_keeps_its_armature() -> None:
    rigs = [humanoid("A"), humanoid("B")]
    lamp, hill = add_object("Lamp"), add_object("Hill", bpy.data.meshes.new("Hill"))
    assert chosen_armature(bpy.context) is None
    rigs[1].bioik.goals.add().target = lamp
    rigs[0].bioik.feet.grounds.add().object = hill
    activate(lamp)
    assert chosen_armature(bpy.context) == rigs[1]
    activate(hill)
    assert chosen_armature(bpy.context) == rigs[0]


def test_the_only_armature_is_chosen_by_default() -> None:
    add_object("Lamp")
    assert chosen_armature(bpy.context) is None
    rig = humanoid("A")
    activate(bpy.data.objects["Lamp"])
    assert chosen_armature(bpy.context) == rig
    activate(None)
    assert chosen_armature(bpy.context) == rig
    rig.name = "Renamed"
    assert chosen_armature(bpy.context) == rig
    humanoid("B")
    activate(None)
    assert chosen_armature(bpy.context) is None
    bpy.data.objects.remove(rig)
    assert chosen_armature(bpy.context) == bpy.data.objects["B"]
    other = bpy.data.objects.new("C", bpy.data.objects["B"].data)
    bpy.data.objects.remove(bpy.data.objects["B"])
    bpy.context.scene.collection.objects.link(other)
    assert chosen_armature(bpy.context) == other


def test_armatures_of_other_scenes_are_not_meant() -> None:
    rig = humanoid("A")
    bpy.context.scene.collection.objects.unlink(rig)
    bpy.data.scenes.new("Other").collection.objects.link(rig)
    assert chosen_armature(bpy.context) is None


@pytest.fixture
def linked(tmp_path: Path) -> bpy.types.Object:
    """A linked armature, active."""
    humanoid("Person")
    return link_object(save_as_library(tmp_path / "library.blend"), "Person")


def test_a_linked_armature_is_shown_and_its_buttons_say_how_to_edit_it(
    linked: bpy.types.Object,
) -> None:
    activate(None)
    assert chosen_armature(bpy.context) == linked
    activate(linked)
    assert "make a Library Override" in armature_problem(bpy.context)
    with pytest.raises(RuntimeError, match="make a Library Override"):
        bpy.ops.bioik.add_goal(type="BALANCE")
    override = linked.override_create(remap_local_usages=True)
    activate(override)
    override.override_library.is_system_override = False
    assert armature_problem(bpy.context) == ""


def test_an_override_that_is_not_editable_is_reported(linked: bpy.types.Object) -> None:
    override = linked.override_create(remap_local_usages=True)
    activate(override)
    override.override_library.is_system_override = True
    assert "not editable" in armature_problem(bpy.context)
    assert not bpy.ops.bioik.add_goal.poll()
