"""Surfaces that sliding feet follow: above the ground, with bends that they can follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from blender_bioik.motion.feet import BALL, Contact, Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.plan.plan import Plan
from blender_bioik.motion.plan.slides import lowest_above
from blender_bioik.motion.plan.tuning import SOLES

from ...builders.motion.gaits import SCALE, foot_along
from ...builders.motion.grounds import plan_on, plate, stairs

FRAMES = 61
WAY = 2.4
HEIGHTS = arrays(float, st.integers(1, 40), elements=st.floats(-2.0, 2.0))


def slid_over(surfaces: list[Surface], speed: Floats | None = None) -> Plan:
    """The plan of a foot that slides 2.4 m along -Y; `speed` shares that out over the frames."""
    share = np.linspace(0.0, 1.0, FRAMES) if speed is None else np.cumsum(speed) / speed.sum()
    path = np.zeros((FRAMES, 3))
    path[:, 1] = -WAY * share
    feet = [foot_along("leg", path)]
    contacts = [Contact(0, point, 0, FRAMES, slides=True) for point in range(3)]
    return plan_on(surfaces, feet, contacts)


@given(HEIGHTS, st.floats(0.001, 1.0))
def test_lowest_above_is_above_and_bends_no_more_than_allowed(heights: Floats, most: float) -> None:
    found = lowest_above(heights, most)
    assert (found >= heights - 1e-12).all()
    assert np.abs(np.diff(found, n=2)).max(initial=0.0) <= most * (1.0 + 1e-6)
    assert found.max() <= heights.max() + 1e-9
    # It rests on what it is above.
    assert (found - heights).min() <= 1e-7


def test_heights_that_bend_little_stay_as_they_are() -> None:
    heights = 0.01 * np.arange(20.0, dtype=float) ** 2
    assert (lowest_above(heights, 0.0201) == heights).all()


def test_a_peak_is_passed_along_two_arcs() -> None:
    """Down from a peak by a bend of -1, then level with the ground by a bend of 1."""
    heights = np.zeros(21)
    heights[10] = 4.0
    found = lowest_above(heights, 1.0)
    assert found[10] == pytest.approx(4.0)
    assert found.sum() == pytest.approx(1 + 3 + 4 + 4 + 3 + 1)
    assert found[0] == found[-1] == pytest.approx(0.0)


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.1, -0.2)])
def test_on_a_plane_feet_stay_on_it_however_fast_they_are(slope: tuple[float, float]) -> None:
    speed = 1.0 + 0.9 * np.sin(np.arange(FRAMES))
    wanted = slid_over([plate(slope=slope)], speed).feet[0]
    off = wanted.target[..., 2] - wanted.target[..., :2] @ np.array(slope)
    np.testing.assert_allclose(off, SOLES.lift * SCALE, atol=1e-6)


@pytest.mark.parametrize("first", [-0.31, -0.5, -0.62])
def test_over_stairs_no_point_is_in_the_ground_and_nothing_jumps(first: float) -> None:
    plan = slid_over(stairs(4, riser=0.1, tread=0.4, first=first))
    wanted = plan.feet[0]
    rows = np.arange(FRAMES)[:, None]
    assert (wanted.height_lock > 0.0).all()
    ground = plan.underfoot.at(wanted.target, rows).height
    assert (wanted.target[..., 2] - ground).min() > 0.0
    bends = np.abs(np.diff(wanted.target[:, BALL, 2], n=2))
    pace = WAY / (FRAMES - 1)
    assert bends.max() <= 1.01 * pace**2 / SOLES.slide_radius
    # Not over all of them at once: it comes down to each.
    assert np.ptp(wanted.target[:, BALL, 2]) > 0.3
