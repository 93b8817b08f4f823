"""Lifts of feet by the depth of their meshes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from blender_bioik.motion.solve.mesh_lifts import mesh_lifts, remaining_depth

LEAST = 0.004
depths = arrays(np.float64, (40, 2), elements=st.floats(0.0, 0.05))


@given(depths, st.sampled_from([24.0, 30.0, 120.0]))
def test_what_is_too_deep_is_lifted_out_and_nothing_higher_than_the_deepest(
    depth: np.ndarray, rate: float
) -> None:
    lifts = mesh_lifts(depth, LEAST, rate)
    too_deep = depth > LEAST
    assert (lifts[too_deep] > depth[too_deep] - 1e-12).all()
    assert (lifts.max(axis=0) <= np.where(too_deep, depth, 0.0).max(axis=0) + 1e-12).all()


@given(arrays(np.float64, (40, 2), elements=st.floats(0.0, LEAST)))
def test_what_is_not_too_deep_stays(depth: np.ndarray) -> None:
    assert not mesh_lifts(depth, LEAST, 30.0).any()


@pytest.mark.parametrize("rate", [24.0, 60.0, 120.0])
def test_a_lift_comes_and_goes_smoothly(rate: float) -> None:
    depth = np.zeros((round(2 * rate), 1))
    depth[len(depth) // 2] = 0.02
    lifts = mesh_lifts(depth, LEAST, rate)[:, 0]
    assert lifts[0] == lifts[-1] == 0.0
    speed = np.abs(np.diff(lifts)).max() * rate
    assert speed < 0.02 / 0.04  # twice as fast as a straight way up within 80 ms


def test_other_feet_stay() -> None:
    depth = np.zeros((30, 2))
    depth[10:15, 1] = 0.01
    lifts = mesh_lifts(depth, LEAST, 30.0)
    assert not lifts[:, 0].any()
    assert lifts[10:15, 1] == pytest.approx(0.01)


def test_depths_add_up_where_lifts_help_and_end_where_they_do_not() -> None:
    before = np.array([[0.02], [0.02], [0.02], [0.0]])
    after = np.array([[0.0], [0.006], [0.019], [0.01]])
    left = remaining_depth(before, after, LEAST)[:, 0]
    assert left == pytest.approx([0.02, 0.026, 0.0, 0.0])
