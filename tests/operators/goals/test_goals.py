"""The operators that add, remove and move goals.

Tests of: goals_from_constraints.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.goal_types import BUILT_IN, GoalType
from blender_bioik.rig.bake.bake import BakeOptions, bake

from ...builders.rigs import blender_pose, humanoid, pose_randomly

WHOLE_POSE = {"DISPLACEMENT", "CENTRE_JOINTS", "AVOID_LIMITS"}
NO_BONE = {"BALANCE", *WHOLE_POSE}


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person in some pose, turned and moved in the world, with an active bone."""
    made = humanoid()
    pose_randomly(made, seed=3, scale=0.3)
    made.location, made.rotation_euler = (1.0, -2.0, 0.5), (0.2, 0.1, 1.0)
    bpy.context.view_layer.objects.active = made
    choose(made, made.data.bones[3].name)
    bpy.context.view_layer.update()
    return made


def choose(rig: bpy.types.Object, bone: str) -> None:
    rig.data.bones.active = rig.data.bones[bone]


def names(rig: bpy.types.Object) -> list[str]:
    return [goal.name for goal in rig.bioik.goals]


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.identifier)
def test_a_goal_is_of_the_active_bone_and_chosen(rig: bpy.types.Object, kind: GoalType) -> None:
    rig.bioik.goals.add().name = "First"
    assert bpy.ops.bioik.add_goal(type=kind.identifier) == {"FINISHED"}
    goal = rig.bioik.goals[1]
    bone = "" if goal.type in NO_BONE else rig.data.bones.active.name
    assert (goal.type, goal.bone) == (kind.identifier, bone)
    assert goal.name == f"{bone} {kind.label}".strip()
    assert rig.bioik.active_goal == 1
    assert goal.weight == pytest.approx(0.01 if goal.type in WHOLE_POSE else 1.0)


def test_goals_have_names_of_their_own(rig: bpy.types.Object) -> None:
    for _ in range(2):
        bpy.ops.bioik.add_goal(type="BALANCE")
    assert names(rig) == ["Balance", "Balance.001"]


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_without_a_selected_object_a_target_is_added(rig: bpy.types.Object, mode: str) -> None:
    bpy.ops.object.mode_set(mode=mode)
    bpy.ops.bioik.add_goal(type="POSITION")
    target = rig.bioik.goals[0].target
    assert target.name == rig.bioik.goals[0].name
    assert target.name in bpy.context.scene.objects
    bone = rig.pose.bones[rig.data.bones.active.name]
    assert np.allclose(target.matrix_world.translation, rig.matrix_world @ bone.head, atol=1e-6)
    assert (bpy.context.object, rig.mode) == (rig, mode)


@pytest.mark.parametrize(
    ("kind", "add_target"),
    [
        *(("POSITION", True), ("ORIENTATION", True), ("LOOK_AT", True), ("POLE", True)),
        *(("LOCKED_LOOK_AT", True), ("ABOVE", False)),
        *(("POSITION", False), ("LOOK_AT", False), ("POLE", False)),
        *(("PLANE", False), ("LINE", False)),
    ],
)
def test_a_new_goal_is_met_by_the_pose(rig: bpy.types.Object, kind: str, add_target: bool) -> None:
    bones = tuple(bone.name for bone in rig.data.bones)
    choose(rig, "forearm.L")
    bpy.ops.bioik.add_goal(type=kind, add_target=add_target)
    bpy.context.view_layer.update()
    before = blender_pose(rig, bones)
    bake(bpy.context.scene, rig, BakeOptions(1, 1))
    assert np.allclose(blender_pose(rig, bones), before, atol=2e-4)


def test_the_other_selected_object_is_the_target(rig: bpy.types.Object) -> None:
    lamp = bpy.data.objects.new("Lamp", None)
    bpy.context.scene.collection.objects.link(lamp)
    lamp.select_set(True)
    rig.select_set(True)
    count = len(bpy.data.objects)
    bpy.ops.bioik.add_goal(type="LOOK_AT")
    assert rig.bioik.goals[0].target == lamp
    assert len(bpy.data.objects) == count


def test_a_mesh_of_the_character_is_no_target(rig: bpy.types.Object) -> None:
    body = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.scene.collection.objects.link(body)
    body.modifiers.new("Armature", "ARMATURE").object = rig
    body.select_set(True)
    bpy.ops.bioik.add_goal(type="DISTANCE")
    assert rig.bioik.goals[0].target is None


def test_without_an_active_bone_the_goal_waits_for_one(rig: bpy.types.Object) -> None:
    rig.data.bones.active = None
    count = len(bpy.data.objects)
    assert bpy.ops.bioik.add_goal(type="POSITION") == {"FINISHED"}
    goal = rig.bioik.goals[0]
    assert (goal.bone, goal.target, len(bpy.data.objects)) == ("", None, count)


def test_a_removed_goal_leaves_the_next_one_chosen_and_its_target(rig: bpy.types.Object) -> None:
    for kind in ("POSITION", "LINE", "BALANCE"):
        bpy.ops.bioik.add_goal(type=kind)
    target = rig.bioik.goals[0].target
    rig.bioik.active_goal = 0
    for left in (1, 0, 0):
        first = names(rig)[1:]
        assert bpy.ops.bioik.remove_goal() == {"FINISHED"}
        assert names(rig) == first
        assert rig.bioik.active_goal <= left
    assert not bpy.ops.bioik.remove_goal.poll()
    assert target.name in bpy.data.objects


def test_removing_the_last_of_the_list_chooses_the_one_before(rig: bpy.types.Object) -> None:
    for kind in ("LINE", "BALANCE"):
        bpy.ops.bioik.add_goal(type=kind)
    bpy.ops.bioik.remove_goal()
    assert rig.bioik.active_goal == 0


def test_goals_move_and_stay_chosen(rig: bpy.types.Object) -> None:
    bpy.ops.bioik.add_goal(type="BALANCE")
    assert not bpy.ops.bioik.move_goal.poll()
    for kind in ("CENTRE_JOINTS", "AVOID_LIMITS"):
        bpy.ops.bioik.add_goal(type=kind)
    assert bpy.ops.bioik.move_goal(direction="UP") == {"FINISHED"}
    assert names(rig) == ["Balance", "Avoid Limits", "Center Joints"]
    assert rig.bioik.active_goal == 1
    assert bpy.ops.bioik.move_goal(direction="DOWN") == {"FINISHED"}
    assert bpy.ops.bioik.move_goal(direction="DOWN") == {"CANCELLED"}
    assert names(rig) == ["Balance", "Center Joints", "Avoid Limits"]
    assert rig.bioik.active_goal == 2


def test_there_are_no_goals_without_an_armature() -> None:
    assert not bpy.ops.bioik.add_goal.poll()
