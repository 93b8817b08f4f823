"""What is not animated is refused with the way out, and a clip's own frames are the default.

Tests of: rig.clip.animation, rig.keys.clip_frames, ui_state.problems.
"""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.keys.clip_frames import clip_frames

from ...builders.bakes import add_goal, generated_frames, waving
from ...builders.placements import stepping
from ...builders.snapshots import differences, file_data


def no_action(rig: bpy.types.Object) -> None:
    rig.animation_data_clear()


def empty_action(rig: bpy.types.Object) -> None:
    fcurves.assign_action(rig, fcurves.new_action("Empty", rig))


def action_of_another_rig(rig: bpy.types.Object) -> None:
    action = fcurves.new_action("Other", rig)
    container = fcurves.ensure_container(action, fcurves.ensure_slot(action, rig))
    curve = fcurves.ensure_curve(container, 'pose.bones["wing"].location', 0)
    fcurves.write_keys(curve, [1.0, 9.0], [0.0, 1.0])
    fcurves.assign_action(rig, action, fcurves.ensure_slot(action, rig))


def slot_of_another_object(rig: bpy.types.Object) -> None:
    if not fcurves.LAYERED_ACTIONS:
        pytest.skip("actions have slots from Blender 4.4 on")
    rig.animation_data.action_slot = None


NOT_ANIMATED = {
    no_action: '"Rig" has no animation: assign an action to it first.',
    empty_action: (
        'The action "Empty" has no keyframes for "Rig": assign another action, or another slot of '
        "it."
    ),
    action_of_another_rig: (
        'The action "Other" has no keyframes for bones of "Rig": it was made for another armature. '
        "Assign another action, or another slot of it."
    ),
    slot_of_another_object: (
        'The action "RigAction" is assigned to "Rig" without a slot, so nothing is animated: '
        "choose a slot in the Action Editor."
    ),
}


@pytest.mark.parametrize("spoil", NOT_ANIMATED, ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize("button", ["place_feet", "bake"])
def test_what_is_not_animated_is_refused(spoil: Any, button: str) -> None:
    rig = stepping()
    add_goal(rig)
    assert getattr(bpy.ops.bioik, button).poll()
    spoil(rig)
    before = file_data()
    assert not getattr(bpy.ops.bioik, button).poll()
    with pytest.raises(RuntimeError) as caught:
        getattr(bpy.ops.bioik, button)(frame_start=1, frame_end=10)
    assert NOT_ANIMATED[spoil] in str(caught.value)
    if button == "place_feet" or spoil is not no_action:  # a script may bake a pose
        function = place_feet if button == "place_feet" else bake
        with pytest.raises(RigError) as refused:
            function(bpy.context.scene, rig, BakeOptions(1, 10))
        assert str(refused.value) == NOT_ANIMATED[spoil]
    assert differences(before, file_data()) == []


def test_a_pose_may_follow_a_target_that_moves() -> None:
    rig = waving()
    rig.animation_data_clear()
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    rig.bioik.goals[0].target = target
    assert not bpy.ops.bioik.bake.poll()
    for frame in (1, 8):
        target.location.z = 0.1 * frame
        target.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 8
    assert bpy.ops.bioik.bake() == {"FINISHED"}
    assert generated_frames(rig) == list(range(1, 9))


def test_a_rig_that_follows_another_one_is_animated() -> None:
    rig = stepping()
    rig.animation_data_clear()
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    rig.pose.bones["hips"].constraints.new("COPY_LOCATION").target = other
    assert bpy.ops.bioik.place_feet.poll()


# Frames


def test_the_frames_are_those_of_the_clip() -> None:
    rig = stepping()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 250
    assert bpy.ops.bioik.place_feet() == {"FINISHED"}
    assert generated_frames(rig) == list(range(1, 11))


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_they_are_those_of_the_source_while_the_result_plays(output: str) -> None:
    rig = stepping()
    rig.bioik.feet.plot = False
    assert clip_frames(rig) == (1, 10)
    bpy.ops.bioik.place_feet(frame_start=0, frame_end=15, output=output)
    assert clip_frames(rig) == (1, 10)


def test_a_range_set_for_the_action_counts() -> None:
    rig = stepping()
    action = rig.animation_data.action
    action.use_frame_range, action.frame_start, action.frame_end = True, 3, 7
    assert clip_frames(rig) == (3, 7)
    action.use_cyclic = True
    assert clip_frames(rig) is None


def test_other_slots_do_not_count() -> None:
    if not fcurves.LAYERED_ACTIONS:
        pytest.skip("actions have slots from Blender 4.4 on")
    rig = stepping()
    action = rig.animation_data.action
    other = bpy.data.objects.new("Other", None)
    container = fcurves.ensure_container(action, fcurves.new_slot(action, other))
    fcurves.write_keys(fcurves.ensure_curve(container, "location", 0), [1.0, 99.0], [0.0, 1.0])
    assert tuple(action.frame_range) == (1.0, 99.0)
    assert clip_frames(rig) == (1, 10)


def test_strips_count_unless_they_are_muted() -> None:
    rig = stepping()
    action, slot = rig.animation_data.action, fcurves.assigned_slot(rig)
    strip = fcurves.add_strip(rig.animation_data.nla_tracks.new(), "walk", action, slot, 1, 10)
    strip.frame_start_ui = 21.0
    fcurves.assign_action(rig, None)
    assert clip_frames(rig) == (21, 30)
    strip.mute = True
    assert clip_frames(rig) is None


def test_a_repeated_clip_has_the_scenes_frames() -> None:
    rig = stepping()
    container = fcurves.assigned_container(rig)
    assert container is not None
    container.fcurves[0].modifiers.new("CYCLES")
    assert clip_frames(rig) is None
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 20
    bpy.ops.bioik.place_feet()
    assert generated_frames(rig) == list(range(1, 21))


def test_a_pose_has_the_scenes_frames() -> None:
    rig = waving()
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in container.fcurves:
        fcurves.write_keys(curve, [1.0], [curve.evaluate(1.0)], key_type="KEYFRAME")
    assert clip_frames(rig) is None
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 2, 4
    bpy.ops.bioik.bake()
    assert set(generated_frames(rig)) == {2, 3, 4}
