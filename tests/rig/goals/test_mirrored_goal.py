"""Mirrored goals have the mirror image as their aim."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from blender_bioik.goal_types import BUILT_IN
from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.goals.mirrored_goal import MIRROR, mirror_goal, opposite_bone

from ...builders.rigs import humanoid

SETTINGS = ("offset", "axis", "lock_axis", "point", "direction", "rotation", "angle_value", "ratio")
KINDS = [kind.identifier for kind in BUILT_IN if "bone" in kind.uses]


@pytest.fixture(params=["mirrored", "rolled"])
def rig(request: pytest.FixtureRequest) -> bpy.types.Object:
    """A person, turned in the world; bones of its sides are mirror images, or rolled otherwise."""
    made = humanoid()
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in made.data.edit_bones:
        if bone.name.endswith(".R"):
            left = made.data.edit_bones[bone.name[:-1] + "L"]
            bone.roll = -left.roll if request.param == "mirrored" else left.roll + 1.0
    bpy.ops.object.mode_set(mode="OBJECT")
    made.location, made.rotation_euler = (1.0, -2.0, 0.5), (0.0, 0.0, 0.8)
    bpy.context.view_layer.update()
    return made


def add_goal(rig: bpy.types.Object, kind: str) -> Any:
    """A goal of the left forearm that the rest pose does not meet."""
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.name = kind, "forearm.L", f"{kind} forearm.L"
    goal.chain_length, goal.head_tail, goal.offset = 2, 0.7, (0.02, 0.01, -0.03)
    goal.axis, goal.direction = (0.2, 1.0, 0.1), (0.3, -0.5, 0.8)
    goal.lock_axis = (0.9, -0.2, 0.3)
    goal.rotation, goal.angle = (0.3, -0.2, 0.4), 0.1
    goal.joint_axis, goal.angle_value = "Z", 0.5
    goal.other_axis, goal.ratio = "X", -0.5
    goal.distance = 0.05 if kind == "MAX_DISTANCE" else 5.0
    if kind == "JOINT_FUNCTION":
        goal.other_bone = "arm.L"
    return goal


def add_target(rig: bpy.types.Object, name: str = "Target.L") -> bpy.types.Object:
    target = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(target)
    target.location = rig.matrix_world @ Vector((0.4, -0.4, 1.6))
    target.rotation_euler = (0.4, 0.2, -0.3)
    bpy.context.view_layer.update()
    return target


def pose_alike(rig: bpy.types.Object) -> None:
    """Turn the bones of the left side, and those of the right side as in a mirror."""
    for number, name in enumerate(("thigh", "shin", "arm", "forearm")):
        left, right = (rig.pose.bones[f"{name}.{side}"] for side in "LR")
        left.rotation_mode = "XYZ"
        left.rotation_euler = (0.3, 0.2 + 0.1 * number, -0.4)
        bpy.context.view_layer.update()
        between = left.bone.matrix_local.inverted() @ MIRROR @ right.bone.matrix_local
        right.matrix = MIRROR @ left.matrix @ between
        bpy.context.view_layer.update()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("follows", ["nothing", "object", "place of an object", "bone"])
def test_sides_that_are_mirror_images_miss_their_goals_alike(
    rig: bpy.types.Object, kind: str, follows: str
) -> None:
    pose_alike(rig)
    goal = add_goal(rig, kind)
    if follows == "nothing":
        goal.point = rig.matrix_world @ Vector((0.4, -0.4, 1.6))
    elif follows.endswith("object"):
        goal.use_target_rotation = follows == "object"
        goal.target, goal.point = add_target(rig), (0.05, 0.1, 0.02)
    else:
        goal.target, goal.subtarget, goal.point = rig, "shin.L", (0.9, -1.5, 2.4)
    goal.is_preference = True
    mirror_goal(bpy.context, rig, 0)
    rig.bioik.solver.displacement = 1e6  # nothing moves, so errors are those of the pose
    left, right = bake(bpy.context.scene, rig, BakeOptions(1, 1)).goals
    assert left.worst > 0.5
    if not (kind.startswith("JOINT") and has_other_channels(rig)):
        assert right.worst == pytest.approx(left.worst, rel=1e-3)


def has_other_channels(rig: bpy.types.Object) -> bool:
    """Whether no channel of the right arm turns it as one of the left arm does."""
    left, right = (rig.data.bones[f"forearm.{side}"].matrix_local for side in "LR")
    between = right.inverted() @ MIRROR @ left
    return max(abs(value) for value in between.col[0][:3]) < 0.9


def settings_of(goal: Any) -> dict[str, Any]:
    found = {name: np.array(getattr(goal, name)) for name in SETTINGS}
    return {**found, "bone": goal.bone, "joint_axis": goal.joint_axis}


@pytest.mark.parametrize("kind", KINDS)
def test_mirrored_twice_is_the_goal_itself(rig: bpy.types.Object, kind: str) -> None:
    goal = add_goal(rig, kind)
    goal.target, goal.point = add_target(rig), (0.05, 0.1, 0.02)
    before = settings_of(goal)
    first = mirror_goal(bpy.context, rig, 0)
    assert (first.number, first.is_new) == (1, True)
    rig.bioik.goals[0].axis = rig.bioik.goals[0].point = (9.0, 9.0, 9.0)
    second = mirror_goal(bpy.context, rig, 1)
    assert (second.number, second.is_new, second.target) == (0, False, None)
    assert len(rig.bioik.goals) == 2
    after = settings_of(rig.bioik.goals[0])
    assert (after["bone"], after["joint_axis"]) == (before["bone"], before["joint_axis"])
    for name in SETTINGS:
        assert np.allclose(after[name], before[name], atol=1e-5), name


def test_a_target_is_added_if_the_other_side_has_none(rig: bpy.types.Object) -> None:
    goal = add_goal(rig, "POSITION")
    goal.target = add_target(rig)
    goal.target.empty_display_type = "SPHERE"
    mirrored = mirror_goal(bpy.context, rig, 0)
    made = mirrored.target
    assert made is not None
    assert (made.name, made.empty_display_type) == ("Target.R", "SPHERE")
    place = rig.matrix_world.inverted() @ made.matrix_world.translation
    assert np.allclose(place, (-0.4, -0.4, 1.6), atol=1e-5)
    assert made.matrix_world.determinant() == pytest.approx(1.0, abs=1e-5)
    assert rig.bioik.goals[1].target == made
    assert rig.bioik.goals[1].name == "POSITION forearm.R"


def test_the_target_of_the_other_side_is_used_and_stays(rig: bpy.types.Object) -> None:
    add_goal(rig, "POSITION").target = add_target(rig)
    there = add_target(rig, "Target.R")
    there.location = (5.0, 5.0, 5.0)
    mirrored = mirror_goal(bpy.context, rig, 0)
    assert mirrored.target is None
    assert rig.bioik.goals[1].target == there
    assert tuple(there.location) == (5.0, 5.0, 5.0)


def test_a_goal_that_is_there_keeps_its_target(rig: bpy.types.Object) -> None:
    add_goal(rig, "POSITION").target = add_target(rig)
    mirror_goal(bpy.context, rig, 0)
    own = add_target(rig, "Cup")
    rig.bioik.goals[1].target = own
    rig.bioik.goals[0].weight = 3.0
    mirror_goal(bpy.context, rig, 0)
    assert len(rig.bioik.goals) == 2
    assert (rig.bioik.goals[1].target, rig.bioik.goals[1].weight) == (own, 3.0)


def test_other_bones_are_mirrored_and_those_in_the_middle_stay(rig: bpy.types.Object) -> None:
    for other in ("thigh.L", "head"):
        add_goal(rig, "DISTANCE").other_bone = other
        rig.bioik.goals[-1].name = other
    mirror_goal(bpy.context, rig, 1)
    mirror_goal(bpy.context, rig, 0)
    assert [goal.other_bone for goal in rig.bioik.goals] == ["thigh.L", "thigh.R", "head", "head"]


def test_goals_without_an_opposite_side_are_refused(rig: bpy.types.Object) -> None:
    add_goal(rig, "POSITION").bone = "head"
    with pytest.raises(RigError, match=r'"head".*no opposite side'):
        mirror_goal(bpy.context, rig, 0)
    add_goal(rig, "BALANCE")
    with pytest.raises(RigError, match="whole body"):
        mirror_goal(bpy.context, rig, 1)
    add_goal(rig, "POSITION").bone = "nobody"
    with pytest.raises(RigError, match="no bone to mirror"):
        mirror_goal(bpy.context, rig, 2)
    assert len(rig.bioik.goals) == 3


def test_sides_follow_from_the_body_where_names_do_not_give_them() -> None:
    rig = humanoid()
    rig.data.bones["foot.L"].name = "one"
    rig.data.bones["foot.R"].name = "two"
    for slot, bone in (("foot.L", "one"), ("foot.R", "two")):
        chosen = rig.bioik.slots.add()
        chosen.name, chosen.bone = slot, bone
    assert opposite_bone(rig, "one") == "two"
    assert opposite_bone(rig, "two") == "one"
    assert opposite_bone(rig, "head") is None
    assert opposite_bone(rig, "shin.L") == "shin.R"
