"""Why a button is disabled: the first thing that is missing."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import pytest

from blender_bioik.ui_state import problems
from blender_bioik.ui_state.running import begin, end

from ..builders.bakes import waving
from ..builders.placements import stepping
from ..builders.rigs import humanoid, key_randomly


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    end()


def test_without_an_armature_nothing_can_be_done() -> None:
    for problem in (
        problems.bake_problem,
        problems.placement_problem,
        problems.live_problem,
        problems.rebaking_problem,
    ):
        assert problem(bpy.context)


def test_a_bake_needs_a_goal() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 5], scaled=False)
    assert problems.bake_problem(bpy.context) == "Add a goal to the armature first"
    goal = rig.bioik.goals.add()
    assert problems.bake_problem(bpy.context) == ""
    goal.enabled = False
    assert problems.bake_problem(bpy.context) == "Add a goal to the armature first"
    rig.bioik.solver.read_constraints = True
    assert problems.bake_problem(bpy.context) == ""


def test_feet_need_a_ground() -> None:
    rig = stepping()
    bpy.context.view_layer.objects.active = rig
    assert problems.placement_problem(bpy.context) == ""
    rig.bioik.feet.grounds[0].object = None
    assert problems.placement_problem(bpy.context) == "Add an object or collection to Ground first"
    collection = bpy.data.collections.new("Ground")
    rig.bioik.feet.grounds[0].collection = collection
    assert problems.placement_problem(bpy.context) == ""


def test_live_solving_waits_for_other_work() -> None:
    waving()
    assert problems.live_problem(bpy.context) == ""
    begin("Bake", "Reading")
    assert "Another operation is running" in problems.live_problem(bpy.context)


def test_only_baked_armatures_can_be_re_baked() -> None:
    rig = waving()
    assert problems.rebaking_problem(bpy.context)
    bpy.ops.bioik.bake(frame_start=10, frame_end=12)
    assert rig.bioik.baked.result is not None
    assert problems.rebaking_problem(bpy.context) == ""
