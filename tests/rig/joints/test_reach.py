"""What moves for a goal by default, on characters whose parts are known.

Tests of: reach.
"""

from __future__ import annotations

import bpy
import pytest

import zoo
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.joints.reach import NO_HELP, Reach
from blender_bioik.rig.mapping.chosen import rig_mapping

from ...builders.preset_rigs import ROBOT, robot_arm, standing

BIPEDS = ["plain", "mixamo", "bare", "bare_nameless", "lying", "fingers", "tiny"]


def reach_of(rig: bpy.types.Object) -> Reach:
    return Reach(read_skeleton(rig), rig_mapping(rig))


def upwards(rig: bpy.types.Object, last: str, first: str) -> list[str]:
    """Names of the bones from one up to another."""
    names = [last, *(bone.name for bone in rig.data.bones[last].parent_recursive)]
    return names[: names.index(first) + 1]


@pytest.mark.parametrize("character", BIPEDS)
def test_a_hand_has_its_arm_a_foot_its_leg_and_the_head_its_neck(character: str) -> None:
    built = zoo.build(character)
    rig, slots = built.armature, built.truth.slots
    reach = reach_of(rig)
    for side in "LR":
        arm = upwards(rig, slots[f"hand.{side}"], slots[f"upper_arm.{side}"])
        assert reach.limb(slots[f"hand.{side}"]) == arm
        leg = upwards(rig, slots[f"foot.{side}"], slots[f"thigh.{side}"])
        assert reach.limb(slots[f"foot.{side}"]) == leg
    head = slots["head"]
    first = built.truth.neck[0] if built.truth.neck else head
    assert reach.limb(head) == upwards(rig, head, first)


@pytest.mark.parametrize("character", BIPEDS)
def test_the_body_that_helps_an_arm_keeps_the_feet(character: str) -> None:
    built = zoo.build(character)
    reach, truth = reach_of(built.armature), built.truth
    hand, pelvis = truth.slots["hand.L"], truth.slots["pelvis"]
    help_ = reach.help([hand], reach.limb(hand), ())
    assert help_.bones[-1] == pelvis
    assert set(truth.spine) - {pelvis} <= set(help_.bones)
    assert help_.sliding == (pelvis,)
    assert set(help_.feet) == {leg.foot for leg in truth.legs}
    assert {bone for leg in truth.legs for bone in leg.bones} <= set(help_.legs)
    assert not help_.always
    # A leg that something else poses cannot keep its foot, so the hips stay.
    posed = reach.help([hand], reach.limb(hand), {truth.legs[0].bones[1]})
    assert (posed.sliding, posed.feet) == ((), ())
    assert pelvis not in posed.bones
    assert posed.bones


def test_a_quadruped_keeps_its_other_feet() -> None:
    built = zoo.build("quadruped_nameless")
    reach, truth = reach_of(built.armature), built.truth
    (leg,) = [leg for leg in truth.legs if leg.name == "front.L"]
    assert reach.limb(leg.foot) == upwards(built.armature, leg.foot, leg.bones[0])
    help_ = reach.help([leg.foot], reach.limb(leg.foot), ())
    assert set(help_.feet) == {other.foot for other in truth.legs if other is not leg}
    chest = truth.spine[-1]
    assert reach.help([chest], reach.limb(chest), ()).always  # it carries the front legs


def test_other_bones_have_their_chain_up_to_what_carries_them() -> None:
    rig = standing()
    reach = reach_of(rig)
    fingers = ["index.02.L", "index.01.L", "hand.L", "forearm.L", "upper_arm.L"]
    assert reach.limb("index.02.L") == fingers
    assert reach.limb("upper_chest") == ["upper_chest", "chest", "spine"]
    assert reach.limb("hips") == ["hips"]
    assert reach.help(["hips"], ["hips"], ()).sliding == ("hips",)
    assert reach.help(["hips"], ["hips"], ()).always


def test_an_unmapped_rig_has_its_chain_up_to_where_it_branches() -> None:
    rig = robot_arm()
    names = [f"joint{number + 1}" for number in range(len(ROBOT))]
    assert reach_of(rig).limb(names[-1]) == names[::-1]
    assert reach_of(rig).help([names[-1]], names, ()) == NO_HELP
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    side = bones.new("side")
    side.head, side.tail, side.parent = bones[names[1]].tail, (1.0, 0.0, 0.5), bones[names[1]]
    bpy.ops.object.mode_set(mode="OBJECT")
    assert reach_of(rig).limb(names[-1]) == names[:1:-1]
    assert reach_of(rig).help([names[-1]], (), ()).bones == ("joint2", "joint1")
