"""Which channels a result keys, and their values."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.rig.clip.curve_only import rotation_property
from blender_bioik.rig.clip.sampling import Clip, sample_clip
from blender_bioik.rig.clip.skeleton import Skeleton, read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.keys.keys import (
    BoneTracks,
    ChannelKeys,
    Thresholds,
    bone_channels,
    driven_channels,
    faded,
    layer_channels,
)
from blender_bioik.rig.transforms import (
    quaternion_angle,
    quaternion_from_axis_angle,
    quaternion_from_channels,
    quaternion_product,
)

from ...builders.rigs import humanoid, key_randomly, use_all_rotation_modes

FRAMES = np.arange(1, 41, dtype=float)


def source_clip(rig: bpy.types.Object) -> tuple[Skeleton, Clip]:
    return read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)


def unchanged(clip: Clip) -> BoneTracks:
    return BoneTracks(clip.location.copy(), clip.rotation.copy(), clip.scale.copy())


def turned(clip: Clip, bone: int, angle: float) -> BoneTracks:
    """The clip with one bone turned about its x axis, more and more."""
    result = unchanged(clip)
    turn = np.zeros((len(clip.frames), 4))
    turn[:, 0] = np.linspace(0.0, angle, len(clip.frames))
    turn[:, 1] = 1.0
    result.rotation[:, bone] = quaternion_product(
        clip.rotation[:, bone], quaternion_from_axis_angle(turn)
    )
    return result


def names_of(channels: list[ChannelKeys]) -> list[tuple[str, int]]:
    return [(channel.data_path, channel.index) for channel in channels]


def keyed_rig() -> bpy.types.Object:
    rig = humanoid()
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 15, 40])
    return rig


def test_no_change_keys_nothing() -> None:
    rig = keyed_rig()
    skeleton, clip = source_clip(rig)
    assert bone_channels(rig, skeleton, clip, unchanged(clip)) == []
    flipped = unchanged(clip)
    assert bone_channels(rig, skeleton, clip, flipped._replace(rotation=-clip.rotation)) == []


@pytest.mark.parametrize("name", ["hips", "chest", "head", "thigh.L", "shin.L", "foot.L", "arm.R"])
def test_rotation_in_the_bones_own_mode(name: str) -> None:
    rig = keyed_rig()
    skeleton, clip = source_clip(rig)
    bone = skeleton.index[name]
    mode = skeleton.rotation_mode[bone]
    result = turned(clip, bone, 9.0)

    channels = bone_channels(rig, skeleton, clip, result)

    count = 3 if mode not in ("QUATERNION", "AXIS_ANGLE") else 4
    path = f'pose.bones["{name}"].{rotation_property(mode)}'
    assert names_of(channels) == [(path, i) for i in range(count)]
    assert {channel.group for channel in channels} == {name}
    values = np.stack([channel.values for channel in channels], axis=1)
    angle = quaternion_angle(quaternion_from_channels(values, mode), result.rotation[:, bone])
    assert angle.max() < 1e-6
    # The first frame is on the same turn as the source, and no frame jumps by half a turn.
    assert np.abs(values[0] - clip.rotation_channels[0, bone, :count]).max() < 1e-5
    if mode != "AXIS_ANGLE":
        assert np.abs(np.diff(values, axis=0)).max() < 2.0


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "AXIS_ANGLE"])
def test_rotation_stays_on_the_turn_of_the_source(mode: str) -> None:
    rig = humanoid()
    head = rig.pose.bones["head"]
    head.rotation_mode = mode
    turns = 4.0 * np.pi + 0.3
    for frame in (1, 40):
        if mode == "AXIS_ANGLE":
            head.rotation_axis_angle = (turns, 1.0, 0.0, 0.0)
        else:
            head.rotation_euler = (turns, 0.0, 0.0)
        head.keyframe_insert(rotation_property(mode), frame=frame)
    skeleton, clip = source_clip(rig)
    result = turned(clip, skeleton.index["head"], 0.5)
    channels = bone_channels(rig, skeleton, clip, result)
    angle = channels[0].values
    np.testing.assert_allclose(angle, turns + np.linspace(0.0, 0.5, 40), atol=1e-5)


def test_layer_has_no_turns_where_the_source_jumps_by_one() -> None:
    rig = humanoid()
    head = rig.pose.bones["head"]
    head.rotation_mode = "XYZ"
    for frame, angle in ((1, 3.0), (20, 3.1), (21, -3.1), (40, -3.0)):
        head.rotation_euler = (angle, 0.0, 0.0)
        head.keyframe_insert("rotation_euler", frame=frame)
    skeleton, clip = source_clip(rig)
    result = turned(clip, skeleton.index["head"], 0.5)
    values = layer_channels(rig, skeleton, clip, result)[0].values
    np.testing.assert_allclose(values, np.linspace(0.0, 0.5, 40), atol=1e-5)


def test_fading_eases_in_and_out() -> None:
    zero, one = np.zeros((5, 1, 3)), np.ones((5, 1, 3))
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (5, 1, 1))
    clip = Clip(
        np.arange(5, dtype=float),
        zero,
        turn,
        one,
        turn,
        np.zeros((5, 4, 4)),
        np.zeros((5, 1, 4, 4)),
    )
    weight = faded(clip, BoneTracks(one, turn, one), 4.0, 0.0).location[:, 0, 0]
    np.testing.assert_allclose(weight, [0.0, 5 / 32, 0.5, 27 / 32, 1.0])


def test_thresholds() -> None:
    rig = keyed_rig()
    skeleton, clip = source_clip(rig)
    result = turned(clip, skeleton.index["head"], 0.01)
    result.location[3, skeleton.index["hips"]] += 1e-3
    result.scale[4, skeleton.index["arm.L"]] *= 1.001
    changed = {path for path, _ in names_of(bone_channels(rig, skeleton, clip, result))}
    assert changed == {
        'pose.bones["hips"].location',
        f'pose.bones["head"].{rotation_property(rig.pose.bones["head"].rotation_mode)}',
        'pose.bones["arm.L"].scale',
    }
    high = Thresholds(location=2e-3, rotation=0.02, scale=0.01)
    assert bone_channels(rig, skeleton, clip, result, high) == []


def test_locked_driven_and_connected_channels_are_left_out() -> None:
    rig = keyed_rig()
    skeleton, clip = source_clip(rig)
    result = unchanged(clip)
    result.location[:] += 0.1
    result.scale[:] += 0.1
    result.rotation[:] = quaternion_product(result.rotation, [0.8, 0.6, 0.0, 0.0])
    for bone in rig.pose.bones:
        bone.lock_location[1] = True
        bone.lock_rotation[2] = True
        bone.lock_scale[0] = True
    hips, head = rig.pose.bones["hips"], rig.pose.bones["head"]
    assert hips.rotation_mode == "QUATERNION"
    hips.lock_rotations_4d, hips.lock_rotation_w = True, True
    whole = next(b for b in rig.pose.bones if b.rotation_mode == "AXIS_ANGLE")
    whole.lock_rotation, whole.lock_rotations_4d = (True, True, True), False
    free = next(b for b in rig.pose.bones if b.name == "shin.L")
    free.lock_rotations_4d = False
    assert free.rotation_mode == "QUATERNION"
    head.driver_add("location", 0)
    head.driver_add("location", 2).mute = True  # decides nothing
    assert driven_channels(rig) == {('pose.bones["head"].location', 0)}

    channels = bone_channels(rig, skeleton, clip, result)

    found: dict[str, list[int]] = {}
    for path, index in names_of(channels):
        found.setdefault(path, []).append(index)
    assert found['pose.bones["hips"].location'] == [0, 2]
    assert found['pose.bones["head"].location'] == [2]
    assert found['pose.bones["hips"].scale'] == [1, 2]
    assert found['pose.bones["hips"].rotation_quaternion'] == [1, 2]
    assert found['pose.bones["chest"].rotation_euler'] == [0, 1]
    assert f'pose.bones["{whole.name}"].rotation_axis_angle' not in found
    assert found['pose.bones["shin.L"].rotation_quaternion'] == [0, 1, 2, 3]
    assert 'pose.bones["shin.L"].location' not in found


def test_bone_names_with_quotes() -> None:
    rig = humanoid()
    rig.pose.bones["head"].name = 'the "head" \\'
    skeleton, clip = source_clip(rig)
    channels = bone_channels(
        rig, skeleton, clip, turned(clip, skeleton.index['the "head" \\'], 1.0)
    )
    assert rig.path_resolve(channels[0].data_path) is not None


def test_numbers_that_are_not_finite_are_refused() -> None:
    rig = keyed_rig()
    skeleton, clip = source_clip(rig)
    result = unchanged(clip)
    result.location[5, skeleton.index["foot.R"], 1] = np.nan
    with pytest.raises(RigError, match=r"foot\.R"):
        bone_channels(rig, skeleton, clip, result)
    with pytest.raises(RigError, match=r"foot\.R"):
        layer_channels(rig, skeleton, clip, result)


@given(st.floats(0.0, 30.0), st.floats(0.0, 30.0), st.integers(0, 2**32 - 1))
def test_fading(fade_in: float, fade_out: float, seed: int) -> None:
    random = np.random.default_rng(seed)

    def tracks() -> BoneTracks:
        turns = quaternion_from_channels(random.normal(size=(40, 2, 4)), "QUATERNION")
        return BoneTracks(random.normal(size=(40, 2, 3)), turns, random.normal(size=(40, 2, 3)))

    before, after = tracks(), tracks()
    clip = Clip(FRAMES, *before, before.rotation, np.zeros((40, 4, 4)), np.zeros((40, 2, 4, 4)))

    result = faded(clip, after, fade_in, fade_out)

    part = np.abs(result.location - before.location) / np.abs(after.location - before.location)
    weight = part[:, 0, 0]
    np.testing.assert_allclose(part, np.broadcast_to(weight[:, None, None], part.shape), atol=1e-6)
    angle = quaternion_angle(before.rotation, result.rotation)
    whole = quaternion_angle(before.rotation, after.rotation)
    np.testing.assert_allclose(angle, whole * weight[:, None], atol=1e-6)
    inside = (FRAMES - FRAMES[0] >= fade_in) & (FRAMES[-1] - FRAMES >= fade_out)
    np.testing.assert_allclose(weight[inside], 1.0, atol=1e-9)
    assert (weight[0] == 0.0) == (fade_in > 0.0)
    assert (weight[-1] == 0.0) == (fade_out > 0.0)
    assert (weight[~inside] < 1.0 + 1e-12).all()
