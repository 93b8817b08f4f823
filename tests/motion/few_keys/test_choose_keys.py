"""Few keys against motions of which all is known.

Tests of: cubics, choose_keys.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.few_keys.choose_keys import choose_keys
from blender_bioik.motion.few_keys.cubics import fit

FRAMES = np.asarray(np.arange(10.0, 111.0), float)


def smooth(seed: int, channels: int = 2) -> Floats:
    """Random sums of waves; (f, channels)."""
    random = np.random.default_rng(seed)
    waves = random.uniform(0.02, 0.25, (5, channels))
    phases, heights = random.uniform(0.0, 6.0, (5, channels)), random.normal(size=(5, channels))
    at = FRAMES[:, None, None] * waves + phases
    return np.asarray((heights * np.sin(at)).sum(axis=1))


def blame_of(values: Sequence[Floats], allowed: float):
    def blame(found: Sequence[Floats]) -> Floats:
        pairs = zip(values, found, strict=True)
        return np.stack([np.abs(b - a).max(axis=1) / allowed for a, b in pairs], axis=1)

    return blame


@given(st.integers(0, 10_000))
def test_curves_are_hermite_splines_through_their_keys(seed: int) -> None:
    values, keys = smooth(seed), np.array([0, 7, 31, 32, 77, 100])
    curves = fit(FRAMES, values, keys)
    assert np.allclose(curves.at_rows()[keys], values[keys], atol=1e-12)
    spline = CubicHermiteSpline(FRAMES[keys], curves.values, curves.slopes)
    assert np.allclose(curves.at_rows(), spline(FRAMES), atol=1e-9)


def test_slopes_are_those_that_fit_best() -> None:
    values, keys = smooth(3, 1), np.array([0, 20, 50, 100])
    curves = fit(FRAMES, values, keys)

    def missed(slopes: Floats) -> float:
        spline = CubicHermiteSpline(FRAMES[keys], values[keys], slopes)
        return float(((spline(FRAMES) - values) ** 2).sum())

    best = missed(curves.slopes)
    for number in range(len(keys)):
        for change in (-0.05, 0.05):
            other = curves.slopes.copy()
            other[number] += change
            assert missed(other) > best


def test_a_cubic_needs_its_ends_alone() -> None:
    at = (FRAMES[:, None] - 50.0) / 30.0
    values = at**3 - 0.3 * at
    (curves,) = choose_keys(FRAMES, [values], [np.zeros(0, int)], blame_of([values], 1e-6))
    assert curves.keys.tolist() == [0, 100]


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_off_too_far_with_far_fewer_keys(seed: int) -> None:
    values = [smooth(seed), smooth(seed + 100)]
    wanted = [np.array([33]), np.zeros(0, int)]
    found = choose_keys(FRAMES, values, wanted, blame_of(values, 0.01))
    for own, curves in zip(values, found, strict=True):
        assert np.abs(curves.at_rows() - own).max() <= 0.01
        assert len(curves.keys) < 45
    assert 33 in found[0].keys
    # None of them can be spared, but for what others need.
    sparser = choose_keys(FRAMES, values, wanted, blame_of(values, 0.05))
    assert sum(len(c.keys) for c in sparser) < sum(len(c.keys) for c in found)


def test_what_jumps_keeps_a_key_on_every_frame_around_it() -> None:
    values = np.where(FRAMES < 50.0, 0.0, 1.0)[:, None]
    (curves,) = choose_keys(FRAMES, [values], [np.zeros(0, int)], blame_of([values], 1e-3))
    assert np.abs(curves.at_rows() - values).max() <= 1e-3
    assert {39, 40} <= set(curves.keys.tolist())
    assert len(curves.keys) < 30
