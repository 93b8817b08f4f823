"""Rigs that Blender generates and imports.

Tests of: read.
"""

from __future__ import annotations

import functools
from pathlib import Path

import bpy
import pytest

from blender_bioik.rig.errors import RigError
from blender_bioik.rig.mapping import BoneTable, Mapping, detect, detect_all
from blender_bioik.rig.mapping.read import read_bones

from ...builders.files import new_file
from ...builders.rigify import add_metarig, generate, generated_human

SHARED = Path(__file__).parents[4] / "shared"
CLIPS = ("02_01", "03_01", "09_01", "16_17", "35_01", "83_27")
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="../shared with its data is not here")


def scrambled(table: BoneTable) -> BoneTable:
    names = [f"b{i}" for i in range(len(table))]
    return BoneTable.build(names, list(table.parent), table.heads, table.tails)


def unscrambled(mapping: Mapping, table: BoneTable) -> dict[str, str]:
    return {slot: table.names[int(bone[1:])] for slot, bone in mapping.slots.items()}


@functools.cache
def rigify(kind: str, *, generated: bool) -> BoneTable:
    new_file()
    metarig = add_metarig(kind)
    table = read_bones(generate(metarig) if generated else metarig)
    bpy.ops.preferences.addon_disable(module="rigify")
    return table


@needs_shared
@pytest.mark.parametrize("clip", CLIPS)
def test_cmu_clips(clip: str) -> None:
    bpy.ops.import_anim.bvh(filepath=str(SHARED / "data/mocap" / f"{clip}.bvh"))
    table = read_bones(bpy.context.object)
    mapping = detect(table)
    assert mapping.family == "cmu_bvh"
    assert mapping.missing == ()
    assert mapping.slots["thigh.L"] == "LeftUpLeg"
    assert mapping.spine == ("LowerBack", "Spine", "Spine1")
    by_structure = detect(scrambled(table))
    assert by_structure.family == "structure"
    assert unscrambled(by_structure, table) == dict(mapping.slots)


@needs_shared
def test_robot_stands_along_minus_y_and_has_feet_of_its_own() -> None:
    bpy.ops.import_scene.gltf(filepath=str(SHARED / "data/characters/RobotExpressive.glb"))
    table = read_bones(bpy.data.objects["RobotArmature"])
    mapping = detect(table)
    assert mapping.family == "quaternius"
    for side in "LR":
        leg = next(leg for leg in mapping.legs if leg.name == f"leg.{side}")
        assert leg.bones == (f"UpperLeg.{side}", f"LowerLeg.{side}", f"Foot.{side}")
        assert leg.foot == f"Foot.{side}"
        assert mapping.slots[f"upper_arm.{side}"] == f"UpperArm.{side}"
        assert mapping.slots[f"forearm.{side}"] == f"LowerArm.{side}"
    assert mapping.slots["pelvis"] == "Body"
    assert mapping.spine == ("Hips", "Abdomen", "Torso")
    assert mapping.slots["head"] == "Head"
    assert any('"Foot.L" is not a child of "LowerLeg.L"' in note for note in mapping.notes)
    # Its palms hang on the forearms: there is no hand.
    assert set(mapping.missing) == {"toe.L", "toe.R", "hand.L", "hand.R"}

    by_structure = detect(scrambled(table))
    found = unscrambled(by_structure, table)
    assert (found["pelvis"], found["head"]) == ("Body", "Head")
    for part in ("thigh", "shin", "foot"):
        # Its feet point to +Y where its left is at +X: without names, sides are what feet say.
        assert (found[f"{part}.L"], found[f"{part}.R"]) == tuple(
            mapping.slots[f"{part}.{side}"] for side in "RL"
        )
    assert any("up axis is -Y" in note for note in by_structure.notes)


@pytest.mark.parametrize("kind", ["human", "basic_human"])
def test_rigify_metarig(kind: str) -> None:
    table = rigify(kind, generated=False)
    mapping = detect(table)
    assert mapping.family == "rigify_metarig"
    assert mapping.missing == ()
    assert mapping.slots["pelvis"] == "spine"
    assert mapping.slots["head"] == "spine.006"
    assert mapping.spine == ("spine.001", "spine.002", "spine.003")
    by_structure = detect(scrambled(table))
    assert unscrambled(by_structure, table) == dict(mapping.slots)


