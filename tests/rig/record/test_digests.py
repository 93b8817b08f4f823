"""Digests and sketches: small changes do not count, others do; the same on every machine."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.rig.record.digests import SMALLEST, is_another, row_sketches, value_digest


def places(frames: int = 50, numbers: int = 240) -> np.ndarray:
    return np.random.default_rng(3).normal(0.0, 3.0, (frames, numbers))


def test_rounding_is_no_change() -> None:
    one = places()
    other = one.astype(np.float32).astype(float)
    assert not is_another(row_sketches(one), row_sketches(other)).any()


@pytest.mark.parametrize("column", [0, 1, 100, 239])
def test_a_change_of_one_number_is_seen_in_its_row_only(column: int) -> None:
    one, other = places(), places()
    other[7, column] += 3.0 * SMALLEST
    changed = is_another(row_sketches(one), row_sketches(other))
    assert np.flatnonzero(changed).tolist() == [7]


def test_a_nan_differs_from_every_number_but_not_from_itself() -> None:
    one, other = places(), places()
    other[3, 5] = np.nan
    assert np.flatnonzero(is_another(row_sketches(one), row_sketches(other))).tolist() == [3]
    assert not is_another(row_sketches(other), row_sketches(other)).any()


def test_salts_give_other_sketches() -> None:
    assert is_another(row_sketches(places(), 1), row_sketches(places(), 2)).all()


def test_they_are_the_same_in_files_of_other_versions() -> None:
    assert value_digest(["a", 1, {"b": 0.5}]) == 0x38E477050A5831F4
    np.testing.assert_allclose(
        row_sketches(np.array([[1.0, 2.0], [0.0, -1.0]])),
        [
            [2.0551057461639757, -0.6481750301588332, -2.1823629130829736],
            [-0.5567251710285772, 0.7157279088724868, 0.693384022991967],
        ],
        rtol=1e-12,
    )
