"""Long arms bend out of the ground, and others stay as animated.

Tests of: rig.rests.low_arms.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from benchmarks.characters import scenes
from benchmarks.characters.measure import measure
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.record.bake_record import stored_inputs
from blender_bioik.rig.source.options import BakeOptions
from blender_bioik.rig.watch.quick_changes import quick_inputs

ARMS = ("upper_arm.L", "forearm.L", "hand.L", "upper_arm.R", "forearm.R", "hand.R")


def arm_poses(rig: bpy.types.Object, first: int, last: int) -> np.ndarray:
    """The channels of the arms in every frame."""
    found = []
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        found.append([np.array(rig.pose.bones[bone].matrix_basis) for bone in ARMS])
    return np.array(found)


@pytest.mark.parametrize("ground", ["hills", "stairs"])
def test_hands_of_long_arms_stay_out_of_the_ground(ground: str) -> None:
    built = scenes.build(f"ape.walk.{ground}")
    subject = built.subject
    before = arm_poses(subject.armature, subject.first, subject.last)
    options = BakeOptions(subject.first, subject.last)
    report = place_feet(built.scene, subject.armature, options, grounds=built.grounds)
    found = measure(built.scene, subject, built.source, built.grounds)
    assert found.body < 3.0
    assert found.worst < 1.5
    assert report.summary().startswith("Good")
    bent = abs(arm_poses(subject.armature, subject.first, subject.last) - before)
    assert bent.max() > 0.05
    # Most of the time they swing as in the source.
    assert np.median(bent.max(axis=(1, 2, 3))) < 0.08


def test_arms_that_are_out_of_the_ground_keep_their_keyframes() -> None:
    built = scenes.build("plain.walk.hills")
    subject = built.subject
    before = arm_poses(subject.armature, subject.first, subject.last)
    options = BakeOptions(subject.first, subject.last)
    place_feet(built.scene, subject.armature, options, grounds=built.grounds)
    after = arm_poses(subject.armature, subject.first, subject.last)
    np.testing.assert_array_equal(after, before)


def test_nothing_has_changed_after_arms_were_bent() -> None:
    built = scenes.build("ape.walk.stairs")
    rig, subject = built.subject.armature, built.subject
    rig.bioik.feet.grounds.clear()
    for ground in built.grounds:
        rig.bioik.feet.grounds.add().object = ground
    place_feet(built.scene, rig, BakeOptions(subject.first, subject.last))
    stored = stored_inputs(rig)
    assert stored is not None
    now = quick_inputs(built.scene, rig, stored)
    assert now is not None
    np.testing.assert_array_equal(now.choices, stored.choices)
    assert now.settings == stored.settings
