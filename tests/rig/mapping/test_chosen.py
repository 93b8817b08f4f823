"""Parts of the body that the user has chosen, kept on the armature."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

import zoo
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.legs.read_legs import read_legs
from blender_bioik.rig.mapping.chosen import rig_mapping
from demo import character


@pytest.fixture
def rig() -> bpy.types.Object:
    return character.build(bpy.context.scene.collection)


def choose(rig: bpy.types.Object, slot: str, *bones: str) -> None:
    for bone in bones:
        chosen = rig.bioik.slots.add()
        chosen.name, chosen.bone = slot, bone


def test_without_a_choice_detected_bones_are_used(rig: bpy.types.Object) -> None:
    mapping = rig_mapping(rig)
    assert mapping.slots["thigh.L"] == "thigh.L"
    assert mapping.spine


def test_chosen_bones_are_used(rig: bpy.types.Object) -> None:
    choose(rig, "toe.L", "")
    choose(rig, "spine", "spine", "chest")
    mapping = rig_mapping(rig)
    assert "toe.L" not in mapping.slots
    assert mapping.spine == ("spine", "chest")
    left, right = read_legs(rig).soles
    assert (left.toe, right.toe) == (None, "toe.R")


def test_what_does_not_exist_is_told(rig: bpy.types.Object) -> None:
    choose(rig, "foot.L", "hoof")
    with pytest.raises(RigError, match="hoof"):
        rig_mapping(rig)
    rig.bioik.slots[0].name, rig.bioik.slots[0].bone = "fin", "foot.L"
    with pytest.raises(RigError, match="fin"):
        rig_mapping(rig)


def test_choices_are_saved_with_the_file(rig: bpy.types.Object, tmp_path: Path) -> None:
    choose(rig, "toe.L", "")
    name, path = rig.name, str(tmp_path / "chosen.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert "toe.L" not in rig_mapping(bpy.data.objects[name]).slots


def test_hands_may_be_called_otherwise() -> None:
    built = zoo.build("plain", "walk")
    for side in "LR":
        built.armature.data.bones[f"hand.{side}"].name = f"Fist.{side}"
    slots = rig_mapping(built.armature).slots
    assert (slots["hand.L"], slots["hand.R"]) == ("Fist.L", "Fist.R")
