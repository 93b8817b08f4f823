"""Obstacles that swinging feet step over although no sole point is above them."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, HEEL, TIP, Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.plan.swing_bumps import find_bumps

from ...builders.motion.gaits import SCALE, gait_feet
from ...builders.motion.grounds import plan_on, plate, stairs

HEIGHT = 0.1


def stand_places() -> Floats:
    """Where the left ball stands along Y."""
    plan = plan_on([plate()])
    return np.array([step.place[0, 1] for step in plan.feet[0].footsteps])


def kerb(y: float, width: float) -> list[Surface]:
    """A flat floor with a long, narrow block across the way of the left foot."""
    return [plate(), plate(HEIGHT, x=(0.0, 1.0), y=(y - width / 2.0, y + width / 2.0))]


def bumps_on(surfaces: list[Surface]) -> Floats:
    return find_bumps(plan_on(surfaces), gait_feet(), SCALE)


@pytest.mark.parametrize(
    "surfaces", [[plate()], [plate(slope=(0.1, -0.3))], stairs(3), stairs(3, riser=-0.16)]
)
def test_what_rises_or_falls_steadily_has_none(surfaces: list[Surface]) -> None:
    assert np.isneginf(bumps_on(surfaces)).all()


@pytest.mark.parametrize("width", [0.01, 0.05])
@pytest.mark.parametrize("share", [0.4, 0.5, 0.6])
def test_a_kerb_between_two_stands_is_found_at_every_place(share: float, width: float) -> None:
    first, second = stand_places()[1:3]
    at = first + share * (second - first)
    bumps = bumps_on(kerb(at, width))
    rows, points = np.nonzero(np.isfinite(bumps))
    # Of the left foot alone; its toes may be past it from one frame to the next.
    assert {HEEL, BALL} <= {int(point) for point in points} <= {HEEL, BALL, TIP}
    np.testing.assert_allclose(bumps[rows, points], HEIGHT)
    # Once for each part of the sole, while it passes.
    for point in (HEEL, BALL):
        own = rows[points == point]
        np.testing.assert_array_equal(own, np.arange(own[0], own[-1] + 1))
    ball = gait_feet()[0].points[rows, BALL, 1]
    assert np.abs(ball - at).max() < 0.5


def test_a_kerb_under_a_standing_foot_is_not_an_obstacle() -> None:
    place = stand_places()[1]
    plan = plan_on(kerb(place + 0.08, 0.03))
    bumps = find_bumps(plan, gait_feet(), SCALE)
    leaving = plan.feet[0].footsteps[1].contact.stop
    assert np.isneginf(bumps[leaving - 5 : leaving + 3]).all()
