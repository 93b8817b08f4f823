"""Quaternions against scipy's rotations, and sines against Python's own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blender_bioik.solver.kernels import quaternions

RANDOM = np.random.default_rng(0)
TURNS = Rotation.random(200, random_state=1)
OTHERS = Rotation.random(200, random_state=2)
VECTORS = RANDOM.normal(size=(200, 3))


def numbers(turns: Rotation) -> np.ndarray:
    """Quaternions (n, 4), w first."""
    return np.roll(turns.as_quat(), 1, axis=1)


def same(a: np.ndarray, b: np.ndarray) -> None:
    """A quaternion and its negative are the same rotation."""
    np.testing.assert_allclose(np.abs(np.sum(a * b, axis=-1)), 1.0, atol=1e-12)


def plain(kernel: object) -> object:
    """A kernel as Python, which is what it is without numba too."""
    return getattr(kernel, "py_func", kernel)


def test_products_turn_by_the_second_and_then_by_the_first() -> None:
    found = quaternions.product(numbers(TURNS), numbers(OTHERS))
    same(found, numbers(TURNS * OTHERS))
    multiply = plain(quaternions.multiply)
    assert callable(multiply)
    for a, b, expected in zip(numbers(TURNS), numbers(OTHERS), found, strict=True):
        np.testing.assert_allclose(multiply(*a, *b), expected, atol=1e-15)


def test_vectors_are_turned() -> None:
    expected = TURNS.apply(VECTORS)
    np.testing.assert_allclose(quaternions.rotated(numbers(TURNS), VECTORS), expected, atol=1e-12)
    rotate = plain(quaternions.rotate)
    assert callable(rotate)
    for q, vector, turned in zip(numbers(TURNS), VECTORS, expected, strict=True):
        np.testing.assert_allclose(rotate(*q, *vector), turned, atol=1e-12)


def test_the_conjugate_turns_back() -> None:
    same(quaternions.conjugate(numbers(TURNS)), numbers(TURNS.inv()))


def test_matrices_there_and_back() -> None:
    found = quaternions.to_matrix(numbers(TURNS))
    np.testing.assert_allclose(found, TURNS.as_matrix(), atol=1e-12)
    same(quaternions.from_matrix(found), numbers(TURNS))


@pytest.mark.parametrize("axis", range(3))
def test_half_turns_have_no_w(axis: int) -> None:
    found = quaternions.from_matrix(Rotation.from_rotvec(math.pi * np.eye(3)[axis]).as_matrix())
    np.testing.assert_allclose(np.abs(found), np.eye(4)[axis + 1], atol=1e-12)


def test_an_axis_and_an_angle() -> None:
    axes = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    angles = RANDOM.uniform(-4.0, 4.0, 200)
    found = quaternions.from_axis_angle(axes, angles)
    same(found, numbers(Rotation.from_rotvec(angles[:, None] * axes)))


def test_z_is_turned_onto_an_axis() -> None:
    axes = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    turned = quaternions.rotated(quaternions.aligning_z(axes), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(turned, axes, atol=1e-12)


def test_sines_and_cosines_to_the_last_bits() -> None:
    sine_cosine = plain(quaternions.sine_cosine)
    assert callable(sine_cosine)
    for angle in np.linspace(-40.0, 40.0, 4001):
        found = sine_cosine(angle)
        assert found == pytest.approx((math.sin(angle), math.cos(angle)), abs=1e-14)
