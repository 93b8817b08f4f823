"""Models of single frames: reusing the model of another frame changes nothing.

Tests of: frame_rig, frame_source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender.pose_channels import read_channels
from blender_bioik.rig.live.frame_model import FrameModel, frame_model
from blender_bioik.rig.live.frame_rig import FrameRig, read_frame_rig, structure_of
from blender_bioik.rig.live.frame_source import Showed, posed_armature

from ...builders.rigs import humanoid, key_randomly, use_all_rotation_modes

NUMBERS = (
    *("axis", "turn", "rest_position", "rest_rotation", "lower", "upper", "stiffness"),
    *("parent", "prismatic", "tip_joint", "tip_position", "tip_rotation"),
)


def person() -> bpy.types.Object:
    """A character that reaches, looks and may step, with limits that the animation exceeds."""
    rig = humanoid()
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 15, 30], scaled=False)
    for kind, bone, point in (
        ("POSITION", "forearm.L", (0.5, -0.3, 1.3)),
        ("LOOK_AT", "head", (0.2, -2.0, 1.5)),
        ("POSITION", "foot.R", (-0.1, 0.1, 0.2)),
    ):
        goal = rig.bioik.goals.add()
        goal.name, goal.type, goal.bone, goal.point = bone, kind, bone, point
    rig.bioik.solver.move_root = True
    arm = rig.pose.bones["arm.L"]
    arm.use_ik_limit_x, arm.ik_min_x, arm.ik_max_x = True, -0.1, 0.2
    return rig


def model_at(rig: bpy.types.Object, frame: int, before: FrameModel | None = None) -> FrameModel:
    """The model of a frame, made from that of another frame or from nothing."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    skeleton, tree = (before.rig.skeleton, before.joints.tree) if before else (None, None)
    read: FrameRig = read_frame_rig(scene, rig, skeleton)
    posed, source = posed_armature(rig, bpy.context.evaluated_depsgraph_get()), read_channels(rig)
    return frame_model(scene, rig, read, source, posed, Showed(source, posed), tree)


def assert_same(one: FrameModel, other: FrameModel, rig: bpy.types.Object) -> None:
    assert one.joints.tree.names == other.joints.tree.names
    assert one.joints.tree.tip_names == other.joints.tree.tip_names
    for name in NUMBERS:
        assert np.array_equal(getattr(one.joints.tree, name), getattr(other.joints.tree, name)), (
            name
        )
    assert np.array_equal(one.joints.clip.values, other.joints.clip.values)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    solutions = [model.problem(rig, depsgraph).poses() for model in (one, other)]
    assert solutions[0].values.tobytes() == solutions[1].values.tobytes()
    assert solutions[0].evaluations.tolist() == solutions[1].evaluations.tolist()


def test_another_frame_of_the_same_joints_is_not_worked_out_from_scratch() -> None:
    rig = person()
    first = model_at(rig, 2)
    first.problem(rig, bpy.context.evaluated_depsgraph_get()).poses()
    for frame in (9, 21, 2):
        later = model_at(rig, frame, first)
        assert later.rig.skeleton is first.rig.skeleton
        assert later.joints.tree.compiled is first.joints.tree.compiled
        assert_same(later, model_at(rig, frame), rig)


def _lock(rig: bpy.types.Object) -> None:
    rig.pose.bones["chest"].lock_rotation[0] = True
    rig.pose.bones["chest"].rotation_mode = "XYZ"


def _limit(rig: bpy.types.Object) -> None:
    rig.pose.bones["forearm.L"].use_ik_limit_z = True


def _stiffen(rig: bpy.types.Object) -> None:
    rig.pose.bones["chest"].ik_stiffness_y = 0.4


def _let_go(rig: bpy.types.Object) -> None:
    rig.data.bones["arm.L"].use_inherit_rotation = False


def _lengthen(rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["arm.L"].head.x += 0.05
    bpy.ops.object.mode_set(mode="OBJECT")


def _add_goal(rig: bpy.types.Object) -> None:
    goal = rig.bioik.goals.add()
    goal.name, goal.type, goal.bone, goal.point = "More", "POSITION", "forearm.R", (-0.5, 0, 1)


def _shift_goal(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].offset = (0.1, 0.0, 0.0)


def _stay(rig: bpy.types.Object) -> None:
    rig.bioik.solver.move_root = False


def _stretch(rig: bpy.types.Object) -> None:
    rig.pose.bones["hips"].scale = (1.0, 1.5, 1.0)


CHANGES = [
    *(_lock, _limit, _stiffen, _let_go, _lengthen),
    *(_add_goal, _shift_goal, _stay, _stretch),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_changes_after_the_model_was_made_count(change: Callable[[bpy.types.Object], None]) -> None:
    rig = person()
    before = model_at(rig, 5)
    before.problem(rig, bpy.context.evaluated_depsgraph_get()).poses()
    change(rig)
    after, afresh = model_at(rig, 5, before), model_at(rig, 5)
    assert_same(after, afresh, rig)
    assert any(
        not np.array_equal(getattr(after.joints.tree, name), getattr(before.joints.tree, name))
        for name in NUMBERS
    )


@pytest.mark.parametrize(
    ("kind", "changes", "is_another"),
    [
        ("JOINT_VALUE", {"joint_axis": "Z"}, True),
        ("JOINT_VALUE", {"angle_value": 0.5}, False),
        ("LOCKED_LOOK_AT", {"lock_axis": (1.0, 0.0, 0.0)}, True),
        ("LOCKED_LOOK_AT", {"axis": (1.0, 0.0, 0.0)}, False),
        ("POSITION", {"head_tail": 0.5}, True),
        ("POSITION", {"point": (1.0, 0.0, 0.0)}, False),
    ],
)
def test_joints_are_read_again_where_a_setting_decides_about_them(
    kind: str, changes: dict[str, Any], is_another: bool
) -> None:
    rig = person()
    goal = rig.bioik.goals[1]
    goal.type = kind
    before = structure_of(rig)
    for name, value in changes.items():
        setattr(goal, name, value)
    assert (structure_of(rig) != before) is is_another
