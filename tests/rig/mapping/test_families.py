"""Bones found by name: every naming family, its variants, and spelling.

Tests of: detect, match.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blender_bioik.rig.mapping import Mapping, detect, detect_all
from blender_bioik.rig.mapping.families import FAMILIES

from ...builders.mapping.skeletons import SKELETONS, Skeleton, parse


def assert_mapped(mapping: Mapping, skeleton: Skeleton) -> None:
    assert dict(mapping.slots) == skeleton.slots
    assert mapping.spine == skeleton.chain("spine")
    assert mapping.neck == skeleton.chain("neck")


@pytest.mark.parametrize("key", SKELETONS)
def test_family_is_recognised_and_fills_every_slot(key: str) -> None:
    skeleton = SKELETONS[key]
    mapping = detect(skeleton.table())
    assert mapping.family == skeleton.family
    assert_mapped(mapping, skeleton)
    assert mapping.confidence > 0.9
    assert mapping.chest == skeleton.chain("spine")[-1]


@pytest.mark.parametrize("key", SKELETONS)
def test_legs_are_those_of_the_slots(key: str) -> None:
    slots = SKELETONS[key].slots
    legs = {leg.name: leg for leg in detect(SKELETONS[key].table()).legs}
    assert set(legs) == {"leg.L", "leg.R"}
    for side in "LR":
        leg = legs[f"leg.{side}"]
        parts = [slots.get(f"{part}.{side}") for part in ("thigh", "shin", "foot", "toe")]
        assert leg.bones == tuple(bone for bone in parts if bone)
        assert (leg.foot, leg.toe) == (parts[2], parts[3])


def test_every_skeleton_family_has_a_test() -> None:
    tested = {skeleton.family for skeleton in SKELETONS.values()}
    # Controls and deform bones of generated rigs, and the robot, are tested on the real ones.
    elsewhere = {"rigify_fk", "rigify_deform", "auto_rig_pro_fk", "quaternius"}
    assert {family.name for family in FAMILIES} == tested | elsewhere


_SEPARATED = re.compile(r"[\s._\-]")
_CASES: dict[str, Callable[[str], str]] = {
    "as is": str,
    "upper": str.upper,
    "lower": str.lower,
    "swapped": str.swapcase,
}


@given(
    key=st.sampled_from(sorted(SKELETONS)),
    case=st.sampled_from(sorted(_CASES)),
    separator=st.sampled_from([None, "", ".", "_", "-", " "]),
    prefix=st.sampled_from(["", "rig:", "Armature|", "Hero_01:", "NPC_", "a:b:", "Object 7 "]),
    suffix=st.sampled_from(["", ".001", "_07", "-12"]),
)
def test_spelling_does_not_change_the_mapping(
    key: str, case: str, separator: str | None, prefix: str, suffix: str
) -> None:
    skeleton = SKELETONS[key]

    def renamed(name: str) -> str:
        if separator is not None:
            name = _SEPARATED.sub(separator, name)
        return prefix + _CASES[case](name) + suffix

    names = [renamed(name) for name in skeleton.names]
    assume(len(set(names)) == len(names))
    mapping = detect(skeleton.table(names))
    back = dict(zip(names, skeleton.names, strict=True))
    assert {slot: back[bone] for slot, bone in mapping.slots.items()} == skeleton.slots
    assert tuple(back[bone] for bone in mapping.spine) == skeleton.chain("spine")
    assert tuple(back[bone] for bone in mapping.neck) == skeleton.chain("neck")


@given(order=st.permutations(range(len(SKELETONS["unreal"].names))))
def test_order_of_bones_does_not_matter(order: list[int]) -> None:
    skeleton = SKELETONS["unreal"]
    shuffled = Skeleton(
        skeleton.family,
        [skeleton.names[i] for i in order],
        [order.index(skeleton.parents[i]) if skeleton.parents[i] >= 0 else -1 for i in order],
        [skeleton.places[i] for i in order],
    )
    table = skeleton.table()
    permuted = type(table).build(
        shuffled.names, shuffled.parents, table.heads[order], table.tails[order]
    )
    assert_mapped(detect(permuted), skeleton)


def test_second_copy_of_a_skeleton_in_the_armature_is_left_alone() -> None:
    one = SKELETONS["mixamo/no prefix"]
    count = len(one.names)
    both = Skeleton(
        one.family,
        one.names + [f"{name}.001" for name in one.names],
        one.parents + [p + count if p >= 0 else -1 for p in one.parents],
        one.places * 2,
    )
    table = both.table()
    table.heads[count:] += (3.0, 0.0, 0.0)
    table.tails[count:] += (3.0, 0.0, 0.0)
    assert_mapped(detect(table), one)


def test_shin_that_does_not_descend_from_its_thigh_is_not_taken() -> None:
    skeleton = SKELETONS["unreal"]
    parents = list(skeleton.parents)
    index = skeleton.names.index
    parents[index("calf_l")] = index("pelvis")
    broken = Skeleton(skeleton.family, skeleton.names, parents, skeleton.places)
    by_name = [m for m in detect_all(broken.table()) if m.family == "unreal"]
    assert all("shin.L" not in m.slots and "thigh.L" not in m.slots for m in by_name)
    assert all(m.slots["thigh.R"] == "thigh_r" for m in by_name)


def test_misleading_names_of_other_bones_are_passed_over() -> None:
    skeleton = SKELETONS["unreal"]
    extra = Skeleton(
        skeleton.family,
        [*skeleton.names, "foot_l_socket", "ik_thigh_l", "MCH-calf_l", "ORG-foot_l", "head_end"],
        [*skeleton.parents, 0, 0, 0, 0, skeleton.names.index("head")],
        [*skeleton.places, "", "", "", "", ""],
    )
    assert_mapped(detect(extra.table()), skeleton)


def test_detection_is_repeatable() -> None:
    table = SKELETONS["daz_genesis_8"].table()
    assert detect_all(table) == detect_all(table)


def test_no_reading_appears_twice() -> None:
    readings = detect_all(SKELETONS["mixamo"].table())
    keys = [(sorted(m.slots.items()), m.spine, m.neck) for m in readings]
    assert all(key not in keys[:i] for i, key in enumerate(keys))


_CONTROLS = """
c_traj = root
 c_root_master.x = pelvis
  c_root.x = pelvis_end
   c_thigh_fk.{l|r} = thigh
    c_leg_fk.{l|r} = shin
     c_foot_fk.{l|r} = foot
      c_toes_fk.{l|r} = toe
   thigh_stretch.{l|r} = thigh
    leg_stretch.{l|r} = shin
     foot.{l|r} = foot
      toes_01.{l|r} = toe
  c_spine_01.x = spine
   c_spine_02.x = spine
    c_neck.x = neck
     c_head.x = head
    c_shoulder.{l|r} = shoulder
    shoulder.{l|r} = shoulder
     c_arm_fk.{l|r} = upper_arm
      c_forearm_fk.{l|r} = forearm
       c_hand_fk.{l|r} = hand
     arm_stretch.{l|r} = upper_arm
      forearm_stretch.{l|r} = forearm
       hand.{l|r} = hand
 c_foot_ik.{l|r} = foot
 c_hand_ik.{l|r} = hand
"""


def test_auto_rig_pro_controls_come_before_its_deform_bones() -> None:
    readings = detect_all(parse("auto_rig_pro_fk", _CONTROLS).table())
    assert readings[0].family == "auto_rig_pro_fk"
    assert readings[0].slots["thigh.L"] == "c_thigh_fk.l"
    assert readings[0].slots["shoulder.R"] == "c_shoulder.r"
    assert readings[0].slots["pelvis"] == "c_root_master.x"
    assert any("ik_fk_switch" in note and "c_foot_ik.l" in note for note in readings[0].notes)
    deform = next(m for m in readings if m.family == "auto_rig_pro")
    assert deform.slots["thigh.L"] == "thigh_stretch.l"
