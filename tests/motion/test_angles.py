"""Angles have the same bits wherever their arrays are in memory."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from blender_bioik.motion.angles import angle_of


@pytest.mark.parametrize("rows", [1, 7, 53])
def test_columns_have_the_angles_of_copies(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the result lies right behind the columns, for which numpy has other code."""
    memory = np.empty(4 * rows + 8)
    places = memory[: 3 * rows].reshape(rows, 3)
    places[...] = np.random.default_rng(rows).normal(size=(rows, 3))
    wanted = np.arctan2(places[:, 1].copy(), places[:, 0].copy())
    own = np.arctan2
    for gap in range(8):
        behind = memory[3 * rows + gap :][:rows]

        def beside(y: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.asarray(own(y, x, out=behind))  # noqa: B023 (it is called at once)

        monkeypatch.setattr(np, "arctan2", beside)
        assert angle_of(places[:, 1], places[:, 0]).tobytes() == wanted.tobytes()


def test_single_numbers_have_one() -> None:
    assert angle_of(1.0, 1.0) == pytest.approx(np.pi / 4.0)
    assert angle_of(1.0, 1.0).shape == ()
