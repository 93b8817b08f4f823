"""Choosing parts of the body by hand."""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.rig.mapping.chosen import chosen_bones, rig_mapping

from ...builders.rigs import humanoid


@pytest.fixture
def rig() -> bpy.types.Object:
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    return made


def test_a_choice_starts_from_the_detected_bones(rig: bpy.types.Object) -> None:
    before = rig_mapping(rig)
    assert bpy.ops.bioik.choose_part(slot="thigh.L") == {"FINISHED"}
    assert bpy.ops.bioik.choose_part(slot="spine") == {"FINISHED"}
    assert bpy.ops.bioik.choose_part(slot="toe.L") == {"FINISHED"}
    chosen = {"thigh.L": ["thigh.L"], "spine": list(before.spine), "toe.L": [""]}
    assert chosen_bones(rig) == chosen
    assert rig_mapping(rig).slots == before.slots
    assert bpy.ops.bioik.choose_part(slot="spine") == {"CANCELLED"}
    assert chosen_bones(rig) == chosen


def test_a_choice_changes_the_mapping_until_it_is_cleared(rig: bpy.types.Object) -> None:
    before = rig_mapping(rig)
    bpy.ops.bioik.choose_part(slot="head")
    rig.bioik.slots["head"].bone = ""
    assert "head" not in rig_mapping(rig).slots
    assert bpy.ops.bioik.clear_part(slot="head") == {"FINISHED"}
    assert rig_mapping(rig) == before
    assert bpy.ops.bioik.clear_part(slot="head") == {"CANCELLED"}


def test_bones_are_added_to_a_part_and_taken_out(rig: bpy.types.Object) -> None:
    rig.data.bones.active = rig.data.bones["head"]
    bpy.ops.bioik.choose_part(slot="spine")
    assert bpy.ops.bioik.add_part_bone(slot="spine") == {"FINISHED"}
    assert chosen_bones(rig) == {"spine": ["chest", "head"]}
    assert bpy.ops.bioik.clear_part(slot="spine", index=0) == {"FINISHED"}
    assert chosen_bones(rig) == {"spine": ["head"]}
    rig.data.bones.active = None
    bpy.ops.bioik.add_part_bone(slot="neck")
    assert chosen_bones(rig)["neck"] == [""]


def test_all_choices_are_forgotten_at_once(rig: bpy.types.Object) -> None:
    assert not bpy.ops.bioik.clear_parts.poll()
    for slot in ("head", "spine", "foot.R"):
        bpy.ops.bioik.choose_part(slot=slot)
    assert bpy.ops.bioik.clear_parts() == {"FINISHED"}
    assert not len(rig.bioik.slots)


def test_a_part_that_no_body_has_is_refused(rig: bpy.types.Object) -> None:
    with pytest.raises(RuntimeError, match='no body part "wing"'):
        bpy.ops.bioik.choose_part(slot="wing")
