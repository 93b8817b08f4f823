"""Traces: the overlay's data about a bake, and that they belong to the played action.

Tests of: read_trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.trace.read_trace import read_trace
from blender_bioik.rig.trace.trace import (
    Trace,
    TracedParts,
    forget_traces,
    has_trace,
    keep_trace,
    trace_of,
)
from blender_bioik.rig.transforms import Floats

from ...builders.rigs import add_armature, add_chain, humanoid
from ...builders.snapshots import differences, file_data

FIRST, LAST = 1, 12


@pytest.fixture(autouse=True)
def no_traces() -> Iterator[None]:
    yield
    forget_traces()


@pytest.fixture
def walker() -> bpy.types.Object:
    """A person whose hips move, with a goal that turns its head."""
    rig = humanoid()
    hips = rig.pose.bones["hips"]
    for frame, along in ((FIRST, 0.0), (LAST, 1.0)):
        hips.location = (0.0, 0.0, along)
        hips.keyframe_insert("location", frame=frame)
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.point = "POSITION", "forearm.L", (0.4, -0.4, 1.6)
    goal.is_preference = True
    rig.bioik.solver.move_root = True
    return rig


def baked(rig: bpy.types.Object, output: str = "NEW_ACTION") -> Trace:
    """Bake the rig's goals; the trace that this leaves."""
    bake(bpy.context.scene, rig, BakeOptions(FIRST, LAST, output=output))  # type: ignore[arg-type]
    found = trace_of(rig)
    assert found is not None
    return found


def heads(rig: bpy.types.Object, bone: str) -> Floats:
    """Where Blender has a bone's head over the frames."""
    found = []
    for frame in range(FIRST, LAST + 1):
        bpy.context.scene.frame_set(frame)
        found.append(rig.matrix_world @ rig.pose.bones[bone].head)
    return np.array(found)


def assert_same(one: Trace, other: Trace) -> None:
    np.testing.assert_array_equal(one.frames, other.frames)
    np.testing.assert_allclose(one.pelvis, other.pelvis, atol=1e-5)
    for a, b in ((one.source_pelvis, other.source_pelvis), (one.ghost, other.ghost)):
        assert a is not None
        assert b is not None
        np.testing.assert_allclose(a, b, atol=1e-5)
    assert [foot.name for foot in one.feet] == [foot.name for foot in other.feet]
    for left, right in zip(one.feet, other.feet, strict=True):
        np.testing.assert_allclose(left.points, right.points, atol=1e-4)
        np.testing.assert_allclose(left.aside, right.aside, atol=1e-4)


def test_a_bake_leaves_the_paths_before_and_after(walker: bpy.types.Object) -> None:
    before = heads(walker, "hips")
    trace = baked(walker)

    assert trace.source_pelvis is not None
    np.testing.assert_allclose(trace.source_pelvis, before, atol=1e-5)
    np.testing.assert_allclose(trace.pelvis, heads(walker, "hips"), atol=1e-5)
    assert np.abs(trace.pelvis - before).max() > 0.01
    np.testing.assert_array_equal(trace.frames, np.arange(FIRST, LAST + 1))


def test_the_ghost_is_the_source_and_joins_its_limbs(walker: bpy.types.Object) -> None:
    hand = heads(walker, "forearm.L")
    trace = baked(walker)

    assert trace.ghost is not None
    away = np.linalg.norm(trace.ghost[:, :, 0] - hand[:, None], axis=-1)
    assert away.min(axis=1).max() < 1e-5
    # 13 bones; both thighs, both arms and the head are joined to what they hang on.
    assert trace.ghost.shape == (LAST - FIRST + 1, 13 + 5, 2, 3)


def test_feet_are_where_blender_has_them(walker: bpy.types.Object) -> None:
    trace = baked(walker)

    foot = next(foot for foot in trace.feet if foot.name == "leg.L")
    heel = foot.points[:, 0]
    np.testing.assert_allclose(heel[:, :2], heads(walker, "foot.L")[:, :2], atol=1e-5)
    assert (heel[:, 2] <= heads(walker, "foot.L")[:, 2] + 1e-6).all()
    np.testing.assert_allclose(np.linalg.norm(foot.aside, axis=-1), 1.0, atol=1e-6)
    along = foot.points[:, 2] - foot.points[:, 0]
    np.testing.assert_allclose(np.einsum("fi,fi->f", along, foot.aside), 0.0, atol=0.01)


