"""Curves with the least jerk above some heights."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.least_jerk import calmest_above


def jerk(values: np.ndarray) -> float:
    return float((np.diff(np.pad(values, 3), n=3) ** 2).sum())


def test_it_is_above_and_no_other_is_calmer() -> None:
    random = np.random.default_rng(3)
    least = np.full(12, -1.0)
    least[4:7] = 0.1, 0.16, 0.05
    found = calmest_above(least, np.inf)
    assert (found - least).min() > -1e-9
    for _ in range(200):
        other = found + 0.01 * random.normal(size=len(found))
        other += max(0.0, float((least - other).max()))
        assert jerk(other) > jerk(found)


def test_nothing_in_the_way_changes_nothing() -> None:
    assert not calmest_above(np.full(9, -0.01), 1.0).any()


def test_close_to_rest_it_rises_no_faster_than_allowed() -> None:
    least = np.full(20, 0.2)
    found, at_once = calmest_above(least, 1e-3), calmest_above(least, np.inf)
    assert at_once[0] > 0.2 - 1e-9
    assert found[0] < 0.01
    assert found[10] > 0.2 - 1e-9


@pytest.mark.parametrize("begins", [True, False])
def test_at_a_free_end_it_need_not_come_back(begins: bool) -> None:
    least = np.full(15, -1.0)
    least[0 if not begins else -1] = 0.3
    found = calmest_above(least, np.inf, begins, not begins)
    assert found[0 if not begins else -1] == pytest.approx(0.3)
    assert abs(found[-1 if not begins else 0]) < 0.01


def test_many_values_are_found_at_fewer_places() -> None:
    least = np.full(200, -1.0)
    least[60:120] = 0.1
    found = calmest_above(least, np.inf)
    assert (found - least).min() > -0.002
    assert np.abs(np.diff(found, n=3)).max() < 1e-4


def test_towards_a_free_end_it_comes_back_from_what_is_close_to_the_rest() -> None:
    least = np.zeros(40)
    least[2:8] = 0.06
    found = calmest_above(least, np.inf, True, False)
    assert (found - least).min() > -1e-9
    assert found.max() < 4.0 * 0.06
    assert not found[20:].any()
    flipped = calmest_above(least[::-1], np.inf, False, True)
    assert np.array_equal(flipped[::-1], found)
