"""Actions that are declared cyclic."""

from __future__ import annotations

import bpy

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.clip.cyclic import is_cyclic

from ...builders.rigs import humanoid


def swaying() -> bpy.types.Object:
    """A person whose hips move along Y, and whose head has a single key."""
    rig = humanoid()
    hips = rig.pose.bones["hips"]
    for frame, y in ((1, 0.0), (5, 0.1), (9, 0.0)):
        hips.location.y = y
        hips.keyframe_insert("location", index=1, frame=frame)
    rig.pose.bones["head"].keyframe_insert("location", index=0, frame=1)
    return rig


def hips_curve(rig: bpy.types.Object) -> bpy.types.FCurve:
    container = fcurves.assigned_container(rig)
    assert container is not None
    return container.fcurves.find('pose.bones["hips"].location', index=1)


def test_without_an_action_nothing_repeats() -> None:
    assert not is_cyclic(humanoid())


def test_an_action_that_is_marked() -> None:
    rig = swaying()
    assert not is_cyclic(rig)
    action = rig.animation_data.action
    action.use_cyclic = True
    assert not is_cyclic(rig)  # without a range of its own it does not count
    action.use_frame_range = True
    assert is_cyclic(rig)


def test_curves_that_repeat_as_far_as_they_move() -> None:
    rig = swaying()
    modifier = hips_curve(rig).modifiers.new("CYCLES")
    assert is_cyclic(rig)
    modifier.mute = True
    assert not is_cyclic(rig)


def test_one_curve_that_does_not_repeat_is_enough() -> None:
    rig = swaying()
    hips_curve(rig).modifiers.new("CYCLES")
    head = rig.pose.bones["head"]
    head.location.x = 0.1
    head.keyframe_insert("location", index=0, frame=9)
    assert not is_cyclic(rig)


def test_curves_of_other_data_do_not_count() -> None:
    rig = swaying()
    hips_curve(rig).modifiers.new("CYCLES")
    for frame in (1, 9):
        rig.location.x = frame
        rig.keyframe_insert("location", frame=frame)
    assert is_cyclic(rig)