def test_undo_of_a_bake_takes_its_trace_away_and_redo_brings_it_back(
    walker: bpy.types.Object,
) -> None:
    bpy.ops.ed.undo_push(message="before")
    trace = baked(walker, "IN_PLACE")
    bpy.ops.ed.undo_push(message="bake")

    bpy.ops.ed.undo()
    assert trace_of(bpy.data.objects["Rig"]) is None
    bpy.ops.ed.redo()
    assert trace_of(bpy.data.objects["Rig"]) is trace


def test_another_action_has_not_the_trace_of_this_one(walker: bpy.types.Object) -> None:
    source = walker.animation_data.action
    trace = baked(walker)
    result = walker.animation_data.action

    fcurves.assign_action(walker, source, None)
    assert trace_of(walker) is None
    fcurves.assign_action(walker, result, fcurves.matching_slot(result, _slot(walker)))
    assert trace_of(walker) is trace


def test_a_muted_layer_has_no_trace(walker: bpy.types.Object) -> None:
    trace = baked(walker, "LAYER")
    strip = walker.animation_data.nla_tracks[-1].strips[0]

    strip.mute = True
    assert trace_of(walker) is None
    strip.mute = False
    assert trace_of(walker) is trace


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_a_trace_is_made_again_from_the_actions_of_a_file(
    walker: bpy.types.Object, tmp_path: Path, output: str
) -> None:
    trace = baked(walker, output)
    path = str(tmp_path / "baked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    forget_traces()
    bpy.ops.wm.open_mainfile(filepath=path)
    rig = bpy.data.objects["Rig"]

    assert trace_of(rig) is None
    keep_trace(rig, read_trace(bpy.context.scene, rig))

    again = trace_of(rig)
    assert again is not None
    assert_same(again, trace)


def test_a_clip_that_was_changed_in_place_has_its_source(walker: bpy.types.Object) -> None:
    trace = baked(walker, "IN_PLACE")
    assert_same(read_trace(bpy.context.scene, walker), trace)


def test_a_clip_that_was_never_baked_has_its_own_path(walker: bpy.types.Object) -> None:
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = FIRST, LAST
    trace = read_trace(bpy.context.scene, walker)

    np.testing.assert_allclose(trace.pelvis, heads(walker, "hips"), atol=1e-5)
    assert trace.ghost is None
    assert len(trace.feet) == 2


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
@pytest.mark.parametrize("constrained", [False, True])
def test_reading_a_trace_changes_nothing(
    walker: bpy.types.Object, output: str, constrained: bool
) -> None:
    if constrained:  # so that frames are stepped through
        walker.pose.bones["head"].constraints.new("LIMIT_SCALE")
    baked(walker, output)
    bpy.context.scene.frame_set(5)
    walker.pose.bones["head"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)  # posed, not keyed
    bpy.context.view_layer.update()
    before = file_data()

    read_trace(bpy.context.scene, walker)
    bpy.context.view_layer.update()

    assert differences(before, file_data()) == []
    posed = walker.pose.bones["head"].rotation_quaternion
    np.testing.assert_allclose(posed, (0.8, 0.6, 0.0, 0.0), atol=1e-6)


def test_something_without_legs_has_a_path_and_a_ghost() -> None:
    rig = add_armature()
    names = add_chain(rig, 3, connected=True)
    rig.pose.bones[names[0]].keyframe_insert("location", frame=FIRST)
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.point, goal.is_preference = "POSITION", names[-1], (1, 1, 1), True
    trace = baked(rig)

    assert trace.feet == ()
    assert trace.ghost is not None
    assert trace.scale > 0.0


def test_rows_are_those_of_frames(walker: bpy.types.Object) -> None:
    trace = baked(walker)

    assert trace.row(FIRST) == 0
    assert trace.row(FIRST + 0.6) == 1
    assert trace.row(LAST + 1) is None
    assert trace.row(FIRST - 1) is None


def _slot(rig: bpy.types.Object) -> bpy.types.ActionSlot | None:
    return fcurves.assigned_slot(rig)


def test_what_makes_a_trace_is_called_once_and_only_when_it_is_looked_at() -> None:
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    made: list[Trace] = []

    def make() -> Trace:
        parts = TracedParts("pelvis", (), np.zeros((0, 3)), (), 1.0)
        made.append(Trace(np.arange(3.0, dtype=float), np.zeros((3, 3)), None, (), None, parts))
        return made[-1]

    keep_trace(rig, make)
    assert has_trace(rig)
    assert made == []
    assert trace_of(rig) is trace_of(rig) is made[0]
    assert len(made) == 1
