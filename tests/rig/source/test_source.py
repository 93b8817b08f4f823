"""Sources: any rows of a source equal reading their frames alone.

Tests of: held, options, read_source, solver_settings, source_goals.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.clip.sampling import Clip
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.problem.goals_problem import goals_problem
from blender_bioik.rig.reading import drained
from blender_bioik.rig.source.options import BakeOptions
from blender_bioik.rig.source.read_source import read_source
from blender_bioik.rig.source.source import Source

from ...builders.bakes import waving


def moving_target() -> bpy.types.Object:
    """A person whose goal follows a moving target by a keyed influence, and a held-back spine."""
    rig = waving()
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    for frame in (1, 30):
        target.location = (0.3, -0.01 * frame, 1.4)
        target.keyframe_insert("location", frame=frame)
    goal = rig.bioik.goals[0]
    goal.target, goal.point = target, (0.0, 0.0, 0.0)
    for frame, influence in ((1, 0.2), (30, 0.9)):
        goal.influence = influence
        rig.keyframe_insert(goal.path_from_id("influence"), frame=frame)
    rig.pose.bones["chest"].constraints.new("COPY_ROTATION").target = target
    return rig


def read(rig: bpy.types.Object, first: int, last: int) -> Source:
    return drained(read_source(bpy.context.scene, rig, BakeOptions(first, last)))


def assert_same(one: Source, other: Source) -> None:
    for field in fields(Clip):
        ours, theirs = getattr(one.clip, field.name), getattr(other.clip, field.name)
        np.testing.assert_array_equal(ours, theirs, field.name)
    for ours, theirs in zip(one.tracks, other.tracks, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for goal, again in zip(one.goals, other.goals, strict=True):
        np.testing.assert_array_equal(goal.influence, again.influence)
        np.testing.assert_array_equal(goal.target, again.target)


@pytest.mark.parametrize("rows", [slice(4, 12), np.arange(4, 12)])
def test_rows_equal_reading_their_frames(rows: Any) -> None:
    rig = moving_target()
    part, again = read(rig, 1, 30).rows(rows), read(rig, 5, 12)
    assert_same(part, again)
    solved = [goals_problem(source).poses().values for source in (part, again)]
    assert solved[0].tobytes() == solved[1].tobytes()


def test_rows_of_a_loop_may_be_repeated() -> None:
    source = read(moving_target(), 1, 10)
    rows = np.array([8, 9, 0, 1, 2, 0])
    repeated = source.rows(rows)
    np.testing.assert_array_equal(repeated.frames, source.frames[rows])
    np.testing.assert_array_equal(repeated.clip.pose, source.clip.pose[rows])
    np.testing.assert_array_equal(repeated.goals[0].influence, source.goals[0].influence[rows])


def test_over_another_clip_its_channels_count() -> None:
    source = read(moving_target(), 1, 10)
    assert source.visual
    keyed = source.posed(source.keyed_clip)
    for ours, theirs in zip(keyed.tracks, source.tracks, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(keyed.clip.pose, source.clip.pose)


def test_goals_stay_as_read_when_the_originals_change() -> None:
    rig = moving_target()
    expected = goals_problem(read(rig, 1, 10)).poses().values
    source = read(rig, 1, 10)
    rig.bioik.goals[0].offset = (1.0, 1.0, 1.0)
    rig.bioik.goals.clear()
    assert goals_problem(source).poses().values.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("options", "said"), [(BakeOptions(9, 8), "before"), (BakeOptions(1, 9, 0), "at least 1")]
)
def test_invalid_frames_are_refused(options: BakeOptions, said: str) -> None:
    with pytest.raises(RigError, match=said):
        options.frames()
