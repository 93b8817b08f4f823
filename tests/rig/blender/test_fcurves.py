"""F-curves through this module against Blender's own evaluation of them."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blender_bioik.rig.blender import fcurves

from ...builders.curves import container, keyed_empty

FRAMES = np.arange(-5.0, 60.0)


def evaluated(curve: bpy.types.FCurve, frames: np.ndarray = FRAMES) -> np.ndarray:
    return np.array([curve.evaluate(frame) for frame in frames])


def same_keys(one: fcurves.Keys, other: fcurves.Keys) -> None:
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


def test_data_without_animation_has_no_container() -> None:
    empty = bpy.data.objects.new("Empty", None)
    assert fcurves.assigned_container(empty) is None
    empty.animation_data_create()
    assert fcurves.assigned_container(empty) is None
    assert fcurves.assigned_slot(empty) is None


def test_new_action_animates_its_owner() -> None:
    owner = keyed_empty()
    action = fcurves.new_action("Fresh", owner)
    slot = fcurves.ensure_slot(action, owner)
    target = fcurves.ensure_container(action, slot)
    curve = fcurves.ensure_curve(target, "location", 2, "Group")
    fcurves.write_keys(curve, [1, 5, 9], [1.0, 3.0, 9.0])
    fcurves.assign_action(owner, action, slot)

    bpy.context.scene.frame_set(7)

    assert owner.location.z == pytest.approx(6.0)
    assert container(owner) == target
    assert curve.group.name == "Group"
    assert fcurves.ensure_curve(target, "location", 2, "Other") == curve
    assert {point.type for point in curve.keyframe_points} == {"GENERATED"}
    assert {point.interpolation for point in curve.keyframe_points} == {"LINEAR"}
    if fcurves.LAYERED_ACTIONS:
        assert len(action.slots) == 1


@pytest.mark.skipif(not fcurves.LAYERED_ACTIONS, reason="slots came with Blender 4.4")
def test_two_owners_share_an_action_by_slots() -> None:
    one, other = keyed_empty("One"), keyed_empty("Other")
    action = one.animation_data.action
    slot = fcurves.ensure_slot(action, other)
    assert slot != fcurves.assigned_slot(one)
    target = fcurves.ensure_container(action, slot)
    fcurves.write_keys(fcurves.ensure_curve(target, "location", 0), [1], [42.0])
    fcurves.assign_action(other, action, slot)

    bpy.context.scene.frame_set(1)

    assert (one.location.x, other.location.x) == (0.0, 42.0)
    assert fcurves.ensure_slot(action, other) == slot


def test_copy_of_an_action_keeps_its_slot() -> None:
    owner = keyed_empty()
    source = owner.animation_data.action
    slot = fcurves.assigned_slot(owner)
    before = evaluated(container(owner).fcurves[0])

    copy = fcurves.copy_action(source, "Copy")
    fcurves.assign_action(owner, copy, fcurves.matching_slot(copy, slot))

    assert owner.animation_data.action == copy
    assert copy.name == "Copy"
    np.testing.assert_array_equal(evaluated(container(owner).fcurves[0]), before)
    curve = container(owner).fcurves[0]
    fcurves.write_keys(curve, [1], [99.0])
    original = fcurves.container_of(source, slot)
    assert original is not None
    np.testing.assert_array_equal(evaluated(original.fcurves[0]), before)


@pytest.mark.parametrize("frames", [FRAMES, FRAMES + 0.25, FRAMES[:3], FRAMES[::-1], FRAMES * 50])
@pytest.mark.parametrize("kind", ["BEZIER", "LINEAR", "CONSTANT", "BOUNCE", "ELASTIC"])
def test_sampling_sparse_keys_is_evaluation(frames: np.ndarray, kind: str) -> None:
    curves = container(keyed_empty())
    for curve in curves.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = kind
    curves.fcurves[0].extrapolation = "LINEAR"
    curves.fcurves[1].modifiers.new("CYCLES").mode_after = "REPEAT_OFFSET"
    curves.fcurves[2].modifiers.new("NOISE").strength = 3.0
    actions = len(bpy.data.actions)

    sampled = fcurves.sample_curves(curves, frames)

    assert len(sampled) == 3
    assert len(bpy.data.actions) == actions
    for curve in curves.fcurves:
        np.testing.assert_allclose(
            sampled[curve.data_path, curve.array_index],
            evaluated(curve, frames),
            rtol=1e-6,
            atol=1e-6,
        )


def test_sampling_keys_on_every_frame_is_exact() -> None:
    curves = container(keyed_empty())
    values = np.random.default_rng(0).normal(size=len(FRAMES))
    fcurves.write_keys(curves.fcurves[0], FRAMES, values)
    sampled = fcurves.sample_curves(curves, FRAMES[::-2])
    np.testing.assert_array_equal(sampled["location", 0], values.astype(np.float32)[::-2])


def test_sampling_keys_on_every_frame_under_a_modifier() -> None:
    curves = container(keyed_empty())
    curve = curves.fcurves[0]
    fcurves.write_keys(curve, FRAMES, np.zeros(len(FRAMES)))
    curve.modifiers.new("NOISE").strength = 2.0
    sampled = fcurves.sample_curves(curves, FRAMES)["location", 0]
    assert np.abs(sampled).max() > 0.1
    np.testing.assert_allclose(sampled, evaluated(curve), atol=1e-6)


def test_curves_that_do_not_act_are_left_out() -> None:
    curves = container(keyed_empty())
    curves.fcurves[0].mute = True
    curves.fcurves[1].keyframe_points.clear()
    assert list(fcurves.sample_curves(curves, FRAMES)) == [("location", 2)]
    assert fcurves.sample_curves(None, FRAMES) == {}
    curves.fcurves[2].group.mute = True
    assert not fcurves.acts(curves.fcurves[2], in_strip=True)
    bpy.context.scene.frame_set(20)
    moved = bpy.data.objects["Empty"].location.z
    bpy.context.scene.frame_set(25)
    moved = abs(moved - bpy.data.objects["Empty"].location.z) > 0.0
    assert fcurves.acts(curves.fcurves[2]) == moved


@settings(max_examples=30)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["AUTO", "AUTO_CLAMPED", "ALIGNED", "VECTOR", "FREE"]),
    st.floats(-10, 50),
    st.floats(0, 40),
)
def test_replacing_keys_leaves_the_others_alone(
    seed: int, handle_type: str, start: float, length: float
) -> None:
    random = np.random.default_rng(seed)
    end = start + length
    curves = container(keyed_empty())
    curve = curves.fcurves[0]
    old_frames = np.unique(random.integers(-10, 60, 12)).astype(float)
    fcurves.write_keys(
        curve,
        old_frames,
        random.normal(size=len(old_frames)),
        interpolation="BEZIER",
        key_type="EXTREME",
        handle_type=handle_type,
    )
    for point in curve.keyframe_points:
        point.easing = "EASE_OUT"
        point.back = random.uniform(1, 2)
        point.select_left_handle = bool(random.integers(2))
    old = fcurves.read_keys(curve)
    frames = np.unique(np.round(random.uniform(start, end, 9), 1))
    frames = frames[np.concatenate([[True], np.diff(frames) > 0.05])]
    frames = frames[(frames >= start) & (frames <= end)]
    values = random.normal(size=len(frames))

    fcurves.replace_keys(curve, start, end, frames, values)

    new = fcurves.read_keys(curve)
    slack = fcurves.SAME_FRAME
    kept = (old["co"][:, 0] < start - slack) | (old["co"][:, 0] > end + slack)
    still = (new["co"][:, 0] < start - slack) | (new["co"][:, 0] > end + slack)
    same_keys({n: c[kept] for n, c in old.items()}, {n: c[still] for n, c in new.items()})
    np.testing.assert_allclose(
        new["co"][~still], np.stack([frames, values], 1).reshape(-1, 2), atol=1e-5
    )
    np.testing.assert_allclose(evaluated(curve, frames), values, atol=1e-5)
    bpy.data.objects.remove(bpy.data.objects["Empty"])


def test_last_new_key_leads_on_to_the_next_as_before() -> None:
    curve = container(keyed_empty()).fcurves[0]
    for point in curve.keyframe_points:
        point.interpolation = "CONSTANT"
    fcurves.replace_keys(curve, 5, 15, [5, 10, 15], [0.0, 1.0, 2.0])
    found = [(point.co.x, point.interpolation) for point in curve.keyframe_points]
    assert found == [
        (1, "CONSTANT"),
        (5, "LINEAR"),
        (10, "LINEAR"),
        (15, "CONSTANT"),
        (22, "CONSTANT"),
        (40, "CONSTANT"),
    ]
    assert curve.evaluate(21.9) == pytest.approx(2.0)


def test_replacing_in_an_empty_range_and_by_nothing() -> None:
    curve = container(keyed_empty()).fcurves[0]
    old = fcurves.read_keys(curve)
    fcurves.replace_keys(curve, 12, 20, [], [])
    same_keys(fcurves.read_keys(curve), old)
    fcurves.replace_keys(curve, 9, 11, [], [])
    assert list(fcurves.key_frames(curve)) == [1, 22, 40]
    fcurves.replace_keys(curve, 0, 100, [], [])
    assert len(curve.keyframe_points) == 0


def test_deleting_generated_keys_in_a_range() -> None:
    owner = keyed_empty()
    curves = container(owner)
    fcurves.replace_keys(curves.fcurves[0], 5, 30, np.arange(5, 31), np.zeros(26))
    fcurves.write_keys(fcurves.ensure_curve(curves, "scale", 0), np.arange(10, 20), np.ones(10))
    curves.fcurves.find("location", index=1).keyframe_points[1].type = "EXTREME"

    deleted = fcurves.delete_generated_keys(curves, 8, 25)

    assert deleted == 18 + 10
    assert list(fcurves.key_frames(curves.fcurves[0])) == [1, 5, 6, 7, 26, 27, 28, 29, 30, 40]
    assert list(fcurves.key_frames(curves.fcurves.find("location", index=1))) == [1, 10, 22, 40]
    assert curves.fcurves.find("scale", index=0) is None
    assert fcurves.delete_generated_keys(curves, 8, 25) == 0


def test_only_empty_curves_are_removed() -> None:
    curves = container(keyed_empty())
    x, y, z = curves.fcurves
    x.keyframe_points.clear()
    y.keyframe_points.clear()
    y.modifiers.new("NOISE")
    assert fcurves.remove_empty_curves(curves, [x, y, z]) == 1
    assert [curve.array_index for curve in curves.fcurves] == [1, 2]


def test_strip_plays_the_same_frames() -> None:
    owner = keyed_empty()
    curve = container(owner).fcurves[0]
    curve.modifiers.new("CYCLES")
    frames = np.array([-20.0, 1.0, 17.0, 55.0])
    expected = evaluated(curve, frames)
    action, slot = owner.animation_data.action, fcurves.assigned_slot(owner)
    track = owner.animation_data.nla_tracks.new()
    strip = fcurves.add_strip(track, "Strip", action, slot, -30, 60)
    fcurves.assign_action(owner, None)
    played = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        played.append(owner.location.x)
    np.testing.assert_allclose(played, expected, atol=1e-5)
    assert (strip.frame_start, strip.frame_end, strip.scale) == (-30, 60, 1)
    assert fcurves.strip_container(strip) == fcurves.container_of(action, slot)


def test_curves_that_hold_samples_are_read_and_get_keys() -> None:
    owner = keyed_empty()
    curve = container(owner).fcurves[0]
    frames = np.arange(5.0, 30.0)
    wanted = evaluated(curve, frames)
    curve.convert_to_samples(1, 41)

    sampled = fcurves.sample_curves(container(owner), frames)
    np.testing.assert_allclose(sampled["location", 0], wanted, atol=1e-5)

    fcurves.make_keys_of_samples(curve)
    assert [len(curve.sampled_points), len(curve.keyframe_points)] == [0, 40]
    np.testing.assert_allclose(evaluated(curve, frames), wanted, atol=1e-5)
