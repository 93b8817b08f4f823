"""The operator `bioik.rebake`: the same as the functions, one undo, and reasons."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.trace.read_trace import read_trace
from blender_bioik.rig.trace.trace import trace_of

from ...builders.files import new_file
from ...builders.placements import last_contact, placed
from ...builders.rebakes import key_bytes, move_target, reaching
from ...builders.snapshots import all_data, differences


def contact_edited() -> bpy.types.Object:
    rig = placed()
    last_contact(rig).slides = True
    return rig


def target_moved() -> bpy.types.Object:
    rig = reaching()
    move_target()
    bpy.context.scene.frame_set(3)
    return rig


@pytest.mark.parametrize(("made", "function"), [(target_moved, rebake), (contact_edited, rebake)])
def test_operator_and_function_write_the_same(made: Any, function: Any) -> None:
    written = []
    for way in ("operator", "function"):
        new_file()
        rig = made()
        if way == "operator":
            assert bpy.ops.bioik.rebake() == {"FINISHED"}
        else:
            function(bpy.context.scene, rig)
        written.append(all_data())
    assert differences(written[0], written[1]) == []


@pytest.mark.parametrize("made", [target_moved, contact_edited])
def test_one_undo_takes_all_of_it_back(made: Any) -> None:
    made()
    before = all_data()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.bioik.rebake("EXEC_DEFAULT", True)
    assert differences(before, all_data())
    bpy.ops.ed.undo()
    assert differences(before, all_data()) == []


def test_errors_are_one_sentence_and_nothing_changes() -> None:
    rig = reaching()
    before = all_data()
    with pytest.raises(RuntimeError, match="Nothing has changed since the last bake"):
        bpy.ops.bioik.rebake()
    rig.bioik.goals[0].bone = "wing"
    with pytest.raises(RuntimeError, match='refers to the bone "wing", which does not exist'):
        bpy.ops.bioik.rebake()
    rig.bioik.goals[0].bone = "forearm.L"
    assert differences(before, all_data()) == []


def test_without_a_bake_it_cannot_be_called() -> None:
    rig = reaching()
    rig.bioik.baked.result = None
    assert not bpy.ops.bioik.rebake.poll()
    with pytest.raises(RuntimeError, match="Bake goals or place feet first"):
        bpy.ops.bioik.rebake()


def test_deleted_keys_are_baked_again() -> None:
    rig = reaching()
    before = key_bytes(rig)
    bpy.ops.bioik.delete_generated_keys(frame_start=30, frame_end=34)
    assert bpy.ops.bioik.rebake() == {"FINISHED"}
    after = key_bytes(rig)
    assert all(keys.keys() == after[channel].keys() for channel, keys in before.items())


@pytest.mark.parametrize("made", [target_moved, contact_edited])
def test_the_overlays_paths_are_those_of_the_new_result(made: Any) -> None:
    rig = made()
    assert trace_of(rig) is not None
    assert bpy.ops.bioik.rebake() == {"FINISHED"}
    drawn = trace_of(rig)
    assert drawn is not None
    again = read_trace(bpy.context.scene, rig)
    np.testing.assert_array_equal(drawn.frames, again.frames)
    np.testing.assert_allclose(drawn.pelvis, again.pelvis, atol=1e-6)
    assert drawn.ghost is not None
    assert again.ghost is not None
    np.testing.assert_allclose(drawn.ghost, again.ghost, atol=1e-6)
