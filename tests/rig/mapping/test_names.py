"""The other side's name in every convention."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.rig.mapping import mirror_name

from ...builders.mapping.skeletons import SKELETONS

PAIRS = [
    ("thigh.L", "thigh.R"),
    ("thigh_l", "thigh_r"),
    ("thigh-L", "thigh-R"),
    ("DEF-thigh.L.001", "DEF-thigh.R.001"),
    ("f_index.01.L", "f_index.01.R"),
    ("r_palm.001.L", "r_palm.001.R"),
    ("LeftUpLeg", "RightUpLeg"),
    ("mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"),
    ("mixamorigLeftUpLeg", "mixamorigRightUpLeg"),
    ("leftUpperLeg", "rightUpperLeg"),
    ("left_hip", "right_hip"),
    ("HIP_LEFT", "HIP_RIGHT"),
    ("mHipLeft", "mHipRight"),
    ("lThighBend", "rThighBend"),
    ("LHipJoint", "RHipJoint"),
    ("L_Hip", "R_Hip"),
    ("L Thigh", "R Thigh"),
    ("Bip01 L Thigh", "Bip01 R Thigh"),
    ("J_Bip_L_UpperLeg", "J_Bip_R_UpperLeg"),
    ("CC_Base_L_Thigh", "CC_Base_R_Thigh"),
    ("ThighL", "ThighR"),
    ("c_thigh_fk.l", "c_thigh_fk.r"),
    ("左足", "右足"),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_both_ways(left: str, right: str) -> None:
    assert mirror_name(left) == right
    assert mirror_name(right) == left


@pytest.mark.parametrize(
    "name",
    ["", "Hips", "head", "spine.001", "LowerBack", "Root", "Ring", "upright", "root.x", "lip.T"],
)
def test_names_without_a_side(name: str) -> None:
    assert mirror_name(name) is None


# "lhand" could be a word as "leg" is; Skyrim repeats the side in a short form behind the name.
UNDECIDABLE = {"bvh_joints/cmu for daz", "3ds_max_biped/skyrim"}


@pytest.mark.parametrize("key", sorted(set(SKELETONS) - UNDECIDABLE))
def test_sides_of_every_family(key: str) -> None:
    slots = SKELETONS[key].slots
    for slot, bone in slots.items():
        if slot.endswith(".L"):
            assert mirror_name(bone) == slots[slot[:-1] + "R"]
        elif not slot.endswith(".R"):
            assert mirror_name(bone) is None


@given(st.text(alphabet="lLrReftighLR._- :aZ01左右", max_size=12))
def test_twice_is_the_name_itself(name: str) -> None:
    other = mirror_name(name)
    if other is not None:
        assert other != name
        assert mirror_name(other) == name
