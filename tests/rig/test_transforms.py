"""Transform channels against mathutils, which is Blender's own arithmetic in 32 bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mathutils import Euler, Matrix, Quaternion, Vector

from blender_bioik.rig import transforms
from blender_bioik.rig.transforms import EULER_AXES

ORDERS = sorted(EULER_AXES)
ANGLES = st.floats(-12.0, 12.0, allow_nan=False, width=32)
LENGTHS = st.floats(-10.0, 10.0, allow_nan=False, width=32)
SCALES = st.one_of(st.floats(0.1, 5.0), st.floats(-5.0, -0.1))
UNIT = st.floats(-1.0, 1.0, allow_nan=False)
SEEDS = st.integers(0, 2**32 - 1)


def vectors(numbers: Any, count: int = 3) -> Any:
    return st.lists(numbers, min_size=count, max_size=count)


@st.composite
def rotations(draw: Any) -> Quaternion:
    values = draw(vectors(UNIT, 4))
    assume(np.linalg.norm(values) > 0.1)
    return Quaternion(values).normalized()


def same_rotation(ours: Any, theirs: Any) -> bool:
    return float(transforms.quaternion_angle(ours, np.array(theirs))) < 5e-6


def smooth_rotations(seed: int, frames: int = 80) -> np.ndarray:
    """A path of rotations with steps of at most a quarter of a radian."""
    random = np.random.default_rng(seed)
    axis = np.cumsum(random.normal(size=(frames, 3)) * 0.3, axis=0) + random.normal(size=3)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    steps = transforms.quaternion_from_axis_angle(
        np.concatenate([random.uniform(0.0, 0.25, (frames, 1)), axis], axis=1)
    )
    path = [np.array(Quaternion(random.normal(size=4)).normalized())]
    for step in steps[1:]:
        path.append(transforms.quaternion_product(step, path[-1]))
    return np.array(path)


@given(vectors(ANGLES), st.sampled_from(ORDERS))
def test_quaternion_of_euler_is_mathutils(angles: list[float], order: str) -> None:
    assert same_rotation(
        transforms.quaternion_from_euler(angles, order), Euler(angles, order).to_quaternion()
    )


@given(ANGLES, vectors(UNIT))
def test_quaternion_of_axis_angle_is_mathutils(angle: float, axis: list[float]) -> None:
    assume(np.linalg.norm(axis) > 1e-3)
    expected = Matrix.Rotation(angle, 3, Vector(axis)).to_quaternion()
    assert same_rotation(transforms.quaternion_from_axis_angle([angle, *axis]), expected)


def test_rotation_without_axis_and_quaternion_of_zeros() -> None:
    np.testing.assert_array_equal(
        transforms.quaternion_from_axis_angle([1.0, 0, 0, 0]), [1, 0, 0, 0]
    )
    np.testing.assert_array_equal(transforms.unit_quaternion([0, 0, 0, 0]), [0, 1, 0, 0])


@given(rotations(), st.sampled_from(ORDERS), vectors(ANGLES))
def test_euler_is_the_same_rotation_and_no_farther_than_mathutils(
    rotation: Quaternion, order: str, near: list[float]
) -> None:
    ours = transforms.continuous_eulers([rotation], order, near)[0]
    theirs = np.array(rotation.to_euler(order, Euler(near, order)))

    # mathutils is off by its 32-bit angles near the gimbal: the input is what both must be.
    assert same_rotation(transforms.quaternion_from_euler(ours, order), rotation)
    assert np.abs(ours - near).sum() <= np.abs(theirs - near).sum() + 2e-3


@given(rotations(), st.sampled_from(ORDERS))
def test_euler_without_reference_is_mathutils(rotation: Quaternion, order: str) -> None:
    middle = EULER_AXES[order][1]
    theirs = np.array(rotation.to_euler(order))
    assume(abs(math.cos(theirs[middle])) > 0.01)
    ours = transforms.continuous_eulers([rotation], order, theirs)[0]
    np.testing.assert_allclose(ours, theirs, atol=2e-4)


@given(SEEDS, st.sampled_from(ORDERS))
def test_eulers_are_continuous_away_from_the_gimbal(seed: int, order: str) -> None:
    random = np.random.default_rng(seed)
    angles = np.cumsum(random.uniform(-0.3, 0.3, (200, 3)), axis=0)
    angles[:, EULER_AXES[order][1]] = 1.2 * np.sin(angles[:, EULER_AXES[order][1]])
    angles[:, 0] += np.linspace(0.0, 40.0, 200)

    path = transforms.continuous_eulers(
        transforms.quaternion_from_euler(angles, order), order, angles[0]
    )

    np.testing.assert_allclose(path, angles, atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("turn", [math.pi / 2, -math.pi / 2])
def test_eulers_stay_where_they_are_in_gimbal_lock(order: str, turn: float) -> None:
    middle = EULER_AXES[order][1]
    angles = np.full((20, 3), 0.4)
    angles[:, middle] = turn
    angles[:, EULER_AXES[order][0]] += np.linspace(0.0, 3.0, 20)

    path = transforms.continuous_eulers(
        transforms.quaternion_from_euler(angles, order), order, angles[0]
    )

    np.testing.assert_allclose(path, angles, atol=1e-7)


@given(SEEDS)
def test_quaternions_are_continuous_in_sign(seed: int) -> None:
    path = smooth_rotations(seed)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (len(path), 1))

    ours = transforms.continuous_quaternions(path * signs, start=path[0])

    np.testing.assert_allclose(ours, path)


@given(SEEDS)
def test_axis_angles_are_continuous_through_whole_turns(seed: int) -> None:
    random = np.random.default_rng(seed)
    axis = random.normal(size=3)
    axis /= np.linalg.norm(axis)
    angle = np.linspace(-9.0, 9.0, 151)  # Through no rotation at all, which has no axis.
    channels = np.concatenate([angle[:, None], np.tile(axis, (151, 1))], axis=1)

    ours = transforms.continuous_axis_angles(
        transforms.quaternion_from_axis_angle(channels), start=channels[0]
    )

    np.testing.assert_allclose(ours, channels, atol=1e-6)


@given(rotations())
def test_axis_angle_is_mathutils(rotation: Quaternion) -> None:
    angle, *axis = transforms.continuous_axis_angles([rotation])[0]
    assert 0.0 <= angle <= math.pi + 1e-6
    assert same_rotation(Quaternion(axis, angle), rotation)


@given(SEEDS, st.sampled_from(transforms.ROTATION_MODES))
def test_channels_are_the_same_rotations_in_every_mode(seed: int, mode: str) -> None:
    path = smooth_rotations(seed)
    channels = transforms.channels_from_quaternion(path, mode)
    back = transforms.quaternion_from_channels(channels, mode)
    assert np.max(transforms.quaternion_angle(back, path)) < 1e-6


@given(vectors(LENGTHS), rotations(), vectors(SCALES))
def test_matrix_and_decomposition_are_mathutils(
    location: list[float], rotation: Quaternion, scale: list[float]
) -> None:
    expected = Matrix.LocRotScale(Vector(location), rotation, Vector(scale))
    matrix = transforms.matrix_from_channels(location, rotation, scale)
    np.testing.assert_allclose(matrix, np.array(expected), atol=2e-5)

    our_location, our_rotation, our_scale = transforms.decompose(matrix)
    their_location, their_rotation, their_scale = expected.decompose()
    np.testing.assert_allclose(our_location, their_location, atol=1e-5)
    np.testing.assert_allclose(our_scale, their_scale, atol=2e-5)
    assert same_rotation(our_rotation, their_rotation)


@given(rotations(), rotations(), st.floats(0.0, 1.0))
def test_blended_rotation_is_on_the_shorter_arc(
    a: Quaternion, b: Quaternion, factor: float
) -> None:
    whole = float(transforms.quaternion_angle(a, b))
    assume(whole < math.pi - 1e-3)
    blend = transforms.blended_quaternion(a, b, factor)
    assert float(transforms.quaternion_angle(a, blend)) == pytest.approx(factor * whole, abs=1e-6)
    assert float(transforms.quaternion_angle(blend, b)) == pytest.approx(
        (1 - factor) * whole, abs=1e-6
    )


def test_no_frames_is_fine() -> None:
    for mode in transforms.ROTATION_MODES:
        assert len(transforms.channels_from_quaternion(np.zeros((0, 2, 4)), mode)) == 0
