"""Baked keys as Blender plays them: new action, in place, layer; and refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.clip.sampling import Clip, sample_clip
from blender_bioik.rig.clip.skeleton import Skeleton, pose_matrices, read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.keys import outputs
from blender_bioik.rig.keys.keys import BoneTracks, bone_channels, faded, layer_channels
from blender_bioik.rig.transforms import (
    matrix_from_channels,
    quaternion_angle,
    quaternion_from_axis_angle,
    quaternion_from_channels,
    quaternion_product,
)

from ...builders.libraries import load, put_in_collection, save_as_library
from ...builders.rigs import humanoid, key_randomly, use_all_rotation_modes

FRAMES = np.arange(10, 31, dtype=float)
AROUND = np.arange(60, dtype=float)
# Blender combines quaternions by the arc cosine of a 32-bit number.
LAYER_TOLERANCE = 1e-3
CHANGED = ("hips", "chest", "head", "thigh.L", "arm.L", "forearm.L", "shin.R", "foot.R", "arm.R")


def keyed_rig() -> bpy.types.Object:
    rig = humanoid()
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 15, 27, 40])
    return rig


def played(rig: bpy.types.Object, frames: np.ndarray) -> np.ndarray:
    """Pose matrices as Blender evaluates them."""
    names = read_skeleton(rig).names
    poses = []
    for frame in frames:
        whole = int(np.floor(frame))
        bpy.context.scene.frame_set(whole, subframe=frame - whole)
        bones = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        poses.append([np.array(bones[name].matrix) for name in names])
    return np.array(poses)


def corrected(skeleton: Skeleton, clip: Clip, seed: int = 0, turn_size: float = 1.0) -> BoneTracks:
    """A smooth correction of some bones: location, rotation and scale."""
    random = np.random.default_rng(seed)
    wave = np.sin(np.linspace(0.5, 4.0, len(clip.frames)))[:, None]
    result = BoneTracks(clip.location.copy(), clip.rotation.copy(), clip.scale.copy())
    for name in CHANGED:
        i = skeleton.index[name]
        if not skeleton.connected[i]:
            result.location[:, i] += wave * random.normal(size=3) * 0.2
        axis = random.normal(size=3) * wave * turn_size
        turn = quaternion_from_channels(
            np.concatenate([np.ones((len(axis), 1)), axis], axis=1), "QUATERNION"
        )
        result.rotation[:, i] = quaternion_product(turn, clip.rotation[:, i])
        result.scale[:, i] *= np.exp(wave * random.normal(size=3) * 0.1)
    return result


def pose_of(skeleton: Skeleton, tracks: BoneTracks) -> np.ndarray:
    return pose_matrices(skeleton, matrix_from_channels(*tracks))


def data_of_file() -> dict[str, Any]:
    """All that the outputs could change, to compare before and after."""
    actions = {}
    for action in bpy.data.actions:
        containers = [action]
        if fcurves.LAYERED_ACTIONS:
            containers = [fcurves.container_of(action, slot) for slot in action.slots]
        curves = [c for container in containers if container for c in container.fcurves]
        actions[action.name] = {
            (c.data_path, c.array_index): [
                (tuple(k.co), tuple(k.handle_left), tuple(k.handle_right), k.type, k.interpolation)
                for k in c.keyframe_points
            ]
            + [c.mute, len(c.modifiers)]
            for c in curves
        }
    objects = {}
    for object_ in bpy.data.objects:
        data = object_.animation_data
        if data:
            tracks = [[strip.name for strip in track.strips] for track in data.nla_tracks]
            objects[object_.name] = (
                data.action.name if data.action else None,
                tracks,
                data.use_nla,
            )
    return {"actions": actions, "objects": objects}


def close(ours: np.ndarray, wanted: np.ndarray, tolerance: float = 1e-5) -> None:
    """Within a part of the rig's height."""
    np.testing.assert_allclose(ours, wanted, atol=tolerance * 1.8)


def test_new_action_plays_the_result() -> None:
    rig = keyed_rig()
    bpy.context.scene.frame_set(3)
    source = rig.animation_data.action
    before = data_of_file()["actions"][source.name]
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    result = corrected(skeleton, clip)

    channels = bone_channels(rig, skeleton, clip, result)
    action = outputs.write_new_action(rig, clip.frames, channels)

    close(played(rig, FRAMES), pose_of(skeleton, result))
    assert action.name == source.name + "_bioik"
    assert rig.animation_data.action == action
    assert data_of_file()["actions"][source.name] == before
    assert source.use_fake_user
    container = fcurves.assigned_container(rig)
    written = {(c.data_path, c.index) for c in channels}
    for channel, curve in fcurves.curves_by_channel(container).items():
        types = {k.type for k in curve.keyframe_points if 10 <= k.co.x <= 30}
        assert types == ({"GENERATED"} if channel in written else {"KEYFRAME"})
        frames = fcurves.key_frames(curve)
        assert {1.0, 40.0} <= set(frames)
    again = outputs.write_new_action(rig, clip.frames, channels)
    assert again.name.startswith(source.name + "_bioik.")


