"""Errors of goals that are kept after a solve."""

from __future__ import annotations

from pathlib import Path

import bpy

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.report.goal_errors import error_of, forget_errors

from ...builders.rigs import humanoid


def reach(rig: bpy.types.Object, name: str, height: float) -> None:
    """A goal for the left arm to be at a height."""
    goal = rig.bioik.goals.add()
    goal.name, goal.bone, goal.head_tail = name, "forearm.L", 1.0
    goal.point, goal.chain_length = (0.7, 0.0, height), 2


def test_a_bake_keeps_the_worst_error_of_each_goal() -> None:
    rig = humanoid()
    reach(rig, "Near", 1.45)
    reach(rig, "Far", 3.45)
    rig.bioik.goals["Near"].weight = 1e-4
    report = bake(bpy.context.scene, rig, BakeOptions(1, 3))
    for goal in report.goals:
        kept = error_of(rig, goal.name)
        assert kept is not None
        assert (kept.value, kept.unit, kept.reached) == (goal.worst, "mm", False)
    assert report.goals[1].worst > 100.0


def test_a_reached_goal_and_a_preference_are_not_missed() -> None:
    rig = humanoid()
    reach(rig, "Here", 1.45)
    reach(rig, "Wish", 3.45)
    rig.bioik.goals["Wish"].is_preference = True
    rig.bioik.goals["Wish"].weight = 1e-6
    bake(bpy.context.scene, rig, BakeOptions(1, 1))
    for name in ("Here", "Wish"):
        kept = error_of(rig, name)
        assert kept is not None
        assert kept.reached


def test_a_goal_that_acts_in_no_frame_has_no_error() -> None:
    rig = humanoid()
    reach(rig, "Now", 1.45)
    reach(rig, "Later", 1.45)
    later = rig.bioik.goals["Later"]
    later.use_frame_range, later.frame_start, later.frame_end = True, 50, 60
    bake(bpy.context.scene, rig, BakeOptions(1, 1))
    assert error_of(rig, "Now") is not None
    assert error_of(rig, "Later") is None


def test_errors_are_forgotten_by_armature_and_with_another_file(tmp_path: Path) -> None:
    rig, other = humanoid("A"), humanoid("B")
    for armature in (rig, other):
        reach(armature, "Reach", 1.45)
        bake(bpy.context.scene, armature, BakeOptions(1, 1))
    forget_errors(rig)
    assert error_of(rig, "Reach") is None
    assert error_of(other, "Reach") is not None
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert all(error_of(armature, "Reach") is None for armature in bpy.data.objects)
