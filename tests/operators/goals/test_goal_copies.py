"""Duplicating and mirroring goals through their operators.

Tests of: rig.goals.goal_copies.
"""

from __future__ import annotations

import bpy
import pytest

from ...builders.rigs import humanoid


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person with a goal of the left arm, chosen, and its target."""
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    made.data.bones.active = made.data.bones["forearm.L"]
    bpy.ops.bioik.add_goal(type="POSITION")
    return made


def names(rig: bpy.types.Object) -> list[str]:
    return [goal.name for goal in rig.bioik.goals]


def test_a_duplicate_is_below_and_chosen(rig: bpy.types.Object) -> None:
    bpy.ops.bioik.add_goal(type="BALANCE")
    rig.bioik.active_goal = 0
    rig.bioik.goals[0].weight = 2.5
    assert bpy.ops.bioik.duplicate_goal() == {"FINISHED"}
    assert names(rig) == ["forearm.L Position", "forearm.L Position.001", "Balance"]
    assert rig.bioik.active_goal == 1
    assert rig.bioik.goals[1].weight == 2.5
    assert rig.bioik.goals[1].target == rig.bioik.goals[0].target


def test_a_mirrored_goal_is_chosen_and_made_once(rig: bpy.types.Object) -> None:
    assert bpy.ops.bioik.mirror_goal() == {"FINISHED"}
    assert names(rig) == ["forearm.L Position", "forearm.R Position"]
    assert rig.bioik.active_goal == 1
    targets = [goal.target.name for goal in rig.bioik.goals]
    assert targets == ["forearm.L Position", "forearm.R Position"]
    rig.bioik.active_goal = 0
    assert bpy.ops.bioik.mirror_goal() == {"FINISHED"}
    assert (len(rig.bioik.goals), rig.bioik.active_goal) == (2, 1)


def test_goals_without_another_side_are_refused(rig: bpy.types.Object) -> None:
    bpy.ops.bioik.add_goal(type="BALANCE")
    with pytest.raises(RuntimeError, match="whole body"):
        bpy.ops.bioik.mirror_goal()
    rig.data.bones.active = rig.data.bones["head"]
    bpy.ops.bioik.add_goal(type="LOOK_AT")
    with pytest.raises(RuntimeError, match="no opposite side"):
        bpy.ops.bioik.mirror_goal()
    assert len(rig.bioik.goals) == 3


def test_without_a_goal_there_is_nothing_to_copy(rig: bpy.types.Object) -> None:
    rig.bioik.goals.clear()
    for operator in (bpy.ops.bioik.duplicate_goal, bpy.ops.bioik.mirror_goal):
        with pytest.raises(RuntimeError, match="Add a goal first"):
            operator()
