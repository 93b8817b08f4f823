"""The report of a bake about its goals."""

from __future__ import annotations

import pytest

from blender_bioik.rig.report.report import GoalReport


@pytest.mark.parametrize(
    ("error", "shown"),
    [(1987.6, "1988 mm"), (99.96, "100 mm"), (12.34, "12.3 mm"), (0.0123, "0.0123 mm"),
     (1e-7, "0 mm"), (0.0, "0 mm")],
)  # fmt: skip
def test_errors_are_shown_without_powers_of_ten(error: float, shown: str) -> None:
    told = str(GoalReport("Hold", "mm", 9, 0, error, error, 7.0))
    assert told == f"Hold: missed in 9 of 9 frames, mean {shown}, worst {shown} (frame 7)"
