"""Bones found by the structure of the skeleton, without help from names.

Tests of: limbs, symmetry, trunk.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from blender_bioik.rig.mapping import BoneTable, Mapping, detect

from ...builders.mapping.creatures import Creature, bird, dog, spider
from ...builders.mapping.skeletons import SKELETONS, Skeleton

# 3ds Max hangs the legs on the spine and the arms on the neck: nothing but names tells which of
# those bones is the pelvis.
STRUCTURED = sorted(set(SKELETONS) - {"3ds_max_biped"})

Z_UP = np.eye(3)
Y_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # faces +Z, as glTF does
MINUS_Y_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
FACING_X = np.array([[0, -1.0, 0], [1, 0, 0], [0, 0, 1]])
FACING_PLUS_Y = np.diag([-1.0, -1.0, 1.0])
STANCES = {
    "Z up": Z_UP,
    "Y up": Y_UP,
    "-Y up": MINUS_Y_UP,
    "facing X": FACING_X,
    "facing +Y": FACING_PLUS_Y,
}


def scrambled(skeleton: Skeleton) -> tuple[BoneTable, dict[str, str]]:
    names = [f"b{i}" for i in range(len(skeleton.names))]
    return skeleton.table(names), dict(zip(names, skeleton.names, strict=True))


def moved(
    table: BoneTable, rotation: np.ndarray, scale: float = 1.0, shift: float = 0.0
) -> BoneTable:
    heads, tails = (scale * p @ rotation.T + shift for p in (table.heads, table.tails))
    return BoneTable.build(table.names, list(table.parent), heads, tails)


def assert_found(mapping: Mapping, skeleton: Skeleton, back: dict[str, str]) -> None:
    assert mapping.family == "structure"
    assert {slot: back[bone] for slot, bone in mapping.slots.items()} == skeleton.slots
    assert tuple(back[bone] for bone in mapping.spine) == skeleton.chain("spine")
    assert tuple(back[bone] for bone in mapping.neck) == skeleton.chain("neck")
    assert 0.5 < mapping.confidence < 0.9


@pytest.mark.parametrize("key", STRUCTURED)
def test_scrambled_names_give_the_slots_that_names_would(key: str) -> None:
    table, back = scrambled(SKELETONS[key])
    assert_found(detect(table), SKELETONS[key], back)


@pytest.mark.parametrize("stance", STANCES)
@pytest.mark.parametrize("key", ["mixamo", "unreal", "makehuman", "daz_genesis_8"])
def test_any_axis_may_be_up_or_ahead(key: str, stance: str) -> None:
    table, back = scrambled(SKELETONS[key])
    assert_found(detect(moved(table, STANCES[stance])), SKELETONS[key], back)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 100.0])
def test_size_and_place_do_not_matter(scale: float) -> None:
    table, back = scrambled(SKELETONS["vroid"])
    moved_table = moved(table, Z_UP, scale, shift=3.0 * scale)
    assert_found(detect(moved_table), SKELETONS["vroid"], back)


_COUNT = len(SKELETONS["bvh/lafan"].names)


@given(noise=arrays(np.float64, (_COUNT, 3), elements=st.floats(-0.01, 0.01)))
def test_uneven_sides_of_captured_skeletons(noise: np.ndarray) -> None:
    table, back = scrambled(SKELETONS["bvh/lafan"])
    noisy = BoneTable.build(
        table.names, list(table.parent), table.heads + noise, table.tails + noise
    )
    mapping = detect(noisy)
    found = {slot: back[bone] for slot, bone in mapping.slots.items()}
    expected = SKELETONS["bvh/lafan"].slots
    for side in "LR":
        for part in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand"):
            assert found[f"{part}.{side}"] == expected[f"{part}.{side}"]


def real_legs(creature: Creature, mapping: Mapping) -> dict[str, tuple[str | None, ...]]:
    return {leg.name: tuple(creature.real(bone) for bone in leg.bones) for leg in mapping.legs}


def real_slots(creature: Creature, mapping: Mapping) -> dict[str, str | None]:
    return {slot: creature.real(bone) for slot, bone in mapping.slots.items()}


@pytest.mark.parametrize("stance", STANCES)
def test_dog(stance: str) -> None:
    creature = dog()
    mapping = detect(creature.table(STANCES[stance]))
    legs = real_legs(creature, mapping)
    assert list(legs) == ["front.L", "front.R", "hind.L", "hind.R"]
    for side in "LR":
        hind = tuple(f"{part}.{side}" for part in ("thigh", "shin", "hock", "paw"))
        front = tuple(f"{part}.{side}" for part in ("scapula", "humerus", "radius", "front_paw"))
        assert legs[f"hind.{side}"] == hind
        assert legs[f"front.{side}"] == front
    feet = {leg.name: creature.real(leg.foot) for leg in mapping.legs}
    assert feet["hind.R"] == "paw.R"
    assert feet["front.L"] == "front_paw.L"
    slots = real_slots(creature, mapping)
    assert slots["pelvis"] == "pelvis"
    assert slots["head"] == "head"
    assert (slots["thigh.L"], slots["shin.L"]) == ("thigh.L", "shin.L")
    assert (slots["upper_arm.R"], slots["forearm.R"]) == ("humerus.R", "radius.R")
    assert [creature.real(bone) for bone in mapping.spine] == ["spine1", "spine2"]


def test_bird_has_two_legs_and_its_wings_are_arms() -> None:
    creature = bird()
    mapping = detect(creature.table())
    legs = real_legs(creature, mapping)
    assert list(legs) == ["leg.L", "leg.R"]
    assert legs["leg.L"] == ("thigh.L", "shin.L", "tarsus.L", "toes.L")
    slots = real_slots(creature, mapping)
    assert (slots["thigh.R"], slots["shin.R"], slots["foot.R"]) == ("thigh.R", "shin.R", "toes.R")
    assert slots["upper_arm.L"] == "wing1.L"
    assert slots["head"] == "head"


@pytest.mark.parametrize("pairs", [3, 4])
def test_insects_and_spiders(pairs: int) -> None:
    creature = spider(pairs)
    mapping = detect(creature.table())
    legs = real_legs(creature, mapping)
    expected = {
        f"leg{i + 1}.{side}": tuple(
            f"{part}{i}.{side}" for part in ("coxa", "femur", "tibia", "tarsus")
        )
        for i in range(pairs)
        for side in "LR"
    }
    assert legs == expected
    assert [creature.real(leg.foot) for leg in mapping.legs] == [
        bones[-1] for bones in expected.values()
    ]
    assert real_slots(creature, mapping)["pelvis"] == "body"
    assert mapping.confidence > 0.5


def test_no_more_than_eight_feet() -> None:
    assert len(detect(spider(6).table()).legs) == 8


def test_skirt_is_no_leg() -> None:
    skeleton = SKELETONS["bvh/lafan"]
    table, back = scrambled(skeleton)
    hips = skeleton.names.index("Hips")
    names, parents = list(table.names), list(table.parent)
    heads, tails = list(table.heads), list(table.tails)
    for side in (1, -1):
        parent = hips
        for k, z in enumerate((0.9, 0.5, 0.25)):
            names.append(f"skirt{side}{k}")
            parents.append(parent)
            heads.append(np.array([0.2 * side, 0.05, z]))
            tails.append(np.array([0.22 * side, 0.05, z - 0.15]))
            parent = len(names) - 1
    mapping = detect(BoneTable.build(names, parents, heads, tails))
    found = {slot: back.get(bone) for slot, bone in mapping.slots.items()}
    assert found == skeleton.slots
    assert len(mapping.legs) == 2


def test_a_snake_is_reported_to_have_no_legs() -> None:
    snake = Creature()
    joints = [(0.0, 0.1 * i, 0.05) for i in range(11)]
    snake.chain(None, joints, *(f"s{i}" for i in range(10)))
    mapping = detect(snake.table())
    assert mapping.legs == ()
    assert mapping.confidence < 0.2
    assert any("legs" in note for note in mapping.notes)


def test_one_bone_is_no_body_but_no_error() -> None:
    mapping = detect(BoneTable.build(["prop"], [-1], [[0, 0, 0]], [[0, 0, 1]]))
    assert dict(mapping.slots) == {}
    assert mapping.confidence == 0.0
