"""A stored report, prepared for display.

Cached by its text. An unknown, broken or newer report gives None.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from ...findings import CLIMB

# Known report schemas, with the newest supported version of each.
BAKE, FEET = "bioik.bake_report", "bioik.foot_report"
VERSIONS = {BAKE: 1, FEET: 1}
TITLES = {BAKE: "Bake Goals", FEET: "Place Feet"}
# Numbers of a foot: label, name, unit and acceptable limit (in mm for an adult).
FOOT_NUMBERS = (
    ("Penetration", "penetration_worst", "mm", 1.0),
    ("Sliding", "drift_worst", "mm", 1.0),
    ("Floating", "floating_worst", "mm", 3.0),
    ("Slope Error", "slope_error_worst", "deg", 10.0),
    ("Skating", "skate", "mm_s", float("inf")),
)
# Numbers of the whole clip: label, name, unit and acceptable limit.
CLIP_NUMBERS = (
    ("Jerk vs Source", "jerk_mean_ratio", "ratio", 1.15),
    ("Accel. vs Source", "acceleration_worst_ratio", "ratio", 1.25),
    ("Pelvis Sideways", "pelvis_plan_worst_mm", "mm", 40.0),
    ("Pelvis Vertical", "pelvis_rise_worst_mm", "mm", 40.0),
    ("Torso Rotation", "upper_body_worst_deg", "deg", float("inf")),
)


class Number(NamedTuple):
    """A number of the result, with its value before.

    Attributes:
        label: Label in the panel.
        before: The source's, with its unit; empty if it has none.
        after: The result's, with its unit.
        frame: The frame with the worst value, None if it covers all frames.
        bad: Whether it exceeds its limit.
    """

    label: str
    before: str
    after: str
    frame: int | None
    bad: bool


class Part(NamedTuple):
    """The part of the report about a foot or a goal.

    Attributes:
        name: Its name.
        state: A short status; empty if the numbers are sufficient.
        counts: Numbers to format into the status.
        numbers: Its numbers; of a goal, the worst one and the mean.
        bad: Whether something was missed.
    """

    name: str
    state: str
    counts: tuple[int, ...]
    numbers: tuple[Number, ...]
    bad: bool


class Moment(NamedTuple):
    """A frame with a large error, and its description."""

    frame: int
    text: str


class ReportView(NamedTuple):
    """A report, prepared for display.

    Attributes:
        title: Name of the operation.
        frames: Frame range, "1 - 120".
        written: Name of the action or NLA strip with the keys.
        bones: Number of bones with keyframes.
        feet: The feet.
        goals: The goals.
        clip: Numbers about the whole clip.
        moments: Frames with the largest errors, worst first.
        notes: Notes about skipped or changed items.
        verdict: What is good or wrong, in a sentence; empty without a verdict.
        good: Whether nothing is wrong or in doubt.
        climbs: Whether the verdict says what was done where the clip climbs.
    """

    title: str
    frames: str
    written: str
    bones: int
    feet: tuple[Part, ...]
    goals: tuple[Part, ...]
    clip: tuple[Number, ...]
    moments: tuple[Moment, ...]
    notes: tuple[str, ...]
    verdict: str
    good: bool
    climbs: bool

    @property
    def passed(self) -> bool:
        """Whether all is well: as the verdict has it, or by the numbers without one."""
        if any(goal.bad for goal in self.goals):
            return False
        return self.good if self.verdict else not self.bad

    @property
    def bad(self) -> bool:
        """Whether something was missed, or a number exceeds its limit."""
        parts = (*self.feet, *self.goals)
        numbers = (*self.clip, *(number for part in parts for number in part.numbers))
        return (
            bool(self.moments)
            or any(part.bad for part in parts)
            or any(number.bad for number in numbers)
        )


@lru_cache(maxsize=8)
def report_view(text: str) -> ReportView | None:
    """A stored report, None if it is not valid."""
    try:
        content = json.loads(text)
        if content["version"] > VERSIONS[content["schema"]]:
            return None
        return _view(content)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return None


def _view(content: dict[str, Any]) -> ReportView:
    is_feet = content["schema"] == FEET
    goals = tuple(_goal(goal) for goal in content["goals"])
    moments = [Moment(round(m["frame"]), str(m["text"])) for m in content.get("worst", ())]
    return ReportView(
        title=TITLES[content["schema"]],
        frames=f"{content['first_frame']:g} - {content['last_frame']:g}",
        written=str(content["written"]),
        bones=int(content["bones"]),
        feet=tuple(_feet(content)) if is_feet else (),
        goals=goals,
        clip=tuple(_clip(content["clip"], content["scale"])) if is_feet else (),
        moments=tuple(moments),
        notes=tuple(str(note) for note in content["notes"]),
        verdict=str(content.get("verdict", "")),
        good=bool(content.get("good", False)),
        climbs=any(found["kind"] == CLIMB for found in content.get("findings", ())),
    )


def _feet(content: dict[str, Any]) -> Iterator[Part]:
    missed = {miss["foot"]: miss for miss in reversed(content["unreached"])}
    for foot in content["feet"]:
        before, after = foot["before"], foot["after"]
        numbers = []
        for label, name, unit, good in FOOT_NUMBERS:
            if name == "drift_worst" and not after["locked_contacts"]:
                continue  # sliding contacts have no drift
            key, worst = f"{name}_{unit}", f"{name.removesuffix('_worst')}_worst_frame"
            limit = good * content["scale"] if unit == "mm" else good
            numbers.append(_number(label, before[key], after[key], unit, limit, after.get(worst)))
        miss = missed.get(foot["name"])
        state = str(miss["reason"]) if miss else ""
        yield Part(str(foot["name"]), state, (), tuple(numbers), bad=bool(miss))


def _goal(goal: dict[str, Any]) -> Part:
    name, unit = str(goal["name"]), "deg" if goal["unit"] == "degrees" else "mm"
    missed = goal["frames"] - goal["reached"]
    if not goal["frames"]:
        return Part(name, "Inactive in all frames", (), (), bad=False)
    bad = bool(missed and not goal["preference"])
    before = goal["worst_before"], goal["mean_before"]
    worst = _number("Worst", before[0], goal["worst"], unit, float("inf"), goal["worst_frame"])
    mean = _number("Mean", before[1], goal["mean"], unit, float("inf"), None)
    state = "Missed in {} of {} frames" if bad else ""
    counts = missed, goal["frames"]
    return Part(name, state, counts, (worst._replace(bad=bad), mean), bad)


def _clip(clip: dict[str, Any], scale: float) -> Iterator[Number]:
    for label, name, unit, good in CLIP_NUMBERS:
        limit = good * scale if unit == "mm" else good
        yield _number(label, None, clip[name], unit, limit, None)


def _number(
    label: str,
    before: float | None,
    after: float,
    unit: str,
    limit: float,
    frame: float | None,
) -> Number:
    return Number(
        label,
        "" if before is None else _with_unit(before, unit),
        _with_unit(after, unit),
        None if frame is None else round(frame),
        after > limit,
    )


def _with_unit(value: float, unit: str) -> str:
    """A short number with its unit."""
    if unit == "ratio":
        return f"{100.0 * value:.0f} %"
    digits = f"{value:.1f}" if value < 9.95 else f"{value:.0f}"
    return {"mm": f"{digits} mm", "deg": f"{digits}\N{DEGREE SIGN}", "mm_s": f"{digits} mm/s"}[unit]
