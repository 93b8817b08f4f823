"""The report of placed feet: its verdict, its numbers and its findings.

Tests of: foot_report, foot_findings, foot_json, foot_table.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from blender_bioik.findings import Severity
from blender_bioik.motion.feet import BALL, HEEL, Contact
from blender_bioik.motion.measure.quality import Footing, Motion
from blender_bioik.motion.measure.quality_change import Unreached, compare
from blender_bioik.rig.report.foot_findings import measured_findings
from blender_bioik.rig.report.foot_report import MOST_MOMENTS, NO_MESH, FootReport, reach_notes
from blender_bioik.rig.report.metric_curves import METRICS

COUNT = 40
CONTACTS = [Contact(foot, point, 0, COUNT) for foot in (0, 1) for point in (HEEL, BALL)]
FOOTING = Footing(CONTACTS, np.zeros((2, 3)), np.array([True, False]), 24.0)


def standing() -> Motion:
    points = np.zeros((COUNT, 2, 3, 3))
    points[..., 0] = [0.0, 0.15, 0.2]
    times = np.arange(COUNT) / 24.0
    return Motion(
        points,
        height=np.zeros((COUNT, 2, 3)),
        slope=np.zeros((COUNT, 2, 3, 2)),
        joints=np.stack([np.sin(times + phase) for phase in range(6)], 1).reshape(COUNT, 2, 3),
        pelvis=np.zeros((COUNT, 3)),
        upper_body=np.tile([1.0, 0.0, 0.0, 0.0], (COUNT, 1, 1)),
        knees=np.sin(times)[:, None] * [0.5, 0.4],
        feet=np.tile([1.0, 0.0, 0.0, 0.0], (COUNT, 2, 1)),
    )


def with_points(**by: Any) -> Motion:
    """Standing, but for the offsets of points: "L12" is the left foot in row 12."""
    motion = standing()
    for place, offset in by.items():
        motion.points[int(place[1:]), "LR".index(place[0])] += offset
    return motion


def report(
    source: Motion, result: Motion, unreached: list[Unreached] | None = None, **rest: Any
) -> FootReport:
    change = rest.pop("change", None) or compare(source, result, FOOTING, unreached or [])
    scale, feet = rest.pop("scale", 1.0), rest.pop("feet", ("leg.L", "leg.R"))
    joints = ["thigh", "hand"]
    made = FootReport(
        feet,
        np.arange(101.0, 101.0 + COUNT, dtype=float),
        change,
        scale=scale,
        bones=9,
        written="Walk_bioik",
        read_seconds=0.5,
        plan_seconds=0.25,
        solve_seconds=0.125,
        write_seconds=0.0,
        findings=measured_findings(change, feet, joints, scale, upper_moves=False),
    )
    return replace(made, **rest)


def test_summary_of_a_good_result() -> None:
    source = with_points(L20=[0.023, 0.0, -0.112])
    text = report(source, standing()).summary()
    assert text == (
        "Good. Planted feet within 3 mm of the ground in 40 of 40 frames; sliding 0.0 mm "
        f"(before: 22 mm), no penetration (before: 112 mm). {NO_MESH}"
    )


def test_summary_of_a_bad_result_names_the_cause() -> None:
    result = with_points(R12=[0.0, 0.0, -0.0042])
    short = [Unreached(1, (5, 6), "leg too short"), Unreached(1, (7, 6), "leg too short")]
    made = report(standing(), result, [*short, Unreached(0, (3,), "limit of shin.L")])
    assert made.summary() == (
        "Problems found: leg.R misses its place in 3 frames: leg too short (at frame 106); "
        "more problems: 1. "
        "Planted feet within 3 mm of the ground in 35 of 40 frames; sliding 0.0 mm "
        f"(before: 0.0 mm), penetration 4.2 mm (before: 0.0 mm). {NO_MESH}"
    )
    assert not made.good
    assert made.missed == (
        Unreached(1, (5, 6, 7), "leg too short"),
        Unreached(0, (3,), "limit of shin.L"),
    )


def test_summary_without_contacts_does_not_mention_any() -> None:
    change = compare(standing(), standing(), replace(FOOTING, contacts=[]))
    text = report(standing(), standing(), change=change).summary()
    assert text == (
        "Good, but no foot is planted in any frame. No foot is on the ground in any of 40 frames; "
        f"no penetration (before: 0.0 mm). {NO_MESH}"
    )


def test_feet_that_only_slide_are_not_said_to_stay() -> None:
    sliding = [contact._replace(slides=True) for contact in FOOTING.contacts]
    change = compare(standing(), standing(), replace(FOOTING, contacts=sliding))
    made = report(standing(), standing(), change=change)
    assert "sliding" not in made.summary()
    (row,) = (line for line in made.lines() if line.startswith("sliding when planted, worst"))
    assert row.split()[-4:] == ["-"] * 4
    assert made.to_json()["feet"][0]["after"]["locked_contacts"] == 0
    assert made.to_json()["feet"][0]["after"]["contacts"] > 0


def test_lines_have_a_table_of_each_foot_before_and_after() -> None:
    source = with_points(L20=[0.0, 0.0, -0.112], R3=[0.0, 0.0, -0.05])
    source.height[7, 0] = np.nan
    result = with_points(R3=[0.0, 0.0, -0.0012])
    result.height[7:9, 0] = np.nan
    lines = report(source, result, notes=("A note.",)).lines()
    assert lines[0].startswith('40 frames baked on 9 bones to "Walk_bioik" (read 0.50 s, planned')
    table = [line for line in lines if line.startswith("penetration, worst")]
    assert [float(cell) for cell in table[0].split()[-4:]] == [112.0, 0.0, 50.0, 1.2]
    rows = lines[1:12]
    assert len({len(row) for row in rows}) == 1
    assert "leg.L" in rows[0]
    assert "leg.R" in rows[0]
    assert "leg.L has no ground under it in 2 frames." in lines
    assert "Frame 104: leg.R penetrates the ground by 1.2 mm." in lines
    assert lines[-1] == "A note."
    assert all(line.isascii() for line in lines)


def test_feet_that_stand_without_ground_are_in_the_verdict_the_worst_first() -> None:
    result = standing()
    result.height[10:14, 0] = np.nan
    result.height[20:30, 1] = np.nan
    result.height[5, 1, 0] = np.nan  # a heel over an edge
    made = report(standing(), result)
    found = [finding for finding in made.findings if finding.kind == "no_ground"]
    assert [(finding.row, finding.severity) for finding in found] == [
        (10, Severity.WARNING),
        (20, Severity.WARNING),
    ]
    first = made.summary().split(". ")[0]
    assert "leg.R stands without ground under it in 10 frames (at frame 121)" in first
    result.height[:, 1] = np.nan
    (most,) = (f for f in report(standing(), result).findings if f.severity == Severity.FAULT)
    assert most.kind == "no_ground"


def test_long_names_of_feet_keep_the_table_aligned() -> None:
    made = report(standing(), standing(), feet=("a leg with a very long name", "b"))
    assert len({len(row) for row in made.lines()[1:12]}) == 1


def test_a_bake_that_writes_nothing_says_so() -> None:
    assert (
        report(standing(), standing(), written="")
        .lines()[0]
        .startswith("40 frames solved, nothing written")
    )


def test_json_is_plain_and_has_units_in_its_names() -> None:
    result = with_points(L20=[0.0, 0.0, 0.02])
    made = report(standing(), result, [Unreached(0, (2, 3), "leg too short")], notes=("Note.",))
    data = json.loads(json.dumps(made.to_json(), allow_nan=False))
    assert data == made.to_json()
    assert (data["schema"], data["version"]) == ("bioik.foot_report", 1)
    assert (data["frames"], data["first_frame"], data["last_frame"]) == (40, 101.0, 140.0)
    assert data["frames_on_ground"] == 37
    left, right = data["feet"]
    assert left["name"] == "leg.L"
    assert left["before"]["floating_worst_mm"] == 0.0
    assert left["after"]["floating_worst_mm"] == pytest.approx(20.0)
    assert right["after"]["floating_worst_mm"] == 0.0
    assert data["unreached"] == [
        {"foot": "leg.L", "reason": "leg too short", "frames": [103.0, 104.0]}
    ]
    assert data["clip"]["jerk_legs_p99_ratio"] == 1.0
    assert data["clip"]["before"]["acceleration_worst_m_s2"] == pytest.approx(
        data["clip"]["after"]["acceleration_worst_m_s2"]
    )
    assert data["seconds"] == {
        "read_s": 0.5,
        "plan_s": 0.25,
        "solve_s": 0.125,
        "measure_s": 0.0,
        "write_s": 0.0,
    }
    assert data["notes"] == ["Note."]


def test_curves_are_those_of_the_worst_foot_and_known_as_metrics() -> None:
    result = with_points(L20=[0.0, 0.0, 0.02], R21=[0.0, 0.0, 0.03], R20=[0.0, 0.0, 0.01])
    curves = report(standing(), result).curves()
    assert curves.keys() == METRICS.keys() - {"mesh_depth", "body_depth"}
    assert all(values.shape == (COUNT,) for values in curves.values())
    assert curves["floating"][19:23] == pytest.approx([0.0, 0.02, 0.03, 0.0])


def test_worst_moments_come_in_order_and_are_few() -> None:
    result = with_points(L20=[0.0, 0.0, -0.004], R12=[0.0, 0.0, 0.006], L10=[0.1, 0.0, 0.0])
    result.pelvis[30] = [0.0, 0.2, 0.0]
    result.joints[25] += 9.0
    short = Unreached(0, (5,), "leg too short")
    moments = report(standing(), result, [short]).worst()
    assert len(moments) == MOST_MOMENTS
    assert moments[0] == (106.0, "leg.L misses its place in 1 frame: leg too short")
    texts = {text: frame for frame, text in moments}
    assert texts["leg.L slides by 96 mm while planted"] == 111.0
    assert texts["the pelvis moves by 200 mm beyond what the ground requires"] == 131.0
    assert "leg.R floats 6.0 mm above the ground" not in texts
    assert report(standing(), standing()).worst() == []


def test_small_characters_have_small_limits() -> None:
    result = with_points(L20=[0.0, 0.0, -0.0004])
    assert report(standing(), result).worst() == []
    moments = report(standing(), result, scale=0.1).worst()
    assert moments == [(121.0, "leg.L penetrates the ground by 0.4 mm")]


def test_a_pelvis_that_goes_aside_for_reach_names_the_leg() -> None:
    result = standing()
    result.pelvis[10:20, 0] = 0.06
    result.knees[10:20, 1] = 0.05
    source = replace(standing(), knees=np.full_like(result.knees, 0.6))
    made = report(source, replace(result, knees=np.where(result.knees == 0.05, 0.05, 0.6)))
    (note,) = reach_notes(made.change, made.feet, made.frames)
    assert (
        note == "Around frame 111 the pelvis moves far sideways because leg.R is fully stretched."
    )
    assert made.to_json()["clip"]["pelvis_plan_reach"] == "leg.R"
    still = report(standing(), standing())
    assert reach_notes(still.change, still.feet, still.frames) == ()
    assert still.to_json()["clip"]["pelvis_plan_reach"] is None


# Findings


def kinds(made: FootReport, severity: Severity) -> set[str]:
    return {finding.kind for finding in made.all_findings if finding.severity == severity}


def test_a_foot_that_is_twisted_is_the_first_thing_said() -> None:
    result = standing()
    half = np.radians(146.0) / 2.0
    result.feet[20:24, 0] = [np.cos(half), 0.0, 0.0, np.sin(half)]
    made = report(standing(), result)
    assert made.summary().startswith(
        "Problems found: leg.L is twisted by 146 degrees (at frame 121). "
    )
    assert not made.good


def test_a_foot_that_follows_a_slope_is_not_twisted() -> None:
    result = standing()
    half = np.radians(30.0) / 2.0
    result.feet[:, 0] = [np.cos(half), 0.6 * np.sin(half), 0.8 * np.sin(half), 0.0]
    made = report(standing(), result)
    assert made.change.foot_twist.max() < 1e-6
    assert made.change.foot_tilt[0].tolist() == pytest.approx([30.0, 0.0])
    assert made.good


def test_a_jolt_names_joint_and_frame() -> None:
    result = standing()
    result.joints[25, 1] += 0.1
    made = report(standing(), result)
    text = next(f for f in made.all_findings if f.kind == "acceleration").sentence(made.frames)
    assert text.startswith("joint hand accelerates ")
    assert text.endswith("(at frame 126)")
    assert "acceleration" in kinds(made, Severity.FAULT)


def test_a_jolt_over_a_step_is_said_with_the_step_but_is_no_fault() -> None:
    result = standing()
    result.joints[25, 0, 2] += 0.05
    result.height[25:, :, :] += 0.17
    result.points[25:, ..., 2] += 0.17
    made = report(standing(), result)
    jolt = next(f for f in made.all_findings if f.kind == "acceleration")
    assert jolt.severity == Severity.WARNING
    assert jolt.text.endswith(" where the ground changes by 17 cm")


def test_feet_that_are_never_on_the_ground_are_a_fault() -> None:
    result = standing()
    result.points[..., 2] += 0.3
    made = report(standing(), result)
    assert "on_ground" in kinds(made, Severity.FAULT)
    assert "planted feet are on the ground in 0 of " in made.summary()


def test_an_upper_body_that_turns_is_a_fault_unless_it_may() -> None:
    result = standing()
    result.upper_body[7:, 0] = [np.cos(0.01), np.sin(0.01), 0.0, 0.0]
    made = report(standing(), result)
    assert "upper_body" in kinds(made, Severity.FAULT)
    may = measured_findings(made.change, made.feet, ["thigh", "hand"], 1.0, upper_moves=True)
    assert "upper_body" not in {finding.kind for finding in may}
