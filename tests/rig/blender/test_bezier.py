"""Subdivided F-curve segments against Blender's evaluation of the whole."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.blender.bezier import divided

from ...builders.curves import container, keyed_empty


def curve_of(frames: np.ndarray, values: np.ndarray, seed: int) -> bpy.types.FCurve:
    """A curve with free handles of random slope, of which some reach past the next key.

    Not from both sides, where it would be so steep that no key could divide it.
    """
    random = np.random.default_rng(seed)
    curve = container(keyed_empty()).fcurves[0]
    fcurves.write_keys(curve, frames, values, interpolation="BEZIER", handle_type="FREE")
    gaps = np.diff(frames, prepend=frames[0] - 10.0, append=frames[-1] + 10.0)
    for i, point in enumerate(curve.keyframe_points):
        back, out = gaps[i] * random.uniform(0.05, 0.3), gaps[i + 1] * random.uniform(0.05, 1.2)
        point.handle_left = point.co[0] - back, point.co[1] + random.normal()
        point.handle_right = point.co[0] + out, point.co[1] + random.normal()
    # Beyond its keys the curve is flat, and so are Blender's own handles there.
    first, last = curve.keyframe_points[0], curve.keyframe_points[-1]
    first.handle_left[1], last.handle_right[1] = first.co[1], last.co[1]
    return curve


def evaluated(curve: bpy.types.FCurve, frames: np.ndarray) -> np.ndarray:
    return np.array([curve.evaluate(frame) for frame in frames])


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.floats(0.5, 19.5))
def test_both_parts_add_up_to_the_whole(seed: int, at: float) -> None:
    whole = curve_of(np.array([0.0, 20.0]), np.array([1.0, -2.0]), seed)
    keys = fcurves.read_keys(whole)
    frames = np.linspace(0.0, 20.0, 41)
    wanted = evaluated(whole, frames)
    piece = [keys["co"][0], keys["handle_right"][0], keys["handle_left"][1], keys["co"][1]]

    parts = divided(np.array(piece, float), at)

    assert parts.before[3] == pytest.approx(parts.after[0])
    fcurves.write_keys(
        whole, *np.array([parts.before[0], parts.before[3], parts.after[3]]).T,
        interpolation="BEZIER", handle_type="FREE",
    )  # fmt: skip
    whole.keyframe_points[0].handle_right = parts.before[1]
    whole.keyframe_points[1].handle_left = parts.before[2]
    whole.keyframe_points[1].handle_right = parts.after[1]
    whole.keyframe_points[2].handle_left = parts.after[2]
    np.testing.assert_allclose(evaluated(whole, frames), wanted, atol=2e-4)
    bpy.data.objects.remove(bpy.data.objects["Empty"])


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(-5, 45), st.integers(0, 40))
def test_keys_on_a_curve_leave_its_shape_outside(seed: int, start: int, length: int) -> None:
    """Sparse keys before, within and after the range, or none of these."""
    random = np.random.default_rng(seed)
    old = np.unique(random.integers(-10, 60, 5)).astype(float)
    curve = curve_of(old, random.normal(size=len(old)), seed)
    frames = np.arange(start, start + length + 1.0)
    values = evaluated(curve, frames)
    values[1:-1] += 3.0  # within the range it is another one
    outside = np.concatenate([np.arange(-20.0, start), np.arange(frames[-1], 80.0)])
    before = evaluated(curve, outside)
    keys = fcurves.read_keys(curve)

    fcurves.replace_keys(curve, frames[0], frames[-1], frames, values)

    np.testing.assert_allclose(evaluated(curve, outside), before, atol=3e-4)
    now = fcurves.read_keys(curve)
    kept = (keys["co"][:, 0] < start) | (keys["co"][:, 0] > frames[-1])
    still = (now["co"][:, 0] < start) | (now["co"][:, 0] > frames[-1])
    for name in keys:
        if not name.startswith("handle_") or name.endswith("type"):
            np.testing.assert_array_equal(now[name][still], keys[name][kept], err_msg=name)
    bpy.data.objects.remove(bpy.data.objects["Empty"])
