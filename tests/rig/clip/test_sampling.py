"""Clips read from F-curves against clips read through the dependency graph, and against Blender.

Tests of: curve_only.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.clip import sampling
from blender_bioik.rig.clip.curve_only import object_plain_reason, plain_reason
from blender_bioik.rig.clip.sampling import Clip, sample, sample_clip, sample_matrices
from blender_bioik.rig.clip.skeleton import pose_matrices, read_skeleton
from blender_bioik.rig.errors import Cancelled, RigError

from ...builders.rigs import (
    SHARED,
    add_armature,
    add_chain,
    humanoid,
    key_randomly,
    rig_of_all_flags,
    use_all_rotation_modes,
)

FRAMES = np.arange(-3.0, 48.0)
# Blender computes in 32 bits, along chains of up to a dozen bones.
ROUNDING = 5e-6


def through_blender(rig: bpy.types.Object, frames: np.ndarray) -> dict[str, np.ndarray]:
    """Evaluated matrices frame by frame by the plainest means there are."""
    names = read_skeleton(rig).names
    found: dict[str, list[object]] = {"pose": [], "basis": [], "world": []}
    for frame in frames:
        whole = int(np.floor(frame))
        bpy.context.scene.frame_set(whole, subframe=frame - whole)
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        bones = evaluated.pose.bones
        found["pose"].append([np.array(bones[name].matrix) for name in names])
        found["basis"].append([np.array(bones[name].matrix_basis) for name in names])
        found["world"].append(np.array(evaluated.matrix_world))
    return {name: np.array(values) for name, values in found.items()}


def forced_depsgraph(
    monkeypatch: pytest.MonkeyPatch, rig: bpy.types.Object, frames: np.ndarray
) -> Clip:
    """The slow way, although the fast one could be used."""
    with monkeypatch.context() as patch:
        patch.setattr(sampling, "plain_reason", lambda *_: "the test says so")
        return sample_clip(bpy.context.scene, rig, frames)


def check_both_ways(
    monkeypatch: pytest.MonkeyPatch, rig: bpy.types.Object, frames: np.ndarray
) -> None:
    assert plain_reason(rig) is None
    fast = sample_clip(bpy.context.scene, rig, frames)
    slow = forced_depsgraph(monkeypatch, rig, frames)
    blender = through_blender(rig, frames)
    height = read_skeleton(rig).height
    for name in ("location", "scale", "world"):
        np.testing.assert_allclose(
            getattr(fast, name), getattr(slow, name), atol=ROUNDING, err_msg=name
        )
    unlike = np.abs(np.abs(np.sum(fast.rotation * slow.rotation, axis=-1)) - 1.0)
    assert unlike.max() < 1e-6
    for clip in (fast, slow):
        np.testing.assert_allclose(clip.pose, blender["pose"], atol=ROUNDING * max(height, 1.0))
        connected = read_skeleton(rig).connected
        np.testing.assert_allclose(
            clip.basis()[:, ~connected], blender["basis"][:, ~connected], atol=ROUNDING
        )
        np.testing.assert_allclose(clip.world, blender["world"], atol=ROUNDING)


def curves_of(rig: bpy.types.Object) -> bpy.types.ID:
    found = fcurves.assigned_container(rig)
    assert found is not None
    return found


def sparse_keys(rig: bpy.types.Object) -> None:
    key_randomly(rig, [1, 9, 30, 41])


def keys_on_every_frame(rig: bpy.types.Object) -> None:
    key_randomly(rig, list(FRAMES))


def cycles(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    for i, curve in enumerate(curves_of(rig).fcurves):
        if i % 3 == 0:
            modifier = curve.modifiers.new("CYCLES")
            modifier.mode_after = "REPEAT_OFFSET" if i % 2 else "MIRROR"
        elif i % 3 == 1:
            curve.modifiers.new("NOISE").strength = 0.2


def muted_and_extrapolated(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    for i, curve in enumerate(curves_of(rig).fcurves):
        curve.mute = i % 5 == 0
        curve.extrapolation = "LINEAR" if i % 2 else "CONSTANT"
    curves_of(rig).fcurves[3].modifiers.new("CYCLES").mute = True


def missing_channels(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    container = curves_of(rig)
    for curve in list(container.fcurves)[::2]:
        container.fcurves.remove(curve)
    for bone in rig.pose.bones:
        bone.location = (0.1, -0.2, 0.3)
        bone.scale = (1.1, 0.9, 1.0)


def moving_object(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    rig.delta_location = (0.1, 0.2, 0.3)
    rig.delta_rotation_euler = (0.1, 0.5, -0.3)
    rig.delta_scale = (2.0, 1.0, 1.0)
    rig.rotation_mode = "ZXY"
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location = (1, 2, 3)
    parent.rotation_euler = (0.4, 0.2, 1.0)
    parent.keyframe_insert("rotation_euler", frame=1)
    parent.rotation_euler = (1.4, -0.2, 2.0)
    parent.keyframe_insert("rotation_euler", frame=30)
    rig.parent = parent
    rig.matrix_parent_inverse = Matrix.Rotation(0.7, 4, "Y") @ Matrix.Translation((1, 0, 2))
    for frame, value in ((1, 0.0), (20, 2.0), (40, -1.0)):
        rig.location = (value, 1.0, 0.0)
        rig.rotation_euler = (0.0, value, 0.3)
        rig.scale = (1.0 + 0.1 * value,) * 3
        for name in ("location", "rotation_euler", "scale"):
            rig.keyframe_insert(name, frame=frame)


def quaternion_object(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    rig.rotation_mode = "QUATERNION"
    rig.delta_rotation_quaternion = (0.5, 0.5, -0.5, 0.5)
    for frame, value in ((1, 0.0), (20, 2.0)):
        rig.rotation_quaternion = (1.0, value, 0.3, -value)
        rig.keyframe_insert("rotation_quaternion", frame=frame)


def axis_angle_object(rig: bpy.types.Object) -> None:
    """Whose delta rotation in quaternions does nothing."""
    sparse_keys(rig)
    rig.rotation_mode = "AXIS_ANGLE"
    rig.delta_rotation_quaternion = (0.5, 0.5, -0.5, 0.5)
    for frame, value in ((1, 0.0), (20, 2.0)):
        rig.rotation_axis_angle = (value, 0.3, 0.2, 1.0)
        rig.keyframe_insert("rotation_axis_angle", frame=frame)


def muted_groups(rig: bpy.types.Object) -> None:
    """Which silence their curves in some versions of Blender."""
    sparse_keys(rig)
    curves = curves_of(rig)
    for number, curve in enumerate(curves.fcurves):
        name = f"Group {number % 3}"
        curve.group = curves.groups.get(name) or curves.groups.new(name)
    curves.groups["Group 1"].mute = True


def stashed_actions(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    data = rig.animation_data
    other = fcurves.copy_action(data.action, "Stashed")
    slot = fcurves.matching_slot(other, fcurves.assigned_slot(rig))
    track = data.nla_tracks.new()
    fcurves.add_strip(track, "Stashed", other, slot, 1, 40).influence = 0.3
    track.mute = True


def custom_properties(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    rig.pose.bones[0]['with "quotes" and ]'] = 1.0
    rig.pose.bones[0].keyframe_insert('["with \\"quotes\\" and ]"]', frame=3)
    rig["prop"] = 2.0
    rig.keyframe_insert('["prop"]', frame=3)


def muted_constraint(rig: bpy.types.Object) -> None:
    sparse_keys(rig)
    rig.pose.bones[-1].constraints.new("LIMIT_ROTATION").mute = True


def no_animation(rig: bpy.types.Object) -> None:
    for bone in rig.pose.bones:
        bone.location = (0.1, 0.2, 0.3)


SITUATIONS = [
    sparse_keys,
    keys_on_every_frame,
    cycles,
    muted_and_extrapolated,
    missing_channels,
    moving_object,
    quaternion_object,
    axis_angle_object,
    muted_groups,
    stashed_actions,
    custom_properties,
    muted_constraint,
    no_animation,
]


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("step", [1.0, 0.4])
def test_both_ways_are_blenders(
    monkeypatch: pytest.MonkeyPatch, situation: Callable[[bpy.types.Object], None], step: float
) -> None:
    rig = humanoid()
    use_all_rotation_modes(rig)
    situation(rig)
    check_both_ways(monkeypatch, rig, FRAMES * step)


def test_both_ways_with_every_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = rig_of_all_flags()
    key_randomly(rig, [1, 20])
    check_both_ways(monkeypatch, rig, FRAMES[::7])


@pytest.mark.skipif(not SHARED.exists(), reason="../shared with its clips is not here")
def test_both_ways_with_a_bvh(monkeypatch: pytest.MonkeyPatch) -> None:
    bpy.ops.import_anim.bvh(filepath=str(SHARED / "data/mocap/02_01.bvh"))
    rig = bpy.context.object
    assert plain_reason(rig) is None
    fast = sample_clip(bpy.context.scene, rig, np.arange(0, 200))
    slow = forced_depsgraph(monkeypatch, rig, np.arange(0, 200))
    assert np.abs(fast.pose - slow.pose).max() < 1e-5 * read_skeleton(rig).height


def test_action_of_another_rig() -> None:
    donor = humanoid("Donor")
    key_randomly(donor, [1, 20])
    rig = add_armature("Other")
    add_chain(rig, 3)
    rig.pose.bones[0].location = (1, 2, 3)
    fcurves.assign_action(rig, donor.animation_data.action, fcurves.assigned_slot(donor))
    assert plain_reason(rig) is None
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    np.testing.assert_allclose(clip.pose, through_blender(rig, FRAMES)["pose"], atol=ROUNDING * 2)


@pytest.mark.skipif(not fcurves.LAYERED_ACTIONS, reason="slots came with Blender 4.4")
def test_action_without_a_matching_slot_moves_nothing() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 20])
    bpy.context.scene.frame_set(10)
    rig.animation_data.action_slot = None
    assert plain_reason(rig) is None
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    np.testing.assert_allclose(clip.pose, through_blender(rig, FRAMES)["pose"], atol=ROUNDING)
    assert np.ptp(clip.pose, axis=0).max() == 0.0


def constrained(rig: bpy.types.Object) -> None:
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.keyframe_insert("location", frame=1)
    target.location = (1, 1, 1)
    target.keyframe_insert("location", frame=40)
    constraint = rig.pose.bones["foot.L"].constraints.new("IK")
    constraint.target = target


def driven(rig: bpy.types.Object) -> None:
    rig.pose.bones["head"].driver_add("location", 2).driver.expression = "frame * 0.01"


def nla(rig: bpy.types.Object) -> None:
    data = rig.animation_data
    action, slot = data.action, fcurves.assigned_slot(rig)
    strip = fcurves.add_strip(data.nla_tracks.new(), "Strip", action, slot, 1, 40)
    strip.influence = 0.5
    data.action = None


def bone_parented(rig: bpy.types.Object) -> None:
    other = humanoid("Carrier")
    key_randomly(other, [1, 30], seed=3)
    rig.parent, rig.parent_type, rig.parent_bone = other, "BONE", "head"


def parent_constrained(rig: bpy.types.Object) -> None:
    parent = bpy.data.objects.new("Limited", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location.x = -3.0
    object_constrained(parent)
    rig.parent = parent


def object_constrained(rig: bpy.types.Object) -> None:
    rig.constraints.new("LIMIT_LOCATION").use_min_x = True


def remapped(rig: bpy.types.Object) -> None:
    bpy.context.scene.render.frame_map_new = 50


def constraint_influence(rig: bpy.types.Object) -> None:
    constraint = rig.pose.bones["head"].constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x = True
    constraint.keyframe_insert("influence", frame=1)
    constraint.mute = True


def resting(rig: bpy.types.Object) -> None:
    rig.data.pose_position = "REST"


def animated_bones(rig: bpy.types.Object) -> None:
    rig.data.keyframe_insert("pose_position", frame=1)


@pytest.mark.parametrize(
    ("make", "phrase"),
    [
        (constrained, "foot.L"),
        (driven, "drivers"),
        (nla, "NLA"),
        (bone_parented, "Carrier"),
        (object_constrained, "constraint"),
        (parent_constrained, "Limited"),
        (remapped, "remapped"),
        (constraint_influence, "influence"),
        (resting, "Rest Position"),
        (animated_bones, "armature data"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_not_plain_goes_through_the_depsgraph(
    make: Callable[[bpy.types.Object], None], phrase: str
) -> None:
    rig = humanoid()
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 9, 30, 41])
    make(rig)

    reason = plain_reason(rig, bpy.context.scene)
    clip = sample_clip(bpy.context.scene, rig, FRAMES)

    assert reason is not None
    assert phrase in reason
    blender = through_blender(rig, FRAMES)
    np.testing.assert_allclose(clip.pose, blender["pose"], atol=1e-7)
    np.testing.assert_allclose(clip.world, blender["world"], atol=1e-7)
    connected = read_skeleton(rig).connected
    np.testing.assert_allclose(
        clip.basis()[:, ~connected], blender["basis"][:, ~connected], atol=ROUNDING
    )


def test_visual_pose_differs_from_channels_under_constraints() -> None:
    rig = humanoid()
    constrained(rig)
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    assert np.abs(clip.pose - pose_matrices(read_skeleton(rig), clip.basis())).max() > 0.1


def test_frame_and_unkeyed_pose_are_restored() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 40])
    driven(rig)
    bpy.context.scene.frame_set(12, subframe=0.5)
    rig.pose.bones["hips"].location = (4, 5, 6)
    bystander = bpy.data.objects.new("Bystander", None)
    bpy.context.scene.collection.objects.link(bystander)
    bystander.keyframe_insert("location", frame=1)
    bystander.location = (7, 8, 9)
    calls: list[int] = []

    def fail(done: int, total: int) -> None:
        calls.append(done)
        assert total == len(FRAMES)
        if done == 5:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sample_clip(bpy.context.scene, rig, FRAMES, progress=fail)
    with pytest.raises(Cancelled):
        sample_clip(bpy.context.scene, rig, FRAMES, cancelled=lambda: len(calls) == 5)

    assert calls == [1, 2, 3, 4, 5]
    bpy.context.view_layer.update()
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (12, 0.5)
    assert tuple(rig.pose.bones["hips"].location) == (4, 5, 6)
    assert tuple(bystander.location) == (7, 8, 9)


def test_reading_from_curves_does_not_touch_the_frame() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 40])
    frames: list[int] = []

    def note(scene: bpy.types.Scene, *_: object) -> None:
        frames.append(scene.frame_current)

    bpy.app.handlers.frame_change_pre.append(note)
    try:
        sample_clip(bpy.context.scene, rig, FRAMES)
        assert frames == []
        driven(rig)
        sample_clip(bpy.context.scene, rig, FRAMES)
        assert len(frames) >= len(FRAMES)
    finally:
        bpy.app.handlers.frame_change_pre.remove(note)


def test_targets_of_all_kinds_in_one_pass() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 20, 40])
    constrained(rig)
    still = bpy.data.objects.new("Still", None)
    still.location = (3, 2, 1)
    follower = bpy.data.objects.new("Follower", None)
    for object_ in (still, follower):
        bpy.context.scene.collection.objects.link(object_)
    follower.constraints.new("COPY_LOCATION").target = bpy.data.objects["Target"]
    carrier = humanoid("Carrier")
    key_randomly(carrier, [1, 30], seed=3)
    carrier.location = (1, 0, 0)
    targets = [
        (still, None),
        (bpy.data.objects["Target"], None),
        (follower, None),
        (carrier, "head"),
        (rig, "foot.L"),
    ]
    bpy.context.view_layer.update()
    assert [object_plain_reason(object_) is None for object_, _ in targets] == [
        True,
        True,
        False,
        True,
        True,
    ]
    changes: list[int] = []

    def note(scene: bpy.types.Scene, *_: object) -> None:
        changes.append(scene.frame_current)

    bpy.app.handlers.frame_change_pre.append(note)
    try:
        clip, matrices = sample(bpy.context.scene, rig, FRAMES, targets)
    finally:
        bpy.app.handlers.frame_change_pre.remove(note)

    assert len(changes) == len(FRAMES) + 1  # One more to go back.
    assert matrices.shape == (5, len(FRAMES), 4, 4)
    np.testing.assert_array_equal(matrices, sample_matrices(bpy.context.scene, targets, FRAMES))
    np.testing.assert_array_equal(clip.pose, sample_clip(bpy.context.scene, rig, FRAMES).pose)
    for row in (0, 17, 44):
        bpy.context.scene.frame_set(int(FRAMES[row]))
        for k, (object_, bone) in enumerate(targets):
            expected = object_.matrix_world
            if bone:
                expected = expected @ object_.pose.bones[bone].matrix
            np.testing.assert_allclose(matrices[k, row], np.array(expected), atol=ROUNDING)


@pytest.mark.parametrize("hide", ["viewport", "eye"])
def test_hidden_armatures(hide: str) -> None:
    rig = humanoid("Hidden")
    key_randomly(rig, [1, 40])
    constrained(rig)
    expected = sample_clip(bpy.context.scene, rig, FRAMES).pose
    if hide == "eye":
        rig.hide_set(True)
        np.testing.assert_array_equal(sample_clip(bpy.context.scene, rig, FRAMES).pose, expected)
    else:
        rig.hide_viewport = True
        with pytest.raises(RigError, match="Hidden"):
            sample_clip(bpy.context.scene, rig, FRAMES)


def test_refusals_name_the_target_and_the_bone() -> None:
    rig = humanoid()
    empty = bpy.data.objects.new("Empty", None)
    with pytest.raises(RigError, match="tail"):
        sample_matrices(bpy.context.scene, [(rig, "tail")], FRAMES)
    with pytest.raises(RigError, match="Empty"):
        sample_matrices(bpy.context.scene, [(empty, "bone")], FRAMES)
    rig.pose.bones["head"].keyframe_insert("rotation_mode", frame=1)
    with pytest.raises(RigError, match="head"):
        sample_clip(bpy.context.scene, rig, FRAMES)


def test_another_scene_than_the_current_one() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 40])
    driven(rig)
    expected = through_blender(rig, FRAMES)["pose"]
    # The rig moves to the other scene: changing the window's scene without a screen crashes 4.2.
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(rig)
    bpy.context.scene.collection.objects.unlink(rig)
    clip = sample_clip(other, rig, FRAMES)
    np.testing.assert_allclose(clip.pose, expected, atol=1e-7)


def test_no_frames_and_no_bones() -> None:
    rig = add_armature()
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    assert clip.basis().shape == (len(FRAMES), 0, 4, 4)
    object_constrained(rig)
    assert sample_clip(bpy.context.scene, rig, FRAMES).pose.shape == (len(FRAMES), 0, 4, 4)
    assert sample_clip(bpy.context.scene, humanoid(), []).pose.shape == (0, 13, 4, 4)
