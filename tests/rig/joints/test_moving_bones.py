"""Bones that goals may move: chains, selection and driven channels."""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.rig.clip.skeleton import Skeleton, read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.joints import moving_bones as module
from blender_bioik.rig.joints.moving_bones import moving_bones, refuse_moved_targets

from ...builders.bakes import HAND, add_goal
from ...builders.rigs import humanoid

ARM = [HAND, "arm.L", "chest", "hips"]


@pytest.fixture
def rig() -> bpy.types.Object:
    made = humanoid()
    add_goal(made)
    return made


@pytest.fixture
def skeleton(rig: bpy.types.Object) -> Skeleton:
    return read_skeleton(rig)


def moved(rig: bpy.types.Object, skeleton: Skeleton) -> list[str]:
    return moving_bones(rig, skeleton, list(rig.bioik.goals))[0]


def test_a_chain_goes_up_to_the_root_or_as_far_as_it_is_long(
    rig: bpy.types.Object, skeleton: Skeleton
) -> None:
    assert moved(rig, skeleton) == ARM
    rig.bioik.goals[0].chain_length = 2
    assert moved(rig, skeleton) == ARM[:2]


def test_balance_has_all_bones(rig: bpy.types.Object, skeleton: Skeleton) -> None:
    rig.bioik.goals[0].type = "BALANCE"
    assert set(moved(rig, skeleton)) == set(skeleton.names)


def test_selected_bones_alone(rig: bpy.types.Object, skeleton: Skeleton) -> None:
    rig.bioik.solver.scope = "SELECTED"
    for bone in rig.pose.bones:
        owner = bone if hasattr(bone, "select") else bone.bone
        owner.select = bone.name in ("chest", "head")
    assert moved(rig, skeleton) == ["chest"]
    for bone in rig.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = False
    with pytest.raises(RigError, match="select some in Pose Mode"):
        moved(rig, skeleton)


def test_bones_with_driven_rotations_stay_and_are_named(
    rig: bpy.types.Object, skeleton: Skeleton
) -> None:
    rig.pose.bones["chest"].driver_add("rotation_quaternion", 1)
    moving, notes = moving_bones(rig, skeleton, list(rig.bioik.goals))
    assert moving == [HAND, "arm.L", "hips"]
    assert notes == ["chest does not move: its rotation is driven."]


@pytest.mark.parametrize("way", ["bone", "child of the bone"])
def test_a_goal_cannot_follow_a_bone_that_it_moves(
    rig: bpy.types.Object, skeleton: Skeleton, way: str
) -> None:
    goal = rig.bioik.goals[0]
    goal.target, goal.subtarget = rig, "head"
    if way != "bone":
        goal.target = bpy.data.objects.new("Prop", None)
        bpy.context.scene.collection.objects.link(goal.target)
        goal.target.parent, goal.target.parent_type, goal.target.parent_bone = rig, "BONE", "head"
    refuse_moved_targets(rig, skeleton, [goal], ARM[:2])
    with pytest.raises(RigError, match='"hand" follows the bone "head"'):
        refuse_moved_targets(rig, skeleton, [goal], ARM)


def test_topmost_and_carried_bones(skeleton: Skeleton) -> None:
    assert module.topmost(skeleton, ["forearm.L", "arm.L", "head"]) == ["arm.L", "head"]
    assert module.carried(skeleton, ["arm.L"], ["forearm.L", "arm.L", "chest"]) == [
        "forearm.L",
        "arm.L",
    ]


def test_a_locked_look_at_has_a_hinge_where_no_other_goal_moves_its_bone(
    rig: bpy.types.Object, skeleton: Skeleton
) -> None:
    look = add_goal(rig, name="look", type="LOCKED_LOOK_AT", bone="head", chain_length=1)
    look.lock_axis = (0.0, 0.0, 2.0)
    goals = list(rig.bioik.goals)
    assert module.hinge_axes(skeleton, goals) == {"head": ((0.0, 0.0, 1.0),)}
    look.chain_length = 2
    assert module.hinge_axes(skeleton, goals) == {}
    look.chain_length, look.bone = 1, "chest"
    assert module.hinge_axes(skeleton, goals) == {}