def test_new_action_for_a_rig_without_one() -> None:
    rig = humanoid()
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    result = corrected(skeleton, clip)
    action = outputs.write_new_action(rig, FRAMES, bone_channels(rig, skeleton, clip, result))
    assert action.name == "Rig_bioik"
    close(played(rig, FRAMES), pose_of(skeleton, result))


def test_new_action_mutes_modifiers_and_revives_muted_curves() -> None:
    rig = keyed_rig()
    container = fcurves.assigned_container(rig)
    assert container is not None
    for i, curve in enumerate(container.fcurves):
        curve.modifiers.new("NOISE" if i % 3 else "CYCLES")
        curve.mute = i % 5 == 0
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    result = corrected(skeleton, clip)
    channels = bone_channels(rig, skeleton, clip, result)
    outputs.write_new_action(rig, FRAMES, channels)
    close(played(rig, FRAMES), pose_of(skeleton, result))
    baked = fcurves.curves_by_channel(fcurves.assigned_container(rig))
    dead = {channel for channel, c in fcurves.curves_by_channel(container).items() if c.mute}
    revived = dead & {(c.data_path, c.index) for c in channels}
    assert revived
    for channel in revived:
        np.testing.assert_array_equal(fcurves.key_frames(baked[channel]), FRAMES)
    assert not any(modifier.mute for curve in container.fcurves for modifier in curve.modifiers)


@pytest.mark.parametrize("fade", [0.0, 6.0])
def test_in_place_changes_the_range_only(fade: float) -> None:
    rig = keyed_rig()
    action = rig.animation_data.action
    container = fcurves.assigned_container(rig)
    assert container is not None
    keys = {c: fcurves.read_keys(v) for c, v in fcurves.curves_by_channel(container).items()}
    original = played(rig, AROUND)
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    # Not so far that other Euler angles of the same rotation come nearer on the way.
    result = faded(clip, corrected(skeleton, clip, turn_size=0.3), fade, fade)

    outputs.write_in_place(rig, FRAMES, bone_channels(rig, skeleton, clip, result))

    assert rig.animation_data.action == action
    assert len(bpy.data.actions) == 1
    close(played(rig, FRAMES), pose_of(skeleton, result))
    after = played(rig, AROUND)
    close(after[AROUND <= 1], original[AROUND <= 1])
    close(after[AROUND >= 40], original[AROUND >= 40])
    if fade:
        outside = (AROUND <= 10) | (AROUND >= 30)
        close(after[outside], original[outside])
    else:
        assert np.abs(after[AROUND == 10] - original[AROUND == 10]).max() > 0.01
    for channel, curve in fcurves.curves_by_channel(container).items():
        now = fcurves.read_keys(curve)
        for name, column in keys[channel].items():
            outside = (keys[channel]["co"][:, 0] < 10) | (keys[channel]["co"][:, 0] > 30)
            still = (now["co"][:, 0] < 10) | (now["co"][:, 0] > 30)
            if fade and name in ("handle_left", "handle_right"):
                continue  # shortened where they reach into the range
            np.testing.assert_array_equal(column[outside], now[name][still], err_msg=name)
    deleted = fcurves.delete_generated_keys(container, 10, 30)
    assert deleted > 0
    assert {k.type for c in container.fcurves for k in c.keyframe_points} == {"KEYFRAME"}


def without_some_curves(rig: bpy.types.Object) -> None:
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in list(container.fcurves)[::3]:
        if "quaternion" not in curve.data_path:
            container.fcurves.remove(curve)
    for bone in rig.pose.bones:
        bone.location, bone.scale = (0.1, 0.2, -0.1), (1.2, 0.8, 1.0)


def repeating(rig: bpy.types.Object) -> None:
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in container.fcurves:
        curve.modifiers.new("CYCLES").mode_after = "REPEAT_OFFSET"
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 100


def in_strips(rig: bpy.types.Object) -> None:
    data = rig.animation_data
    slot = fcurves.assigned_slot(rig)
    fcurves.add_strip(data.nla_tracks.new(), "Strip", data.action, slot, 1, 40)
    fcurves.assign_action(rig, None)


