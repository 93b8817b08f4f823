"""The list of body parts, and the cache of recognised skeletons.

Tests of: body_slots, remembered.
"""

from __future__ import annotations

import bpy

from blender_bioik.body_slots import LIST_SLOTS, SLOTS
from blender_bioik.rig.mapping import remembered
from blender_bioik.rig.mapping.detect import detect
from blender_bioik.rig.mapping.mapping import Leg, Mapping
from blender_bioik.rig.mapping.parts import body_parts, found_parts
from blender_bioik.rig.mapping.read import read_bones
from blender_bioik.rig.mapping.remembered import detected_mapping

from ...builders.rigs import humanoid


def test_parts_of_two_legged_ones_are_the_slots() -> None:
    mapping = detected_mapping(humanoid())
    parts = body_parts(mapping)
    assert {part.slot for part in parts} == {*SLOTS, *LIST_SLOTS}
    assert len(parts) == len(SLOTS) + len(LIST_SLOTS)
    for part in parts:
        assert part.several is (part.slot in LIST_SLOTS)
        if not part.several:
            assert part.bones == tuple(filter(None, [mapping.slots.get(part.slot)]))
    empty = len(mapping.missing)
    assert found_parts(mapping) == (len(parts) - 1 - empty, len(parts) - 1)  # without a tail


def test_a_body_without_parts_can_be_given_all_of_them() -> None:
    mapping = Mapping("structure", 0.0, {})
    assert {part.slot for part in body_parts(mapping)} == {*SLOTS, *LIST_SLOTS}
    assert found_parts(mapping)[0] == 0


def test_legs_that_are_no_slots_are_chains_with_a_toe() -> None:
    names = ("a", "b", "c", "t", "u", "v")
    legs = (Leg("front.L", ("a", "b", "c"), "b", "c"), Leg("hind.L", ("t", "u"), "u"))
    mapping = Mapping("x", 1.0, {"thigh.L": "t", "foot.L": "u"}, legs=legs, bone_names=names)
    parts = {part.slot: part for part in body_parts(mapping)}
    assert parts["front.L"].bones == ("a", "b")
    assert parts["front.L"].several
    assert parts["front.L.toe"].bones == ("c",)
    assert {parts[slot].limb for slot in ("front.L", "front.L.toe")} == {"front.L"}
    assert "hind.L" not in parts
    assert "thigh.R" not in parts
    # Every part can be chosen under its name.
    for part in parts.values():
        chosen = mapping.with_overrides({part.slot: part.bones})
        assert body_parts(chosen) == body_parts(mapping), part.slot


def test_labels_are_words() -> None:
    labels = [part.label for part in body_parts(Mapping("structure", 0.0, {}))]
    assert labels[:2] == ["Pelvis", "Spine"]
    assert "Upper Arm.L" in labels


def test_a_skeleton_is_looked_at_once_and_again_when_it_changes() -> None:
    rig = humanoid()
    first = detected_mapping(rig)
    assert first == detect(read_bones(rig))
    assert detected_mapping(rig) is first
    rig.data.bones["foot.L"].name = "hoof"
    renamed = detected_mapping(rig)
    assert renamed is not first
    assert "hoof" in renamed.bone_names
    rig.data.bones["hoof"].name = "foot.L"
    assert detected_mapping(rig) is first
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["head"].tail.z += 0.5
    bpy.ops.object.mode_set(mode="OBJECT")
    assert detected_mapping(rig) is not first


def test_few_skeletons_are_remembered() -> None:
    rig = humanoid()
    for number in range(20):
        rig.data.bones[0].name = f"root{number}"
        detected_mapping(rig)
    assert len(remembered._known) <= 8
