"""The object that is selected together with an armature."""

from __future__ import annotations

import bpy

from blender_bioik.ui_state.selected_target import selected_target

from ..builders.rigs import humanoid


def add(name: str) -> bpy.types.Object:
    made = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    bpy.context.scene.collection.objects.link(made)
    made.select_set(True)
    return made


def test_one_other_object_is_the_target() -> None:
    rig = humanoid()
    assert selected_target(bpy.context, rig) is None
    target = add("Target")
    assert selected_target(bpy.context, rig) == target


def test_with_two_selected_objects_there_is_no_target() -> None:
    rig = humanoid()
    add("First")
    add("Second")
    assert selected_target(bpy.context, rig) is None


def test_the_armatures_own_skin_is_not_a_ground() -> None:
    rig = humanoid()
    skin, target = add("Skin"), add("Target")
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    assert selected_target(bpy.context, rig) == target
