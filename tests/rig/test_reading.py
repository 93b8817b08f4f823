"""Reading in slices gives the same as at once, and restores the scene wherever it ends.

Tests of: errors.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.bake.bake import BakeOptions, read_goals
from blender_bioik.rig.errors import Cancelled
from blender_bioik.rig.feet.read_feet import read_feet
from blender_bioik.rig.reading import Reading, drained

from ..builders.bakes import waving
from ..builders.placements import stepping
from ..builders.snapshots import all_data, differences

OPTIONS = BakeOptions(2, 9)
FRAMES = 8


def counting(ended: list[str]) -> Reading[str]:
    try:
        for row in range(3):
            yield row, 3
        yield 3, 3
    finally:
        ended.append("ended")
    return "read"


def test_draining_reports_progress_after_each_frame() -> None:
    told: list[tuple[int, int]] = []
    assert drained(counting([]), lambda *now: told.append(now)) == "read"
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_draining_can_be_cancelled_before_each_frame_and_closes_the_generator(frames: int) -> None:
    ended: list[str] = []
    answers = iter([False] * frames + [True])
    with pytest.raises(Cancelled):
        drained(counting(ended), cancelled=lambda: next(answers))
    assert ended == ["ended"]


def driven(rig: bpy.types.Object) -> None:
    """Give an armature a driver, so that it cannot be read straight from F-curves."""
    curve = rig.pose.bones["head"].driver_add("location", 0)
    curve.driver.expression = "frame * 0.01"


def lifted(rig: bpy.types.Object) -> None:
    """Have an influence decided by a driver, and the ground move."""
    driven(rig)
    ground = rig.bioik.feet.grounds[0].object
    for frame, height in ((1, 0.0), (10, 0.2)):
        ground.location.z = height
        ground.keyframe_insert("location", frame=frame)


def bake_case() -> tuple[bpy.types.Object, Any]:
    rig = waving()
    driven(rig)
    influence = rig.driver_add(rig.bioik.goals[0].path_from_id("influence"))
    influence.driver.expression = "frame * 0.1"
    return rig, read_goals


def feet_case() -> tuple[bpy.types.Object, Any]:
    rig = stepping()
    lifted(rig)
    return rig, read_feet


CASES = pytest.mark.parametrize("case", [bake_case, feet_case])


@CASES
def test_step_by_step_reads_the_same_as_at_once(case: Any) -> None:
    rig, read = case()
    steps = read(bpy.context.scene, rig, OPTIONS)
    told = []
    while True:
        try:
            told.append(next(steps))
        except StopIteration as end:
            stepwise = end.value.source
            break
    # Influences and the clip, or the clip and the ground: each is evaluated frame by frame.
    assert [now for now in told if now[0] < FRAMES] == 2 * [(row, FRAMES) for row in range(FRAMES)]
    at_once = drained(read(bpy.context.scene, rig, OPTIONS)).source
    np.testing.assert_array_equal(stepwise.clip.pose, at_once.clip.pose)
    for ours, theirs in zip(stepwise.goals, at_once.goals, strict=True):
        np.testing.assert_array_equal(ours.influence, theirs.influence)


@CASES
@pytest.mark.parametrize("after", [1, 4, FRAMES + 3])
def test_after_an_early_end_the_scene_is_as_before(case: Any, after: int) -> None:
    rig, read = case()
    bpy.context.scene.frame_set(5, subframe=0.25)
    rig.pose.bones["chest"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)  # not keyed
    before = all_data()
    steps = read(bpy.context.scene, rig, OPTIONS)
    for _ in range(after):
        next(steps)
    assert after != 4 or bpy.context.scene.frame_current == 4
    steps.close()
    assert differences(before, all_data()) == []
