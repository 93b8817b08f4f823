"""Banded systems: the same numbers as scipy's own functions."""

from __future__ import annotations

import numpy as np
import pytest

linalg = pytest.importorskip("scipy.linalg", exc_type=ImportError)


def band_of(count: int, reach: int, seed: int) -> np.ndarray:
    """A positive definite band, its columns one after the other in memory."""
    random = np.random.default_rng(seed)
    band = random.normal(size=(count, reach + 1))
    band[:, 0] = 2.0 * (reach + 1) + random.random(count)
    return band.T


@pytest.mark.parametrize(("count", "reach"), [(1, 0), (7, 2), (400, 31)])
def test_solutions_are_those_of_scipy_bit_for_bit(count: int, reach: int) -> None:
    from blender_bioik.solver.clips.banded import solve_banded_spd

    band, right = band_of(count, reach, 1), np.random.default_rng(2).normal(size=count)
    expected = linalg.cho_solve_banded((linalg.cholesky_banded(band, lower=True), True), right)
    assert np.array_equal(solve_banded_spd(band.copy(order="F"), right.copy()), expected)


def test_rows_in_another_order_of_memory_are_taken_too() -> None:
    from blender_bioik.solver.clips.banded import solve_banded_spd

    band, right = band_of(20, 3, 3), np.ones(20)
    expected = solve_banded_spd(band.copy(order="F"), right.copy())
    assert np.array_equal(solve_banded_spd(np.ascontiguousarray(band), right.copy()), expected)


def test_matrices_that_are_not_positive_definite_are_refused() -> None:
    from blender_bioik.solver.clips.banded import solve_banded_spd

    band = band_of(20, 3, 4)
    band[0, 11] = -1.0
    with pytest.raises(linalg.LinAlgError):
        solve_banded_spd(band.copy(order="F"), np.ones(20))


def test_a_scipy_with_other_routines_is_called_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    from blender_bioik.solver.clips import banded

    band, right = band_of(30, 4, 5), np.ones(30)
    expected = banded.solve_banded_spd(band.copy(order="F"), right.copy())
    monkeypatch.setattr(banded, "_DPBTRF", None)
    assert np.array_equal(banded.solve_banded_spd(band.copy(order="F"), right.copy()), expected)