def over_strips(rig: bpy.types.Object) -> None:
    other = fcurves.copy_action(rig.animation_data.action, "Lower")
    slot = fcurves.matching_slot(other, fcurves.assigned_slot(rig))
    fcurves.add_strip(rig.animation_data.nla_tracks.new(), "Lower", other, slot, 5, 25)
    without_some_curves(rig)


def plain(rig: bpy.types.Object) -> None:
    pass


@pytest.mark.parametrize(
    "situation",
    [plain, without_some_curves, repeating, in_strips, over_strips],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("frames", [FRAMES, FRAMES[3:4], FRAMES[:5] + 0.5], ids=len)
def test_layer_plays_the_result(
    situation: Callable[[bpy.types.Object], None], frames: np.ndarray
) -> None:
    rig = keyed_rig()
    situation(rig)
    original = played(rig, AROUND)
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, frames)
    result = corrected(skeleton, clip)
    source = rig.animation_data.action
    source_data = data_of_file()["actions"]
    tracks = len(rig.animation_data.nla_tracks)

    channels = layer_channels(rig, skeleton, clip, result)
    strip = outputs.write_layer(bpy.context.scene, rig, frames, channels)

    close(played(rig, frames), pose_of(skeleton, result), LAYER_TOLERANCE)
    outside = (frames[0] > AROUND) | (frames[-1] < AROUND)
    close(played(rig, AROUND[outside]), original[outside])
    assert rig.animation_data.action is None
    held = situation is without_some_curves
    new_tracks = 1 + (source is not None) + held
    assert len(rig.animation_data.nla_tracks) == tracks + new_tracks
    assert (strip.blend_type, strip.extrapolation) == ("COMBINE", "NOTHING")
    now = data_of_file()["actions"]
    assert {name: now[name] for name in source_data} == source_data
    strip.mute = True
    close(played(rig, AROUND), original)


@pytest.mark.parametrize("angle", [3e-4, 1e-3, 3e-3, 1e-2, 0.1])
def test_layer_of_small_turns(angle: float) -> None:
    """Exact for Euler angles, and for quaternions as exact as Blender's own arithmetic allows."""
    rig = keyed_rig()
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    turn = quaternion_from_axis_angle([angle, 0.6, 0.0, 0.8])
    result = BoneTracks(clip.location, quaternion_product(clip.rotation, turn), clip.scale)
    outputs.write_layer(bpy.context.scene, rig, FRAMES, layer_channels(rig, skeleton, clip, result))
    now = sample_clip(bpy.context.scene, rig, FRAMES)
    error = quaternion_angle(now.rotation, result.rotation).max(axis=0)
    quaternions = np.array([mode == "QUATERNION" for mode in skeleton.rotation_mode])
    assert error[quaternions].max() < (4e-4 if angle > 1e-3 else 1.01e-3)
    assert error[~quaternions].max() < 2e-6


def test_layer_of_a_rig_without_action() -> None:
    rig = humanoid()
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    result = corrected(skeleton, clip)
    channels = layer_channels(rig, skeleton, clip, result)
    outputs.write_layer(bpy.context.scene, rig, FRAMES, channels)
    close(played(rig, FRAMES), pose_of(skeleton, result), LAYER_TOLERANCE)


def noisy(rig: bpy.types.Object) -> None:
    for curve in fcurves.assigned_container(rig).fcurves:  # type: ignore[union-attr]
        curve.modifiers.new("NOISE")


def muted(rig: bpy.types.Object) -> None:
    for curve in fcurves.assigned_container(rig).fcurves:  # type: ignore[union-attr]
        curve.mute = True


def locked(rig: bpy.types.Object) -> None:
    for curve in fcurves.assigned_container(rig).fcurves:  # type: ignore[union-attr]
        curve.lock = True


def muted_groups(rig: bpy.types.Object) -> None:
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in container.fcurves:
        curve.group = container.groups.get("All") or container.groups.new("All")
    container.groups["All"].mute = True


def tweaked(rig: bpy.types.Object) -> None:
    in_strips(rig)
    data = rig.animation_data
    data.nla_tracks[0].select = data.nla_tracks[0].strips[0].select = True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    assert data.use_tweak_mode


def blended(rig: bpy.types.Object) -> None:
    over_strips(rig)
    rig.animation_data.action_blend_type = "ADD"


def solo(rig: bpy.types.Object) -> None:
    over_strips(rig)
    rig.animation_data.nla_tracks[0].is_solo = True


def switched_off(rig: bpy.types.Object) -> None:
    over_strips(rig)
    rig.animation_data.use_nla = False


