"""Feet that roll on a crest or over an edge come down until something of the sole touches.

Tests of: roll.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.motion.feet import BALL, HEEL, TIP, Floats, Foot
from blender_bioik.motion.plan.roll import roll_drop

from ...builders.motion.gaits import foot_along

PARTS = 8
ALL = slice(0, 5)


def heel_strike(*pitches: float) -> Foot:
    """A foot, toes to -Y, that stands on its heel with its ball at some heights, metres."""
    foot = foot_along("leg", np.zeros((len(pitches), 3)))
    heel, ball, _ = foot.points[0, :, 1]
    share = (foot.points[..., 1] - heel) / (ball - heel)
    foot.points[..., 2] += share * np.array(pitches)[:, None]
    return foot


def gap_at_heel(gap: float) -> Floats:
    """A sole whose heel is over a place that is lower than its plane."""
    return np.concatenate([np.linspace(gap, 0.0, PARTS + 1), np.zeros(PARTS)])


def test_a_foot_rolls_as_animated_on_a_plane() -> None:
    foot = heel_strike(0.06, 0.03, 0.0, 0.0, 0.0)
    drop = roll_drop(foot, ALL, True, True, np.zeros(2 * PARTS + 1))
    assert drop == pytest.approx(np.zeros(5))


def test_a_heel_over_lower_ground_comes_down_to_it() -> None:
    foot = heel_strike(0.06, 0.03, 0.0, 0.0, 0.0)
    drop = roll_drop(foot, ALL, True, True, gap_at_heel(0.012))
    assert drop == pytest.approx([0.012, 0.012, 0.0, 0.0, 0.0])


def test_a_foot_does_not_come_down_further_than_its_ball() -> None:
    foot = heel_strike(0.06, 0.03, 0.0, 0.0, 0.0)
    edge = np.concatenate([np.full(PARTS, 1.0), np.zeros(PARTS + 1)])
    drop = roll_drop(foot, ALL, True, True, edge)
    assert drop == pytest.approx([0.06, 0.03, 0.0, 0.0, 0.0])


def test_a_foot_rolls_over_the_edge_that_bears_half_of_its_sole() -> None:
    foot = heel_strike(0.06, 0.03, 0.0, 0.0, 0.0)
    edge = np.concatenate([np.full(PARTS // 2, 1.0), np.zeros(PARTS + 1 + PARTS // 2)])
    drop = roll_drop(foot, ALL, True, True, edge)
    assert drop == pytest.approx([0.03, 0.015, 0.0, 0.0, 0.0])


def test_a_foot_that_is_planted_already_does_not_land() -> None:
    foot = heel_strike(0.06, 0.03, 0.0, 0.0, 0.0)
    drop = roll_drop(foot, ALL, False, True, gap_at_heel(0.012))
    assert drop == pytest.approx(np.zeros(5))


@given(
    st.lists(st.floats(0.0, 0.1), min_size=5, max_size=5),
    st.lists(st.floats(0.0, 0.2), min_size=2 * PARTS + 1, max_size=2 * PARTS + 1),
)
def test_no_part_of_the_sole_comes_below_the_ground(
    pitches: list[float], gaps: list[float]
) -> None:
    foot = heel_strike(*pitches)
    gap = np.array(gaps)
    gap[PARTS] = 0.0  # the ball is on the plane
    drop = roll_drop(foot, ALL, True, True, gap)
    bottoms = foot.points[..., 2] - foot.clearance
    bottoms = bottoms - bottoms[:, BALL].min()
    for point, over in ((HEEL, gap[0]), (BALL, 0.0), (TIP, gap[-1])):
        assert (np.maximum(bottoms[:, point], 0.0) + over - drop >= -1e-12).all()
    assert (drop >= -1e-12).all()
