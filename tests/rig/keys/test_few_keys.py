"""Few keyframes as Blender plays them, against a keyframe on every frame."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.clip.sampling import sample_clip
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.keys import outputs
from blender_bioik.rig.keys.few_keys import Held, Tolerance, few_keys
from blender_bioik.rig.keys.keys import BoneTracks, ChannelKeys, bone_channels, layer_channels
from blender_bioik.rig.transforms import (
    Floats,
    quaternion_angle,
    quaternion_from_axis_angle,
    quaternion_from_matrix3,
    quaternion_product,
)

from ...builders.rigs import humanoid, key_randomly, use_all_rotation_modes

FRAMES = np.arange(1, 61, dtype=float)
DISTANCE = 0.002
TOLERANCE = Tolerance(DISTANCE, np.radians(0.4))
MOVED = ("hips", "thigh.L", "shin.L", "foot.L", "arm.R")
# Blender combines quaternions of layers by the arc cosine of a 32-bit number.
LAYER = 2e-3


def keyed_rig() -> bpy.types.Object:
    rig = humanoid()
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 20, 41, 60])
    return rig


def channels_of(rig: bpy.types.Object, output: str) -> list[ChannelKeys]:
    """Channels of a motion that differs smoothly from the rig's in some bones."""
    skeleton = read_skeleton(rig)
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    result = BoneTracks(clip.location.copy(), clip.rotation.copy(), clip.scale.copy())
    for number, name in enumerate(MOVED):
        bone = skeleton.index[name]
        turn = 0.3 * np.sin(FRAMES / (4.0 + number))[:, None] * [0.6, 0.0, 0.8]
        angle = np.linalg.norm(turn, axis=1, keepdims=True)
        axis_angle = np.concatenate([angle, turn / np.maximum(angle, 1e-12)], axis=1)
        result.rotation[:, bone] = quaternion_product(
            result.rotation[:, bone], quaternion_from_axis_angle(axis_angle)
        )
    result.location[:, skeleton.index["hips"], 2] += 0.1 * np.cos(FRAMES / 9.0)
    make = layer_channels if output == "LAYER" else bone_channels
    return make(rig, skeleton, clip, result)


def played(rig: bpy.types.Object) -> tuple[Floats, Floats]:
    """Where the ends of all chains are and how they are turned, as Blender evaluates them."""
    ends = [bone.name for bone in rig.pose.bones if not bone.children]
    places, turns = [], []
    for frame in FRAMES:
        bpy.context.scene.frame_set(int(frame))
        matrices = [rig.matrix_world @ rig.pose.bones[name].matrix for name in ends]
        places.append(
            [[*matrix.translation, *(rig.matrix_world @ rig.pose.bones[name].tail)]
             for name, matrix in zip(ends, matrices, strict=True)]
        )  # fmt: skip
        turns.append([np.array(matrix.to_3x3().normalized()) for matrix in matrices])
    return np.array(places), quaternion_from_matrix3(np.array(turns))


def write(rig: bpy.types.Object, channels: list[ChannelKeys], output: str) -> None:
    if output == "LAYER":
        outputs.write_layer(bpy.context.scene, rig, FRAMES, channels)
    else:
        outputs.write_new_action(rig, FRAMES, channels)


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_blender_plays_the_same_motion_within_the_tolerance(output: str) -> None:
    rig = keyed_rig()
    channels = channels_of(rig, output)
    write(rig, channels, output)
    every = played(rig)
    rig = keyed_rig()
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    found = few_keys(skeleton, clip, channels_of(rig, output), TOLERANCE, layer=output == "LAYER")
    write(rig, found.channels, output)
    few = played(rig)
    more = LAYER if output == "LAYER" else 2e-5
    ways = (few[0] - every[0]).reshape(len(FRAMES), -1, 2, 3)
    distance = float(np.linalg.norm(ways, axis=-1).max())
    assert 0.0 < distance < DISTANCE + more
    assert quaternion_angle(few[1], every[1]).max() < TOLERANCE.angle + more
    assert found.distance == pytest.approx(distance, abs=more)
    assert found.keys < 0.6 * len(channels) * len(FRAMES)


def test_what_is_held_has_keys_where_it_is_taken_hold_of() -> None:
    rig = keyed_rig()
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    held = [Held("foot.L", 13, 37)]
    found = few_keys(skeleton, clip, channels_of(rig, "NEW_ACTION"), TOLERANCE, held)
    for keys in found.channels:
        assert keys.curve is not None
        if keys.group in ("hips", "thigh.L", "shin.L", "foot.L"):
            assert {13, 36} <= set(keys.curve.rows.tolist())


def test_keys_outside_of_the_frames_stay_and_handles_are_aligned() -> None:
    rig = keyed_rig()
    for curve in fcurves.curves_by_channel(fcurves.assigned_container(rig)).values():
        curve.keyframe_points.insert(100.0, 0.25)
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, FRAMES)
    channels = channels_of(rig, "NEW_ACTION")
    found = few_keys(skeleton, clip, channels, TOLERANCE).channels
    outputs.write_new_action(rig, FRAMES, found)
    curves = fcurves.curves_by_channel(fcurves.assigned_container(rig))
    for keys in found:
        assert keys.curve is not None
        curve = curves[keys.data_path, keys.index]
        frames = [point.co[0] for point in curve.keyframe_points]
        assert frames == [*FRAMES[keys.curve.rows], 100.0]
        point = curve.keyframe_points[1]
        assert point.interpolation == "BEZIER"
        assert point.type == "GENERATED"
        left, right = point.co - point.handle_left, point.handle_right - point.co
        assert left[1] * right[0] == pytest.approx(left[0] * right[1], abs=1e-4)
