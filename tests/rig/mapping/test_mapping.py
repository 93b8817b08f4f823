"""The user's overrides, and what tables and mappings refuse."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.rig.errors import RigError
from blender_bioik.rig.mapping import SLOTS, BoneTable, Mapping, detect

from ...builders.mapping.creatures import dog
from ...builders.mapping.skeletons import SKELETONS


@pytest.fixture
def unreal() -> Mapping:
    return detect(SKELETONS["unreal"].table())


def test_override_fills_a_slot_and_leaves_the_rest(unreal: Mapping) -> None:
    changed = unreal.with_overrides({"toe.L": None, "head": "neck_01", "neck": ()})
    assert "toe.L" not in changed.slots
    assert "toe.L" in changed.missing
    assert changed.slots["head"] == "neck_01"
    assert changed.neck == ()
    untouched = set(SLOTS) - {"toe.L", "head"}
    assert {s: changed.slots[s] for s in untouched} == {s: unreal.slots[s] for s in untouched}
    assert unreal.slots["head"] == "head", "the original must not change"


def test_legs_follow_the_slots(unreal: Mapping) -> None:
    changed = unreal.with_overrides({"foot.L": "ball_l", "toe.L": None})
    left, right = changed.legs
    assert left.bones == ("thigh_l", "calf_l", "ball_l")
    assert (left.foot, left.toe) == ("ball_l", None)
    assert right == unreal.legs[1]


def test_spine_takes_a_list(unreal: Mapping) -> None:
    changed = unreal.with_overrides({"spine": ["spine_01", "spine_03"]})
    assert changed.spine == ("spine_01", "spine_03")
    assert changed.chest == "spine_03"


def test_two_slots_can_be_exchanged_at_once(unreal: Mapping) -> None:
    changed = unreal.with_overrides({"hand.L": "hand_r", "hand.R": "hand_l"})
    assert (changed.slots["hand.L"], changed.slots["hand.R"]) == ("hand_r", "hand_l")


def test_legs_of_animals_by_their_own_names() -> None:
    creature = dog()
    mapping = detect(creature.table())
    bone = {real: f"b{i}" for i, real in enumerate(creature.names)}
    changed = mapping.with_overrides({"front.L": [bone["humerus.L"], bone["front_paw.L"]]})
    leg = next(leg for leg in changed.legs if leg.name == "front.L")
    assert leg.bones == (bone["humerus.L"], bone["front_paw.L"])
    assert leg.foot == bone["front_paw.L"]
    with_toe = changed.with_overrides({"front.L.toe": bone["tail2"]})
    assert next(leg for leg in with_toe.legs if leg.name == "front.L").toe == bone["tail2"]


def test_unknown_slot_is_refused_with_the_slots_there_are(unreal: Mapping) -> None:
    with pytest.raises(RigError, match=r'no body part "thigh".*thigh\.L'):
        unreal.with_overrides({"thigh": "thigh_l"})


def test_unknown_bone_is_refused(unreal: Mapping) -> None:
    with pytest.raises(RigError, match=r'no bone "MyBone" for thigh\.L'):
        unreal.with_overrides({"thigh.L": "MyBone"})


@pytest.mark.parametrize(
    "overrides",
    [
        {"thigh.L": "thigh_r"},
        {"thigh.L": "root", "thigh.R": "root"},
        {"head": "spine_02"},
        {"spine": ["spine_01", "spine_01"]},
    ],
)
def test_bone_for_two_slots_is_refused(unreal: Mapping, overrides: dict[str, str]) -> None:
    with pytest.raises(RigError, match=r"is assigned to both .* and "):
        unreal.with_overrides(overrides)


def test_two_bones_for_one_slot_are_refused(unreal: Mapping) -> None:
    with pytest.raises(RigError, match=r"foot\.L takes one bone"):
        unreal.with_overrides({"foot.L": ["foot_l", "ball_l"]})


ORIGIN = np.zeros((2, 3))


@pytest.mark.parametrize(
    ("names", "parents", "heads", "message"),
    [
        ([], [], np.zeros((0, 3)), "has no bones"),
        (["a", "a"], [-1, 0], ORIGIN, '"a" exists twice'),
        (["a", "b"], [-1, 5], ORIGIN, '"b" has a parent that does not exist'),
        (["a", "b"], [1, 0], ORIGIN, '"a" is its own ancestor'),
        (["a", "b"], [-1, 0], ORIGIN + np.nan, '"a" has an invalid rest position'),
        (["a", "b"], [-1], ORIGIN, "need 2 parents"),
    ],
)
def test_bad_tables_are_refused(
    names: list[str], parents: list[int], heads: np.ndarray, message: str
) -> None:
    with pytest.raises(RigError, match=message):
        BoneTable.build(names, parents, heads, np.zeros_like(heads))
