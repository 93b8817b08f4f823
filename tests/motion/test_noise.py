"""Noise of recordings, and paths without it."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, Contact, Foot
from blender_bioik.motion.noise import noise_of, steadied, steady_feet

NOISE = 0.002


def noise(rows: int, seed: int = 0) -> np.ndarray:
    return NOISE * np.random.default_rng(seed).normal(size=(rows, 3))


def test_noise_is_told_from_a_slow_movement() -> None:
    roll = np.linspace(0.0, 1.0, 60)[:, None] ** 3 * [0.0, 0.0, 0.05]
    assert noise_of([roll]) < 1e-5
    assert noise_of([roll + noise(60)]) == pytest.approx(NOISE, rel=0.3)
    assert noise_of([]) == 0.0


def test_a_path_without_noise_is_the_true_one() -> None:
    true = np.linspace(0.0, 1.0, 60)[:, None] ** 3 * [0.0, 0.0, 0.05]
    found, left = steadied(true + noise(60), NOISE)
    off = np.sqrt(np.mean((found - true) ** 2))
    assert off < 0.5 * NOISE
    assert left == pytest.approx(off, rel=0.8)


def test_a_clean_path_stays_as_it_is() -> None:
    path = np.linspace(0.0, 1.0, 20)[:, None] ** 2 * [1.0, 0.0, 1.0]
    assert steadied(path, 0.0)[0] is path


def test_feet_are_steady_in_contacts_only() -> None:
    shaken = np.zeros((80, 3, 3))
    shaken[:, BALL] = noise(80)
    foot = Foot("leg.L", shaken, np.zeros(3), np.zeros((80, 3)), np.zeros((80, 3)))
    contacts = [Contact(0, BALL, 20, 60)]
    (steady,), left = steady_feet([foot], contacts, 1.0)
    assert steady.points[20:60, BALL].std() < 0.5 * shaken[20:60, BALL].std()
    np.testing.assert_array_equal(steady.points[:20], shaken[:20])
    np.testing.assert_array_equal(steady.points[60:], shaken[60:])
    assert 0.0 < left[0] < 0.5 * NOISE
    (same,), none = steady_feet([foot], [], 1.0)
    assert same is foot
    assert none[0] == 0.0


def test_clean_recordings_are_left_as_they_are() -> None:
    shaken = np.zeros((80, 3, 3))
    shaken[:, BALL] = 0.2 * noise(80)
    foot = Foot("leg.L", shaken, np.zeros(3), np.zeros((80, 3)), np.zeros((80, 3)))
    (same,), left = steady_feet([foot], [Contact(0, BALL, 20, 60)], 1.0)
    assert same is foot
    assert left[0] == 0.0


def test_feet_that_roll_within_few_frames_are_not_noisy() -> None:
    rows = np.linspace(0.0, np.pi, 7)
    roll = np.stack([0.01 * np.sin(2 * rows), 0.0 * rows, 0.02 * np.sin(rows)], axis=1)
    assert noise_of([roll, roll]) == 0.0
