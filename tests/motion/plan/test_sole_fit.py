"""Flat soles on uneven ground.

Tests of: footprint.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.plan.footprint import Footprint
from blender_bioik.motion.plan.sole_fit import SoleFit, fit_sole
from blender_bioik.motion.plan.tuning import SOLES
from blender_bioik.motion.tuning import BODY

from ...builders.motion.gaits import foot_along
from ...builders.motion.grounds import follow, plate

FOOT = Footprint(foot_along("leg", np.zeros((4, 3))), slice(0, 4))


def all_of_it(rises: Floats, _lengths: Floats) -> Floats:
    return rises


def fit(surfaces: list[Surface]) -> SoleFit:
    underfoot = follow(surfaces, np.zeros((1, 2)))
    return fit_sole(FOOT, np.zeros((1, 2)), np.zeros(1, int), underfoot, 1.0, all_of_it)


@given(along=st.floats(-0.5, 0.5), across=st.floats(-SOLES.lean, SOLES.lean))
def test_soles_take_on_slopes_as_they_are(along: float, across: float) -> None:
    found = fit([plate(slope=(across, along))])
    np.testing.assert_allclose(found.slope, [[across, along]], atol=1e-6)
    np.testing.assert_allclose(found.poke, 0.0, atol=1e-6)


@pytest.mark.parametrize("across", [0.3, -0.3])
def test_ankles_lean_only_so_far_and_the_ground_pokes(across: float) -> None:
    found = fit([plate(slope=(across, 0.1))])
    np.testing.assert_allclose(found.slope, [[np.sign(across) * SOLES.lean, 0.1]], atol=0.01)
    assert found.poke[0] == pytest.approx((0.3 - SOLES.lean) * BODY.half_width, rel=0.1)


def blocks(seed: int) -> list[Surface]:
    """A floor with blocks of up to 3 cm all around."""
    random = np.random.default_rng(seed)
    ground = [plate()]
    for x, y, z in random.uniform((-0.1, -0.2, 0.0), (0.1, 0.25, 0.03), (30, 3)):
        ground.append(plate(z, x=(x - 0.02, x + 0.02), y=(y - 0.02, y + 0.02)))
    return ground


@pytest.mark.parametrize("seed", range(8))
def test_hardly_any_slope_lets_less_of_the_ground_into_a_sole(seed: int) -> None:
    underfoot = follow(blocks(seed), np.zeros((1, 2)))
    offsets = FOOT.area(BODY.half_width)
    heights = underfoot.at(np.vstack([[[0.0, 0.0]], offsets]), np.array(0)).height
    tangents = np.linspace(-0.4, 0.4, 41)
    slopes = np.stack(np.meshgrid(tangents[np.abs(tangents) <= SOLES.lean], tangents), -1).reshape(
        -1, 2
    )
    pokes = (heights[1:] - heights[0] - slopes @ offsets.T).max(axis=1)
    found = fit(blocks(seed))
    true = (heights[1:] - heights[0] - found.slope @ offsets.T).max()
    assert found.poke[0] == pytest.approx(max(0.0, true), abs=1e-9)
    assert found.poke[0] < max(0.0, pokes.min()) + 0.006
