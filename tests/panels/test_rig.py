"""The panels about the rig.

Tests of: rig.body_parts, rig.rig, rig.rig_types, ui_state.shown_mapping.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import bpy
import pytest

from blender_bioik.panels.rig.body_parts import BIOIK_PT_body_parts
from blender_bioik.panels.rig.rig import BIOIK_PT_rig, BIOIK_PT_unsupported, BIOIK_UL_unsupported
from blender_bioik.panels.rig.rig_types import RIG_TYPES
from blender_bioik.rig.mapping.families import FAMILIES
from blender_bioik.ui_state.shown_mapping import shown_mapping

from ..builders.layouts import drawn, drawn_item
from ..builders.libraries import link_object, save_as_library
from ..builders.rigs import add_armature, humanoid


@pytest.fixture
def rig() -> bpy.types.Object:
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    return made


def test_every_rig_type_has_a_name_to_show() -> None:
    assert set(RIG_TYPES) == {*(family.name for family in FAMILIES), "structure"}


def test_the_active_armature_can_be_pinned(rig: bpy.types.Object) -> None:
    shown = drawn(BIOIK_PT_rig)
    assert shown.labels() == ["Rig", "Type", "Custom Names", "Body Parts", "13 of 20"]
    assert shown.operators() == ["bioik.pick_armature"]
    bpy.ops.bioik.pick_armature()
    shown = drawn(BIOIK_PT_rig)
    assert (shown.properties(), shown.operators()) == (["armature"], [])


def test_another_active_armature_can_be_switched_to(rig: bpy.types.Object) -> None:
    bpy.ops.bioik.pick_armature()
    humanoid("Other")
    (button,) = drawn(BIOIK_PT_rig).named("operator")
    assert (button["operator"], button["text"]) == ("bioik.pick_armature", "Switch to Other")


def test_without_an_armature_one_can_be_picked() -> None:
    assert drawn(BIOIK_PT_rig).properties() == ["armature"]


def test_an_armature_without_bones_has_no_parts() -> None:
    add_armature("Empty")
    assert drawn(BIOIK_PT_rig).labels() == ["Empty"]
    assert not BIOIK_PT_body_parts.poll(bpy.context)


def test_parts_show_the_bones_detected_and_a_pen(rig: bpy.types.Object) -> None:
    shown = drawn(BIOIK_PT_body_parts)
    labels = shown.labels()
    assert labels[labels.index("Thigh.L") + 1] == "thigh.L"
    assert labels[labels.index("Toe.L") + 1] == "None"
    assert shown.operators().count("bioik.choose_part") == 21
    assert shown.properties() == []


def test_a_chosen_part_has_a_search_field_and_shows_the_detected_bone(
    rig: bpy.types.Object,
) -> None:
    bpy.ops.bioik.choose_part(slot="thigh.L")
    rig.bioik.slots["thigh.L"].bone = "shin.L"
    shown = drawn(BIOIK_PT_body_parts)
    (search,) = shown.named("prop_search")
    assert search["search_data"] == rig.data
    labels = shown.labels()
    assert labels[labels.index("Detected") + 1] == "thigh.L"
    assert shown.operators().count("bioik.choose_part") == 20
    assert not shown.is_red("bone")
    rig.bioik.slots["thigh.L"].bone = "nobody"
    assert drawn(BIOIK_PT_body_parts).is_red("bone")


def test_an_impossible_choice_is_reported(rig: bpy.types.Object) -> None:
    rig.bioik.slots.add().name = "head"
    rig.bioik.slots["head"].bone = "nobody"
    assert any('"nobody"' in label for label in drawn(BIOIK_PT_rig).labels())


def test_a_choice_for_another_shape_of_rig_can_be_cleared(rig: bpy.types.Object) -> None:
    rig.bioik.slots.add().name = "front.L"
    shown = drawn(BIOIK_PT_body_parts)
    assert "front.L" in shown.labels()
    assert "bioik.clear_part" in shown.operators()


def test_unsupported_constraints_are_shown_after_a_check(rig: bpy.types.Object) -> None:
    assert drawn(BIOIK_PT_unsupported).labels() == []
    bpy.ops.bioik.check_rig()
    assert drawn(BIOIK_PT_unsupported).labels() == ["All constraints and limits are supported"]
    rig.pose.bones["head"].constraints.new("TRANSFORM")
    assert drawn(BIOIK_PT_unsupported).labels() == []
    bpy.ops.bioik.check_rig()
    check = bpy.context.window_manager.bioik_rig_check
    assert check.unsupported[0].reason == "there is no goal type for Transformation"
    assert drawn(BIOIK_PT_unsupported).labels() == ["There is no goal type for Transformation"]
    item = drawn_item(BIOIK_UL_unsupported, check, check.unsupported[0])
    assert item.labels() == ["head", "Transformation"]


def test_parts_follow_changes_of_the_skeleton(rig: bpy.types.Object) -> None:
    assert "thigh.L" in drawn(BIOIK_PT_body_parts).labels()
    rig.data.bones["thigh.L"].name = "upperleg.L"
    bpy.context.view_layer.update()
    labels = drawn(BIOIK_PT_body_parts).labels()
    assert labels[labels.index("Thigh.L") + 1] == "upperleg.L"
    bpy.ops.object.mode_set(mode="EDIT")
    edited = rig.data.edit_bones
    toe = edited.new("toe.L")
    toe.parent = edited["foot.L"]
    toe.head, toe.tail = edited["foot.L"].tail, edited["foot.L"].tail * 1.2
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    labels = drawn(BIOIK_PT_body_parts).labels()
    assert labels[labels.index("Toe.L") + 1] == "toe.L"


def thigh() -> str:
    """The bone that the panel shows as the left thigh."""
    labels = drawn(BIOIK_PT_body_parts).labels()
    return labels[labels.index("Thigh.L") + 1]


def test_parts_follow_undo_and_redo(rig: bpy.types.Object) -> None:
    name = rig.name
    bpy.ops.ed.undo_push(message="before")
    assert thigh() == "thigh.L"
    bpy.data.objects[name].data.bones["thigh.L"].name = "upperleg.L"
    bpy.ops.ed.undo_push(message="renamed")
    bpy.context.view_layer.update()
    assert thigh() == "upperleg.L"
    bpy.ops.ed.undo()
    assert thigh() == "thigh.L"
    bpy.ops.ed.redo()
    assert thigh() == "upperleg.L"


def test_parts_follow_joined_armatures(rig: bpy.types.Object) -> None:
    other = add_armature("Tail")
    bpy.ops.object.mode_set(mode="EDIT")
    bone = other.data.edit_bones.new("tail")
    bone.head, bone.tail = (0.0, 0.3, 1.0), (0.0, 0.6, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = rig
    assert "tail" not in shown_mapping(rig).bone_names
    for joined in (rig, other):
        joined.select_set(True)
    bpy.ops.object.join()
    assert "tail" in shown_mapping(rig).bone_names


def test_parts_of_hidden_armatures_follow_their_bones(rig: bpy.types.Object) -> None:
    rig.hide_viewport = True
    bpy.context.view_layer.update()
    assert thigh() == "thigh.L"
    rig.data.bones["thigh.L"].name = "upperleg.L"
    bpy.context.view_layer.update()
    assert thigh() == "upperleg.L"


def test_parts_follow_another_skeleton_of_the_same_object(rig: bpy.types.Object) -> None:
    other = humanoid("Other")
    other.data.bones["thigh.L"].name = "upperleg.L"
    bpy.context.view_layer.objects.active = rig
    assert thigh() == "thigh.L"
    rig.data = other.data
    assert thigh() == "upperleg.L"


def test_the_summary_follows_choices_and_bones(rig: bpy.types.Object) -> None:
    assert "13 of 20" in drawn(BIOIK_PT_rig).labels()
    chosen = rig.bioik.slots.add()
    chosen.name = "head"
    assert "12 of 20" in drawn(BIOIK_PT_rig).labels()
    chosen.bone = "head"
    assert "13 of 20" in drawn(BIOIK_PT_rig).labels()
    rig.data.bones["head"].name = "top"
    bpy.context.view_layer.update()
    assert any('"head"' in label for label in drawn(BIOIK_PT_rig).labels())


def test_parts_follow_a_library_that_is_reloaded(rig: bpy.types.Object, tmp_path: Path) -> None:
    library, name = tmp_path / "library.blend", rig.name
    bpy.ops.wm.save_as_mainfile(filepath=str(library), copy=True)
    # The same file, saved by another user in the meantime.
    rig.data.bones["thigh.L"].name = "upperleg.L"
    saved = save_as_library(tmp_path / "saved.blend")
    link_object(library, name)
    assert thigh() == "thigh.L"
    shutil.copy(saved, library)
    bpy.data.libraries[0].reload()
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    assert thigh() == "upperleg.L"
