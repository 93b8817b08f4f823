"""Edges of the ground between the points of a sole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.motion.feet import RIM, Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.plan.tuning import FOOTSTEPS
from blender_bioik.motion.solve.sole_edges import depth_between, sole_parts

from ...builders.motion.grounds import follow, plate

PAIR = np.array([[0, 1]])
ROWS = np.zeros(1, int)


def depths(surfaces: list[Surface], bottoms: Floats) -> Floats:
    """Of a sole that is straight between two places (2, 3)."""
    underfoot = follow(surfaces, np.zeros((1, 2)))
    ground = underfoot.at(bottoms[None], ROWS[:, None])
    return depth_between(PAIR, bottoms[None], ROWS, ground, underfoot, 1.0)[0]


def stair(edge: float, riser: float) -> list[Surface]:
    """A step up along -Y."""
    return [plate(y=(edge, 9.0)), plate(riser, y=(-9.0, edge))]


def test_parts_of_soles_without_and_with_sides() -> None:
    np.testing.assert_array_equal(sole_parts([0, 0]), [[0, 1], [1, 2], [3, 4], [4, 5]])
    parts = sole_parts([len(RIM), 0, len(RIM)])
    # Two in the middle of each foot; three along and four across where there are sides.
    assert len(parts) == 3 * 2 + 2 * (2 * 3 + 4)
    assert parts.max() == 3 * 3 + 2 * len(RIM) - 1
    assert len(np.unique(np.sort(parts, axis=1), axis=0)) == len(parts)


@given(across=st.floats(-0.5, 0.5), along=st.floats(-0.5, 0.5), depth=st.floats(-0.1, 0.1))
def test_planes_have_no_edges(across: float, along: float, depth: float) -> None:
    ends = np.array([[0.0, 0.2, 0.0], [0.02, -0.05, 0.0]])
    ends[:, 2] = ends[:, :2] @ [across, along] - depth
    np.testing.assert_array_equal(depths([plate(slope=(across, along))], ends), 0.0)


@given(edge=st.floats(-0.04, 0.19), riser=st.floats(0.02, 0.2), heel=st.floats(0.0, 1.0))
def test_the_nose_of_a_stair_is_as_deep_as_the_sole_is_below_it(
    edge: float, riser: float, heel: float
) -> None:
    """The front end is on the upper tread; the sole falls from there to a heel above the lower."""
    front, pitch = -0.05, (1.0 - heel) * riser / 0.25
    ends = np.array([[0.0, 0.2, riser - pitch * 0.25], [0.0, front, riser]])
    found = depths(stair(edge, riser), ends)
    true = pitch * (edge - front)
    spacing = 0.25 / (FOOTSTEPS.sole_parts + 1)
    assert true - pitch * spacing - 1e-6 <= found[0] <= true + 1e-6
    assert found[1] == found[0]


@pytest.mark.parametrize("height", [0.2, 1.0])
def test_soles_above_an_edge_are_not_in_it(height: float) -> None:
    ends = np.array([[0.0, 0.2, height], [0.0, -0.05, height]])
    np.testing.assert_array_equal(depths(stair(0.1, 0.16), ends), 0.0)
