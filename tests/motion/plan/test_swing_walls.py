"""Walls that swinging feet stay behind for a moment."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, TIP
from blender_bioik.motion.plan.swing_walls import Walls, find_walls
from blender_bioik.motion.plan.tuning import SWINGS
from blender_bioik.motion.tuning import BODY

from ...builders.motion.gaits import SCALE, gait_feet
from ...builders.motion.grounds import plan_on, plate, stairs

FIRST = np.arange(-1.7, -1.1, 0.05, dtype=float)
# Walls are found to within this, metres.
STEP = 0.015


def walls_on(first: float) -> Walls:
    return find_walls(plan_on(stairs(3, first=first)), gait_feet(), SCALE)


def test_level_and_sloping_ground_has_no_walls() -> None:
    for ground in (plate(), plate(slope=(0.1, -0.3))):
        assert not find_walls(plan_on([ground]), gait_feet(), SCALE).active.any()


def test_risers_hold_toes_back_and_lead_heels_clear() -> None:
    found = [walls_on(first) for first in FIRST]
    assert sum(walls.active[:, TIP::3].sum() for walls in found) > 0


@pytest.mark.parametrize("first", FIRST)
def test_walls_stand_at_risers_and_not_far_from_where_points_would_be(first: float) -> None:
    plan, feet = plan_on(stairs(3, first=first)), gait_feet()
    walls = find_walls(plan, feet, SCALE)
    rows, points = np.nonzero(walls.active)
    np.testing.assert_allclose(np.linalg.norm(walls.normal[rows, points], axis=-1), 1.0)
    risers = first - 0.35 * np.arange(3)
    for row, point in zip(rows, points, strict=True):
        i, k = divmod(int(point), 3)
        place, normal = walls.place[row, point], walls.normal[row, point]
        assert np.abs(risers - place[1]).min() < (SWINGS.step + BODY.shoe_height) * SCALE + STEP
        shift = plan.feet[i].path[row] - feet[i].points[row, BALL, :2]
        would = feet[i].points[row, k, :2] + shift
        behind = float(normal @ (place - would))
        assert 0.0 < behind < (BODY.wall + SWINGS.step + BODY.shoe_height) * SCALE
        # It does not act on planted feet.
        assert not (plan.feet[i].height_lock[row] > 0.0).any()


@pytest.mark.parametrize("first", FIRST)
def test_pitched_feet_stay_further_from_walls(first: float) -> None:
    """The upper edge of a shoe's tip is ahead of its sole where the foot points down."""
    plan, feet = plan_on(stairs(3, first=first)), gait_feet()
    risers = first - 0.35 * np.arange(3)
    walls = find_walls(plan, feet, SCALE)
    for row, point in np.argwhere(walls.active):
        i, k = divmod(int(point), 3)
        if k != TIP:
            continue
        down = feet[i].points[row, BALL] - feet[i].points[row, TIP]
        beyond = BODY.shoe_height * SCALE * max(0.0, float(down[2] / np.linalg.norm(down)))
        gap = np.abs(risers - walls.place[row, point, 1]).min()
        assert gap == pytest.approx(SWINGS.step * SCALE + beyond, abs=STEP)
