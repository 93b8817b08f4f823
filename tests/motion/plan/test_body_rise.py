"""How a body rises with the ground under its path and with its planted feet."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.plan.body_rise import body_rise
from blender_bioik.motion.tuning import BODY

RATE = 30.0
ROWS = np.arange(120)
NOTHING_PLANTED = np.full(len(ROWS), np.nan)
FLOOR = 0.4


@pytest.mark.parametrize("slope", [0.0, 0.02, -0.01])
def test_on_an_even_slope_it_rises_as_the_ground_does(slope: float) -> None:
    ground = np.asarray(1.0 + slope * ROWS, np.float64)
    found = body_rise(ground, NOTHING_PLANTED, FLOOR, RATE)
    np.testing.assert_allclose(found, ground - FLOOR, atol=1e-9)


def test_a_step_is_taken_smoothly() -> None:
    step = np.where(ROWS < 60, 0.0, 0.3)
    found = body_rise(step, NOTHING_PLANTED, 0.0, RATE)
    window = round(BODY.step_seconds * RATE) + 1
    assert (np.diff(found) >= -1e-12).all()
    assert np.diff(found).max() <= 0.3 / window + 1e-9
    assert found[60 - window] == pytest.approx(0.0)
    assert found[60 + window] == pytest.approx(0.3)


def test_planted_feet_beyond_the_ground_take_the_body_along() -> None:
    planted = np.where((ROWS > 20) & (ROWS < 50), 0.25, np.nan)
    found = body_rise(np.zeros(len(ROWS)), planted, 0.0, RATE)
    np.testing.assert_allclose(found, 0.25, atol=1e-9)  # before and after them as with them
