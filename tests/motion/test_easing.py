"""The smooth step from 0 to 1."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.easing import smoothstep


def test_it_goes_from_zero_to_one_and_is_level_at_both_ends() -> None:
    share = np.linspace(0.0, 1.0, 1001)
    way = smoothstep(share)
    assert (way[0], way[500], way[-1]) == (0.0, 0.5, 1.0)
    assert (np.diff(way) > 0.0).all()
    np.testing.assert_allclose(way, 1.0 - way[::-1], atol=1e-12)
    assert np.diff(way)[[0, -1]] == pytest.approx(0.0, abs=1e-5)
