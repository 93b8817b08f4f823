"""Switching between a result and its source: both play exactly, and nothing is lost.

Tests of: rig.result.compare, operators.bake.compare, keymap.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.ui_state.result_state import comparing_problem, result_state

from ...builders.bakes import constrain
from ...builders.walkers import FIRST, LAST, keys_of, walker


def poses(rig: bpy.types.Object) -> np.ndarray:
    """All bones as Blender shows them; (f, bones, 4, 4)."""
    found = []
    for frame in range(FIRST, LAST + 1, 7):
        bpy.context.scene.frame_set(frame)
        found.append([np.array(bone.matrix) for bone in rig.pose.bones])
    return np.array(found)


def placed(output: str) -> tuple[bpy.types.Object, np.ndarray]:
    """A walker with placed feet, and how it moved before."""
    rig = walker(on="hills")
    rig.bioik.feet.plot = rig.bioik.feet.markers = False
    rig.bioik.bake.output = output
    before = poses(rig)
    bpy.ops.bioik.place_feet()
    return rig, before


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_source_and_result_play_exactly_in_turn(registered: None, output: str) -> None:
    rig, before = placed(output)
    result = poses(rig)
    assert np.abs(result - before).max() > 0.01
    source = result_state(rig).source
    for _ in range(2):
        assert bpy.ops.bioik.compare() == {"FINISHED"}
        assert np.abs(poses(rig) - before).max() < 1e-6
        assert result_state(rig).hidden
        assert result_state(rig).source == source
        assert bpy.ops.bioik.compare() == {"FINISHED"}
        assert np.array_equal(poses(rig), result)
        assert result_state(rig).hidden == ""


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_placing_again_while_the_source_plays_gives_the_same(registered: None, output: str) -> None:
    rig, _ = placed(output)
    result = poses(rig)
    actions = len(bpy.data.actions)
    bpy.ops.bioik.compare()
    bpy.ops.bioik.place_feet()
    assert np.array_equal(poses(rig), result)
    assert len(bpy.data.actions) == actions


def test_constraints_that_the_bake_mutes_act_on_the_source_alone(registered: None) -> None:
    rig = constrain(walker(on="hills"), **{"shin.L": "COPY_SCALE"})
    constraint = rig.pose.bones["shin.L"].constraints[0]
    rig.bioik.feet.plot = rig.bioik.feet.markers = False
    bpy.ops.bioik.place_feet()
    assert constraint.mute
    bpy.ops.bioik.compare()
    assert not constraint.mute
    bpy.ops.bioik.compare()
    assert constraint.mute


def test_undo_is_one_step_and_the_file_keeps_a_hidden_result(
    registered: None, tmp_path: object
) -> None:
    rig, _ = placed("NEW_ACTION")
    keys = keys_of(rig)
    bpy.ops.bioik.compare()
    path = f"{tmp_path}/compared.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    name = rig.name
    bpy.ops.wm.open_mainfile(filepath=path)
    rig = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = rig
    bpy.ops.bioik.compare()
    assert keys_of(rig) == keys


def test_what_cannot_be_compared_says_why(registered: None) -> None:
    rig = walker(on="hills")
    assert "no result" in comparing_problem(rig)
    assert not bpy.ops.bioik.compare.poll()
    rig, _ = placed("IN_PLACE")
    assert "in place" in comparing_problem(rig)
    with pytest.raises(RuntimeError, match="in place"):
        bpy.ops.bioik.compare()


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_nothing_is_baked_into_the_source_while_it_plays(registered: None, output: str) -> None:
    rig, before = placed(output)
    rig.bioik.feet.contacts[-1].slides = True
    assert bpy.ops.bioik.rebake.poll()
    bpy.ops.bioik.compare()
    assert not bpy.ops.bioik.rebake.poll()
    bpy.ops.bioik.delete_generated_keys()
    assert np.abs(poses(rig) - before).max() < 1e-6
