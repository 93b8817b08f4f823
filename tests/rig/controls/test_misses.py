"""Frames in which controls cannot pose the legs as solved, as findings."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.findings import Severity
from blender_bioik.rig.controls.misses import missed_frames


def test_each_run_of_frames_is_named_with_its_worst_distance() -> None:
    errors = np.array([0.0, 0.004, 0.012, 0.0, 0.0005, 0.003])
    first, second = missed_frames(errors, 1.0)
    assert first.sentence(range(10, 16)) == (
        "the rig's controls are 12.0 mm off the solved pose (frames 11 to 12)"
    )
    assert (second.row, second.excess) == (5, pytest.approx(3.0))
    assert {first.severity, second.severity} == {Severity.FAULT}


def test_the_limit_is_in_proportion_to_the_character() -> None:
    assert not list(missed_frames(np.array([0.004]), 10.0))
    assert not list(missed_frames(np.zeros(0), 1.0))