def partial_quaternion(rig: bpy.types.Object) -> None:
    container = fcurves.assigned_container(rig)
    assert container is not None
    container.fcurves.remove(
        container.fcurves.find('pose.bones["hips"].rotation_quaternion', index=2)
    )


def without_action(rig: bpy.types.Object) -> None:
    rig.animation_data_clear()


ALL = ("new", "place", "layer")


@pytest.mark.parametrize(
    ("situation", "refused", "phrase"),
    [
        (tweaked, ALL, "tweak"),
        (blended, ALL, "blended"),
        (noisy, ("place",), "Noise"),
        (muted, ("place",), "muted"),
        (locked, ("place",), "locked"),
        (muted_groups, ("new", "place"), "All"),
        (without_action, ("place",), "no action"),
        (solo, ("layer",), "solo"),
        (switched_off, ("layer",), "is disabled"),
        (partial_quaternion, ("layer",), "hips"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_refusals_leave_everything(
    situation: Callable[[bpy.types.Object], None], refused: tuple[str, ...], phrase: str
) -> None:
    rig = keyed_rig()
    situation(rig)
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    channels = bone_channels(rig, skeleton, clip, corrected(skeleton, clip))
    writers = {
        "new": lambda: outputs.write_new_action(rig, FRAMES, channels),
        "place": lambda: outputs.write_in_place(rig, FRAMES, channels),
        "layer": lambda: outputs.write_layer(bpy.context.scene, rig, FRAMES, channels),
    }
    before = data_of_file()
    for output in refused:
        with pytest.raises(RigError, match=phrase) as refusal:
            writers[output]()
        assert str(refusal.value).endswith(".")
        assert data_of_file() == before
    for output in set(ALL) - set(refused) - {"layer"}:
        writers[output]()
        assert data_of_file() != before


def test_no_frames_are_refused() -> None:
    rig = keyed_rig()
    before = data_of_file()
    for write in (outputs.write_new_action, outputs.write_in_place):
        with pytest.raises(RigError, match="frame range"):
            write(rig, np.zeros(0), [])
    with pytest.raises(RigError, match="frame range"):
        outputs.write_layer(bpy.context.scene, rig, np.zeros(0), [])
    assert data_of_file() == before


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A file with a keyed rig in a collection."""
    rig = keyed_rig()
    name = put_in_collection(rig).name
    path = save_as_library(tmp_path / "library.blend")
    load(path, "collections", name)
    return path


def test_linked_rig_is_refused(library: Path) -> None:
    bpy.context.scene.collection.children.link(bpy.data.collections["Character"])
    bpy.context.view_layer.update()
    rig = bpy.data.objects["Rig"]
    for check in (outputs.check_new_action, outputs.check_in_place, outputs.check_layer):
        with pytest.raises(RigError, match="Library Override") as refusal:
            check(rig)
        assert library.name in str(refusal.value)


@pytest.mark.parametrize("output", ["new", "layer"])
def test_library_override_with_a_linked_action(library: Path, output: str) -> None:
    linked = bpy.data.collections["Character"]
    bpy.context.scene.collection.children.link(linked)
    linked.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    bpy.context.view_layer.update()
    rig = next(o for o in bpy.data.objects if o.override_library)
    action = rig.animation_data.action
    assert action.library is not None
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    result = corrected(skeleton, clip)
    with pytest.raises(RigError, match="linked"):
        outputs.write_in_place(rig, FRAMES, bone_channels(rig, skeleton, clip, result))
    if output == "new":
        outputs.write_new_action(rig, FRAMES, bone_channels(rig, skeleton, clip, result))
        assert rig.animation_data.action.library is None
    else:
        channels = layer_channels(rig, skeleton, clip, result)
        outputs.write_layer(bpy.context.scene, rig, FRAMES, channels)
    tolerance = LAYER_TOLERANCE if output == "layer" else 1e-5
    close(played(rig, FRAMES), pose_of(skeleton, result), tolerance)
    bpy.ops.wm.save_as_mainfile(filepath=str(library.with_name("shot.blend")))
    bpy.ops.wm.open_mainfile(filepath=str(library.with_name("shot.blend")))
    rig = next(o for o in bpy.data.objects if o.override_library)
    close(played(rig, FRAMES), pose_of(skeleton, result), tolerance)


def test_system_override_is_refused(library: Path) -> None:
    linked = bpy.data.collections["Character"]
    bpy.context.scene.collection.children.link(linked)
    linked.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    rig = next(o for o in bpy.data.objects if o.override_library)
    if not rig.override_library.is_system_override:
        pytest.skip("this Blender makes all overrides editable")
    with pytest.raises(RigError, match="not editable"):
        outputs.check_new_action(rig)
