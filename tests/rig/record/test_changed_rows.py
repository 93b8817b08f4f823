"""Which rows are baked again, and how much of the new result each takes."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.rig.record.changed_rows import grown, window_around, written_rows


def rows(*changed: int, count: int = 40) -> np.ndarray:
    result = np.zeros(count, bool)
    result[list(changed)] = True
    return result


def test_nothing_changed_is_no_window() -> None:
    assert window_around(rows(), 5) is None


def test_changed_rows_are_replaced_and_their_neighbours_blended() -> None:
    window = window_around(rows(15, 20), 4)
    assert window is not None
    assert (window.first, window.last) == (15, 20)
    assert (window.weights[15:21] == 1.0).all()
    assert np.flatnonzero(window.weights).tolist() == list(range(11, 25))
    assert (np.diff(window.weights[10:16]) > 0.0).all()
    # The same on both sides.
    np.testing.assert_allclose(window.weights[10:16], window.weights[25:19:-1])
    assert written_rows(window.weights) == slice(10, 26)
    assert window.solved.start < 10
    assert window.solved.stop > 26


def test_without_a_blend_only_changed_rows_take_something() -> None:
    window = window_around(rows(15), 0)
    assert window is not None
    assert np.flatnonzero(window.weights).tolist() == [15]


@pytest.mark.parametrize(("row", "written"), [(0, slice(0, 6)), (39, slice(34, 40))])
def test_at_the_ends_of_the_clip_nothing_is_blended(row: int, written: slice) -> None:
    window = window_around(rows(row), 4)
    assert window is not None
    assert window.weights[row] == 1.0
    assert written_rows(window.weights) == written


def test_rows_grow_while_their_neighbours_differ() -> None:
    different = rows(9, 10, 14, 15, 16, 18, 30)
    assert np.flatnonzero(grown(rows(11, 13), different)).tolist() == list(range(9, 17))
    assert not grown(rows(), different).any()
    assert grown(rows(0), np.ones(40, bool)).all()
