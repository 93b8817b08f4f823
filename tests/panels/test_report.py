"""The report panel shows a stored report, and survives any text.

Tests of: report.report, report.report_view, report.verdict.
"""

from __future__ import annotations

import json
from typing import Any

import bpy
import pytest

from blender_bioik.panels.report.report import BIOIK_PT_report
from blender_bioik.panels.report.report_view import Moment, report_view
from blender_bioik.panels.report.verdict import BIOIK_PT_verdict

from ..builders.layouts import drawn
from ..builders.reports import CLIMBING, GOAL, REPORT
from ..builders.rigs import humanoid


def text(**changed: Any) -> str:
    return json.dumps(REPORT | changed)


def test_numbers_are_before_and_after_with_their_units() -> None:
    view = report_view(text())
    assert view is not None
    left, right = view.feet
    assert [(n.label, n.before, n.after, n.frame, n.bad) for n in left.numbers] == [
        ("Penetration", "112 mm", "0.0 mm", 7, False),
        ("Sliding", "22 mm", "1.6 mm", 43, True),
        ("Floating", "2.0 mm", "2.0 mm", 9, False),
        ("Slope Error", "3.2°", "3.2°", 10, False),
        ("Skating", "12 mm/s", "12 mm/s", 11, False),
    ]
    assert "Sliding" not in [number.label for number in right.numbers]
    assert (left.bad, right.bad, right.state) == (False, True, "leg too short")
    assert view.moments == (Moment(43, "leg.L slides 1.6 mm"),)
    assert [(n.after, n.bad) for n in view.clip][:2] == [("101 %", False), ("140 %", True)]


def test_missed_goals_show_their_worst_frame() -> None:
    view = report_view(text())
    assert view is not None
    (goal,) = view.goals
    assert (goal.name, goal.bad) == ("look", True)
    assert goal.state.format(*goal.counts) == "Missed in 3 of 90 frames"
    assert goal.numbers[0] == ("Worst", "31°", "4.2°", 61, True)
    wish = report_view(text(goals=[GOAL | {"preference": True}]))
    assert wish is not None
    assert not wish.goals[0].bad
    idle = report_view(text(goals=[GOAL | {"frames": 0, "reached": 0}]))
    assert idle is not None
    assert (idle.goals[0].state, idle.goals[0].numbers) == ("Inactive in all frames", ())


def test_head_says_whether_all_is_well() -> None:
    missed = report_view(text())
    assert missed is not None
    assert not missed.passed
    reached = GOAL | {"reached": GOAL["frames"]}
    met = report_view(text(schema="bioik.bake_report", goals=[reached], worst=[]))
    assert met is not None
    assert met.passed


def test_head_says_what_the_verdict_says() -> None:
    reached = GOAL | {"reached": GOAL["frames"]}
    judged = {"verdict": "Good.", "good": True}
    good = report_view(text(goals=[reached], **judged))
    assert good is not None
    assert good.bad  # by its numbers, which the verdict weighs
    assert good.passed
    missed = report_view(text(**judged))
    assert missed is not None
    assert not missed.passed
    doubtful = report_view(text(goals=[reached], verdict="Good, but it slides.", good=False))
    assert doubtful is not None
    assert not doubtful.passed


def test_small_characters_have_small_limits() -> None:
    view = report_view(text(scale=0.01))
    assert view is not None
    assert all(number.bad for number in view.feet[0].numbers[:3])


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "{",
        "[]",
        "null",
        '{"schema": "bioik.foot_report", "version": 1}',
        json.dumps(REPORT | {"version": 99}),
        json.dumps(REPORT | {"schema": "another"}),
        json.dumps(REPORT | {"feet": 3}),
        json.dumps(REPORT | {"goals": [{"frames": "many"}]}),
        json.dumps(REPORT | {"worst": [{"frame": float("nan"), "text": ""}]}),
        json.dumps(REPORT | {"worst": [{"frame": 1e999, "text": ""}]}),
    ],
)
def test_texts_that_are_no_reports_are_ignored(broken: str) -> None:
    assert report_view(broken) is None


def test_a_text_is_read_once() -> None:
    report_view.cache_clear()
    for _ in range(5):
        assert report_view(text()) is report_view(text())
    assert report_view.cache_info().misses == 1


@pytest.fixture
def rig() -> bpy.types.Object:
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    return made


def test_worst_frames_have_buttons(rig: bpy.types.Object) -> None:
    rig.bioik.bake.report = text()
    layout = drawn(BIOIK_PT_report)
    shown = [given["text"] for given in layout.named("operator")]
    assert shown[:2] == ["", "43"]
    assert "leg.L slides 1.6 mm" in layout.labels()
    assert {"0.0 mm", "1.6 mm", "4.2°"} <= set(shown)
    assert "leg too short" in layout.labels()
    assert "112 mm" in layout.labels()
    assert " ".join(layout.labels()).endswith("slope of the ground, without locks.")


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("", "Bake goals or place feet first"),
        ("{", "The report is invalid or from a newer version: bake or place feet again"),
    ],
)
def test_without_a_report_the_panel_shows_a_note(
    rig: bpy.types.Object, stored: str, said: str
) -> None:
    rig.bioik.bake.report = stored
    assert drawn(BIOIK_PT_report).labels() == [said]


def test_the_verdict_is_below_the_button_with_its_worst_frame() -> None:
    rig = humanoid()
    layout = drawn(BIOIK_PT_verdict)
    assert not layout.labels()
    rig.bioik.bake.report = json.dumps(CLIMBING)
    layout = drawn(BIOIK_PT_verdict)
    assert " ".join(layout.labels()).startswith("Problems found: leg.L slides by 1.6 mm")
    assert layout.operators() == ["bioik.go_to_frame", *["bioik.choose_levels"] * 4]


def test_a_verdict_without_climbs_has_no_levels_to_choose() -> None:
    rig = humanoid()
    good = REPORT | {"good": True, "verdict": "Good.", "findings": []}
    rig.bioik.bake.report = json.dumps(good)
    layout = drawn(BIOIK_PT_verdict)
    assert layout.labels() == ["Good."]
    assert layout.operators() == []
