"""The shortest way to a table, a wall and a thin rail, from above, within and beside them."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.ground.terrain import Terrain
from blender_bioik.motion.rests.touch import nearest_touch, outward

from ...builders.motion.grounds import block, plate

UP, TO_ME = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
REACH = 0.12
NEAR = 2e-4
TABLE = Terrain([plate(), block((-0.5, -1.0, 0.0), (0.5, -0.3, 0.8))])
RAIL = Terrain([plate(), block((-0.02, -2.0, 0.90), (0.02, 2.0, 0.94))])


def flat(x: float, y: float, z: float) -> Floats:
    """Points of a flat hand around a place, the lowest ones at its height."""
    side = np.linspace(-0.04, 0.04, 9)
    grid = np.stack(np.meshgrid(side, side, [0.0, 0.03]), axis=-1).reshape(-1, 3)
    return np.asarray(grid + np.array([x, y, z]))


def touch(terrain: Terrain, points: Floats, *ways: Floats) -> Floats | None:
    return nearest_touch(terrain, points, 0, np.stack(ways or (UP,)), REACH)


@pytest.mark.parametrize("off", [0.07, 0.0, -0.05, -0.1])
def test_a_hand_over_or_in_a_table_comes_to_lie_on_it(off: float) -> None:
    way = touch(TABLE, flat(0.0, -0.6, 0.8 + off))
    assert way == pytest.approx([0.0, 0.0, -off], abs=NEAR)


def test_what_is_out_of_reach_is_not_there() -> None:
    assert touch(TABLE, flat(0.0, -0.6, 0.95)) is None
    assert touch(TABLE, flat(0.0, -0.6, 0.66)) is None
    assert touch(TABLE, flat(2.0, 0.0, 0.5)) is None


@pytest.mark.parametrize("y", [-0.26, -0.15])
def test_a_hand_comes_to_a_wall_from_the_side_of_the_body(y: float) -> None:
    points = flat(0.0, y, 0.5)
    towards = outward(TABLE, points, 0, REACH)
    assert np.abs(towards) == pytest.approx(TO_ME, abs=1e-6)
    way = touch(TABLE, points, UP, TO_ME)
    assert way == pytest.approx([0.0, -0.3 - (y - 0.04), 0.0], abs=NEAR)


@pytest.mark.parametrize("off", [0.05, -0.06, -0.1])
def test_a_thin_rail_is_touched_from_above(off: float) -> None:
    """Also where the hand is in it, or just below."""
    assert touch(RAIL, flat(0.0, 0.0, 0.94 + off)) == pytest.approx([0.0, 0.0, -off], abs=NEAR)


def test_a_rail_beside_the_hand_is_reached_aside() -> None:
    way = touch(RAIL, flat(0.09, 0.0, 0.96))
    assert way is not None
    assert way[2] == pytest.approx(-0.02, abs=NEAR)
    assert -REACH < way[0] < -0.02
