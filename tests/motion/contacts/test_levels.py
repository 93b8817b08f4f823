"""Levels of the source's floor: what is a step, and what is the drift of a recording."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.contacts.levels import level_changes


@pytest.mark.parametrize("size", [1.0, 0.4])
@pytest.mark.parametrize(
    ("stride", "rise", "is_level"),
    [
        (0.7, 0.03, False),  # a walk on a floor that drifts
        (1.2, 0.07, False),  # a run, on a floor as bad
        (0.3, 0.17, True),  # a walk upstairs
        (1.2, 0.17, True),  # a run that takes a kerb
    ],
)
def test_a_level_is_high_and_steep_for_the_stride(
    stride: float, rise: float, is_level: bool, size: float
) -> None:
    way = np.arange(5.0)[:, None] * [stride * size, 0.0]
    changes = level_changes(way, np.asarray(rise * size * np.arange(5.0), float), size)
    np.testing.assert_allclose(changes, rise * size if is_level else 0.0, atol=1e-12)