def test_generated_rigify_rig_gives_the_controls_animators_key(rigify_file: Path) -> None:
    table = read_bones(generated_human(rigify_file))
    controls, *others = detect_all(table)
    assert controls.family == "rigify_fk"
    assert controls.missing == ()
    assert controls.slots["pelvis"] == "torso"
    assert controls.spine == ("spine_fk.002", "spine_fk.003")
    assert controls.neck == ("neck",)
    for side in "LR":
        for part in ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand"):
            assert controls.slots[f"{part}.{side}"] == f"{part}_fk.{side}"
        assert controls.slots[f"shoulder.{side}"] == f"shoulder.{side}"
        for part in ("thigh", "upper_arm"):
            bone = f"{part}_parent.{side}"
            assert any(bone in note and "IK_FK" in note for note in controls.notes)

    deform = next(mapping for mapping in others if mapping.family == "rigify_deform")
    assert deform.missing == ()
    assert deform.slots["pelvis"] == "DEF-spine"
    assert deform.slots["shin.R"] == "DEF-shin.R"
    assert deform.spine == ("DEF-spine.001", "DEF-spine.002", "DEF-spine.003")
    assert any("no effect" in note for note in deform.notes)


ANIMALS = {
    "basic_quadruped": ("spine.005", "spine.008", "spine.011", "toe", "front_toe"),
    "wolf": ("spine.005", "spine.008", "spine.011", "toe", "front_toe"),
    "horse": ("spine.002", "spine.005", "head", "r_toe", "f_toe"),
}


@pytest.mark.parametrize("kind", ANIMALS)
def test_rigify_animals_by_structure(kind: str) -> None:
    table = rigify(kind, generated=False)
    pelvis, chest, head, hind_foot, front_foot = ANIMALS[kind]
    mapping = detect(table)
    assert mapping.family == "structure"
    assert (mapping.slots["pelvis"], mapping.chest, mapping.slots["head"]) == (pelvis, chest, head)
    feet = {leg.name: leg.foot for leg in mapping.legs}
    assert feet == {
        f"{leg}.{side}": f"{foot}.{side}"
        for leg, foot in (("front", front_foot), ("hind", hind_foot))
        for side in "LR"
    }
    assert mapping.slots["thigh.L"] == "thigh.L"
    assert unscrambled(detect(scrambled(table)), table) == dict(mapping.slots)


def test_rigify_cat_is_named_like_a_human_but_stands_on_four_legs() -> None:
    mapping = detect(rigify("cat", generated=False))
    assert mapping.slots["upper_arm.L"] == "upper_arm.L"
    assert [leg.name for leg in mapping.legs] == ["front.L", "front.R", "hind.L", "hind.R"]
    assert mapping.legs[0].bones[:4] == ("shoulder.L", "upper_arm.L", "forearm.L", "hand.L")


def test_rigify_bird() -> None:
    table = rigify("bird", generated=False)
    mapping = detect(scrambled(table))
    legs = [tuple(table.names[int(bone[1:])] for bone in leg.bones) for leg in mapping.legs]
    assert legs == [
        tuple(f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe")) for side in "LR"
    ]
    assert unscrambled(mapping, table)["head"] == "head"


@pytest.mark.parametrize(
    ("kind", "hind", "front"),
    [
        ("wolf", ("thigh", "shin", "foot"), ("front_thigh", "front_shin", "front_foot")),
        ("horse", ("thigh", "lower_leg", "hind_foot"), ("upper_arm", "forearm", "forefoot")),
        ("cat", ("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand")),
    ],
)
def test_generated_animals_give_fk_controls_of_four_legs(
    kind: str, hind: tuple[str, ...], front: tuple[str, ...]
) -> None:
    mapping = detect(rigify(kind, generated=True))
    assert mapping.family == "rigify_fk"
    legs = {leg.name: leg for leg in mapping.legs}
    assert list(legs) == ["front.L", "front.R", "hind.L", "hind.R"]
    for side in "LR":
        assert legs[f"hind.{side}"].bones[:3] == tuple(f"{part}_fk.{side}" for part in hind)
        assert legs[f"front.{side}"].bones[-3:] == tuple(f"{part}_fk.{side}" for part in front)


def test_read_bones_refuses_objects_that_are_no_armatures() -> None:
    lamp = bpy.data.objects.new("Lamp", None)
    with pytest.raises(RigError, match="'Lamp' is not an armature"):
        read_bones(lamp)
    with pytest.raises(RigError, match='"Empty" has no bones'):
        read_bones(bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty")))


def test_read_bones_in_armature_space() -> None:
    bpy.ops.object.armature_add(location=(5, 0, 0))
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    child = rig.data.edit_bones.new("child")
    child.parent = rig.data.edit_bones["Bone"]
    child.head, child.tail = (0, 1, 2), (0, 1, 3)
    bpy.ops.object.mode_set(mode="OBJECT")
    table = read_bones(rig)
    assert table.names == ("Bone", "child")
    assert list(table.parent) == [-1, 0]
    assert table.heads.tolist() == [[0, 0, 0], [0, 1, 2]]
    assert table.tails.tolist() == [[0, 0, 1], [0, 1, 3]]
