"""The panels about the rig."""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.panels.body_parts import BIOIK_PT_body_parts
from blender_bioik.panels.rig import BIOIK_PT_left_out, BIOIK_PT_rig, BIOIK_UL_left_out
from blender_bioik.panels.rig_types import RIG_TYPES
from blender_bioik.rig.mapping.families import FAMILIES

from ..rig.rigs import add_armature, humanoid
from .layouts import drawn, drawn_item


@pytest.fixture
def rig() -> bpy.types.Object:
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    return made


def test_every_rig_type_has_a_name_to_show() -> None:
    assert set(RIG_TYPES) == {*(family.name for family in FAMILIES), "structure"}


def test_the_active_armature_can_be_pinned(rig: bpy.types.Object) -> None:
    shown = drawn(BIOIK_PT_rig)
    assert shown.labels() == ["Rig", "Type", "Named by Hand", "Body Parts", "13 of 20"]
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
    assert shown.operators().count("bioik.choose_part") == 20
    assert shown.properties() == []


def test_a_chosen_part_has_a_search_and_still_tells_what_is_detected(
    rig: bpy.types.Object,
) -> None:
    bpy.ops.bioik.choose_part(slot="thigh.L")
    rig.bioik.slots["thigh.L"].bone = "shin.L"
    shown = drawn(BIOIK_PT_body_parts)
    (search,) = shown.named("prop_search")
    assert search["search_data"] == rig.data
    assert "Detected: thigh.L" in shown.labels()
    assert shown.operators().count("bioik.choose_part") == 19
    assert not shown.is_red("bone")
    rig.bioik.slots["thigh.L"].bone = "nobody"
    assert drawn(BIOIK_PT_body_parts).is_red("bone")


def test_a_choice_that_cannot_be_is_told(rig: bpy.types.Object) -> None:
    rig.bioik.slots.add().name = "head"
    rig.bioik.slots["head"].bone = "nobody"
    assert any("'nobody'" in label for label in drawn(BIOIK_PT_rig).labels())


def test_a_choice_for_another_shape_of_rig_can_be_cleared(rig: bpy.types.Object) -> None:
    rig.bioik.slots.add().name = "front.L"
    shown = drawn(BIOIK_PT_body_parts)
    assert "front.L" in shown.labels()
    assert "bioik.clear_part" in shown.operators()


def test_what_is_not_represented_is_shown_after_a_check(rig: bpy.types.Object) -> None:
    assert drawn(BIOIK_PT_left_out).labels() == []
    bpy.ops.bioik.check_rig()
    assert drawn(BIOIK_PT_left_out).labels() == ["All constraints and limits are kept to"]
    rig.pose.bones["head"].constraints.new("TRANSFORM")
    assert drawn(BIOIK_PT_left_out).labels() == []
    bpy.ops.bioik.check_rig()
    check = bpy.context.window_manager.bioik_rig_check
    assert drawn(BIOIK_PT_left_out).labels() == [check.left_out[0].reason]
    item = drawn_item(BIOIK_UL_left_out, check, check.left_out[0])
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
