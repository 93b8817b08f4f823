"""What the report says about parts of the body that rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_bioik.findings import Severity, verdict
from blender_bioik.motion.measure.rest_quality import RestQuality
from blender_bioik.rig.report.part_report import PartReport, part_findings

FRAMES = np.asarray(np.arange(10.0, 14.0), float)


def report(drift: float = 0.0, floating: float = 0.0, sinking: float = 0.0) -> PartReport:
    drifts, floats, sinks = (
        np.array([0.0, value, 0.0, 0.0]) for value in (drift, floating, sinking)
    )
    return PartReport("hand.L", RestQuality(4, drifts, floats, sinks))


def test_a_part_as_planned_is_not_mentioned() -> None:
    assert part_findings([report()], 1.0) == []


def test_what_misses_its_place_is_said_first_with_its_frame() -> None:
    found = part_findings([report(drift=0.012, sinking=0.024)], 1.0)
    assert {finding.severity for finding in found} == {Severity.FAULT}
    said = verdict(found, FRAMES)
    assert "hand.L is 24 mm below its place on the ground (at frame 11)" in said
    assert "hand.L slides by 12 mm while it rests (at frame 11)" in said


def test_limits_are_in_proportion() -> None:
    (finding,) = part_findings([report(floating=0.012)], 2.0)
    assert finding.severity == Severity.DETAIL


def test_json_and_sentence_have_the_same_numbers() -> None:
    made = report(drift=0.002)
    assert made.to_json(FRAMES)["drift_worst_mm"] == pytest.approx(2.0)
    assert made.to_json(FRAMES)["drift_worst_frame"] == 11.0
    assert made.sentence().startswith("hand.L rests in 4 frames: it slides by 2.0 mm")


def test_what_is_held_above_the_floor_is_told() -> None:
    made = report()
    held = made._replace(quality=replace(made.quality, held=3))
    assert held.sentence().startswith("hand.L rests in 4 frames, in 3 of them on something above")
    assert held.to_json(FRAMES)["held"] == 3
