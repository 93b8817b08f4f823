"""The report of foot placement, with numbers before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from ...motion.measure.quality import Extent, FootQuality, Harshness, Quality
from ...motion.measure.quality_change import ON_GROUND, Change, Unreached
from ..transforms import Floats
from .report import GoalReport, missed_texts

SCHEMA = "bioik.foot_report"
SCHEMA_VERSION = 1
# Most frames that are marked.
MOST_MOMENTS = 5
# Thresholds for the list of worst frames: metres for an adult, degrees and a ratio.
SINKS_IN, SLIDES, FLOATS, PELVIS_MOVES = 0.001, 0.001, 0.003, 0.04
TILTS = 10.0
JOLTS = 1.25


class Moment(NamedTuple):
    """A frame to look at, and why."""

    frame: float
    text: str


class _Fault(NamedTuple):
    """A candidate for the list of worst frames: severity relative to its limit, row and text."""

    severity: float
    row: int
    text: str


@dataclass(frozen=True, eq=False)
class FootReport:
    """Result of foot placement.

    Attributes:
        feet: Names of the feet, "leg.L".
        frames: The frames.
        change: The clip's numbers before and after.
        scale: Size of the character; 1 for a grown person.
        bones: Number of bones with new keyframes.
        written: Name of the action or NLA strip with the keys; empty if none were written.
        read_seconds: Time of reading the scene.
        plan_seconds: Time of detecting contacts and planning footsteps.
        solve_seconds: Time of solving.
        write_seconds: Time of writing the keys.
        notes: Notes about skipped or changed items.
        goals: Errors of the user's own goals.
    """

    feet: tuple[str, ...]
    frames: Floats
    change: Change
    scale: float
    bones: int
    written: str
    read_seconds: float
    plan_seconds: float
    solve_seconds: float
    write_seconds: float
    notes: tuple[str, ...] = ()
    goals: tuple[GoalReport, ...] = ()

    @property
    def missed(self) -> tuple[Unreached | GoalReport, ...]:
        """Missed feet, followed by the user's own missed goals."""
        return (*self.missed_feet, *self.missed_goals)

    @property
    def missed_goals(self) -> tuple[GoalReport, ...]:
        """The user's own goals that were not reached in every frame."""
        return tuple(goal for goal in self.goals if goal.reached < goal.frames)

    @property
    def missed_feet(self) -> tuple[Unreached, ...]:
        """Frames in which feet do not reach their places, joined by foot and reason."""
        rows: dict[tuple[int, str], set[int]] = {}
        for miss in self.change.unreached:
            rows.setdefault((miss.foot, miss.reason), set()).update(miss.rows)
        return tuple(
            Unreached(foot, tuple(sorted(found)), reason)
            for (foot, reason), found in rows.items()
            if found
        )

    def summary(self) -> str:
        """A few sentences for the status bar."""
        before, after = self.change.before, self.change.after
        parts = [f"No foot is on the ground in any of {len(self.frames)} frames"]
        if any(foot.contacts for foot in after.feet):
            near, good = 1e3 * ON_GROUND * self.scale, int(self.change.on_ground.sum())
            parts = [
                f"Planted feet within {f'{near:.0f}' if near >= 1.0 else f'{near:.1g}'} mm of the "
                f"ground in {good} of {len(self.frames)} frames"
            ]
        if any(foot.locked for foot in after.feet):
            parts.append(
                f"sliding {_millimetres(_worst(after, 'drift'))} mm (before: "
                f"{_millimetres(_worst(before, 'drift'))} mm)"
            )
        sinks = _worst(after, "penetration")
        text = f"penetration {_millimetres(sinks)} mm"
        if sinks <= SINKS_IN * self.scale:
            text = "no penetration"
        parts.append(f"{text} (before: {_millimetres(_worst(before, 'penetration'))} mm)")
        sentence = f"{parts[0]}; {', '.join(parts[1:])}."
        if self.missed_feet:
            others = len(self.missed_feet) - 1
            more = [f"more misses: {others}"] if others else []
            sentence += f" {'; '.join([self._sentence_of(self.missed_feet[0]), *more])}."
        if self.missed_goals:
            sentence += f" {'; '.join(missed_texts(self.missed_goals))}."
        return sentence

    def lines(self) -> list[str]:
        """The full report as lines; the table needs a monospaced font."""
        seconds = (
            f"read {self.read_seconds:.2f} s, planned {self.plan_seconds:.2f} s, "
            f"solved {self.solve_seconds:.2f} s, wrote {self.write_seconds:.2f} s"
        )
        head = f'{len(self.frames)} frames baked on {self.bones} bones to "{self.written}"'
        if not self.written:
            head = f"{len(self.frames)} frames solved, nothing written"
        return [
            f"{head} ({seconds})",
            *_table(self.feet, self.change),
            *_clip_lines(self.change),
            *(f"{self._sentence_of(miss)}." for miss in self.missed_feet),
            *(
                f"{name} has no ground under it in {foot.groundless} frames."
                for name, foot in zip(self.feet, self.change.after.feet, strict=True)
                if foot.groundless
            ),
            *(f"{goal}." for goal in self.goals),
            *(f"Frame {moment.frame:g}: {moment.text}." for moment in self.worst()),
            *self.notes,
        ]

    def to_json(self) -> dict[str, Any]:
        """All of it but the curves as plain numbers, texts, lists and dicts."""
        change = self.change
        return {
            "schema": SCHEMA,
            "version": SCHEMA_VERSION,
            "written": self.written,
            "bones": self.bones,
            "scale": self.scale,
            "frames": len(self.frames),
            "first_frame": float(self.frames[0]) if len(self.frames) else None,
            "last_frame": float(self.frames[-1]) if len(self.frames) else None,
            "frames_on_ground": int(change.on_ground.sum()),
            "feet": [
                {
                    "name": name,
                    "before": _foot_json(before),
                    "after": _foot_json(after) | self._worst_frames_json(number),
                }
                for number, (name, before, after) in enumerate(
                    zip(self.feet, change.before.feet, change.after.feet, strict=True)
                )
            ],
            "clip": _clip_json(change)
            | {"pelvis_plan_reach": None if change.reach is None else self.feet[change.reach.foot]},
            "unreached": [
                {
                    "foot": self.feet[miss.foot],
                    "reason": miss.reason,
                    "frames": [float(self.frames[row]) for row in miss.rows],
                }
                for miss in self.missed_feet
            ],
            "goals": [asdict(goal) for goal in self.goals],
            "worst": [moment._asdict() for moment in self.worst()],
            "notes": list(self.notes),
            "seconds": {
                "read_s": self.read_seconds,
                "plan_s": self.plan_seconds,
                "solve_s": self.solve_seconds,
                "write_s": self.write_seconds,
            },
        }

    def curves(self) -> dict[str, Floats]:
        """The result's numbers frame by frame, the worst of its feet, for `write_metrics`."""
        curves = self.change.after.curves
        worst_foot = {
            name: values.max(axis=1, initial=0.0) for name, values in curves._asdict().items()
        }
        return worst_foot | {
            "pelvis_shift": self.change.pelvis_shift,
            "acceleration_ratio": self.change.acceleration_ratio,
            "jerk_ratio": self.change.jerk_ratio,
            "upper_body": self.change.upper_body_turn,
        }

    def worst(self) -> list[Moment]:
        """The frames with the largest errors, at most MOST_MOMENTS, worst first."""
        faults = [fault for fault in self._faults() if fault.severity > 1.0]
        faults.sort(key=lambda fault: -fault.severity)
        return [
            Moment(float(self.frames[fault.row]), fault.text) for fault in faults[:MOST_MOMENTS]
        ]

    def _faults(self) -> Iterator[_Fault]:
        for miss in self.missed_feet:
            yield _Fault(
                np.inf, miss.rows[0], f"{self.feet[miss.foot]} misses its place: {miss.reason}"
            )
        curves = self.change.after.curves
        for foot, name in enumerate(self.feet):
            for values, limit, text in (
                (curves.penetration, SINKS_IN, f"{name} penetrates the ground by {{}} mm"),
                (curves.drift, SLIDES, f"{name} slides by {{}} mm"),
                (curves.floating, FLOATS, f"{name} floats {{}} mm above the ground"),
            ):
                yield _peak(values[:, foot], limit * self.scale, text, _millimetres)
            tilt = f"{name} is {{}} degrees off the slope"
            yield _peak(curves.slope_error[:, foot], TILTS, tilt, "{:.0f}".format)
        shift, limit = self.change.pelvis_shift, PELVIS_MOVES * self.scale
        yield _peak(shift, limit, "pelvis moves {} mm", _millimetres)
        jolt = "acceleration peak, {} times the source's nearby"
        yield _peak(self.change.acceleration_ratio, JOLTS, jolt, "{:.1f}".format)

    def _worst_frames_json(self, foot: int) -> dict[str, float]:
        """The frame in which each number of a foot is worst."""
        if not len(self.frames):
            return {}
        return {
            f"{name}_worst_frame": float(self.frames[int(np.argmax(values[:, foot]))])
            for name, values in self.change.after.curves._asdict().items()
        }

    def _sentence_of(self, miss: Unreached) -> str:
        """The sentence without its period."""
        frames = "1 frame" if len(miss.rows) == 1 else f"{len(miss.rows)} frames"
        return (
            f"{self.feet[miss.foot]} misses its place in {frames}, the first at frame "
            f"{self.frames[miss.rows[0]]:g}: {miss.reason}"
        )


def reach_notes(change: Change, feet: Sequence[str], frames: Floats) -> tuple[str, ...]:
    """A note about the leg for which the pelvis moves far sideways, if there is one."""
    if change.reach is None:
        return ()
    frame, name = frames[change.reach.row], feet[change.reach.foot]
    return (
        f"Around frame {frame:g} the pelvis moves far sideways because {name} is fully stretched.",
    )


def _peak(values: Floats, limit: float, text: str, shown: Callable[[float], str]) -> _Fault:
    if not len(values):
        return _Fault(0.0, 0, "")
    row = int(np.argmax(values))
    return _Fault(float(values[row]) / limit, row, text.format(shown(float(values[row]))))


def _millimetres(metres: float) -> str:
    return f"{1e3 * metres:.1f}" if metres < 0.00995 else f"{1e3 * metres:.0f}"


def _worst(quality: Quality, name: str) -> float:
    """The worst of all feet of something that `FootQuality` has an extent of."""
    return max((getattr(foot, name).worst for foot in quality.feet), default=0.0)


def _if_locked(foot: FootQuality, value: float) -> float:
    """A value that has no meaning for a foot that always slides."""
    return value if foot.locked else np.nan


def _cell(value: float, width: int) -> str:
    return f"{'-':>{width}}" if np.isnan(value) else f"{value:{width}.2f}"


# The table's rows: label, value of a foot and factor to the label's unit.
TABLE: tuple[tuple[str, Callable[[FootQuality], float], float], ...] = (
    ("penetration, worst (mm)", lambda foot: foot.penetration.worst, 1e3),
    ("penetration, mean (mm)", lambda foot: foot.penetration.mean, 1e3),
    ("sliding when planted, worst (mm)", lambda foot: _if_locked(foot, foot.drift.worst), 1e3),
    ("sliding when planted, mean (mm)", lambda foot: _if_locked(foot, foot.drift.mean), 1e3),
    ("floating when planted, worst (mm)", lambda foot: foot.floating.worst, 1e3),
    ("floating when planted, mean (mm)", lambda foot: foot.floating.mean, 1e3),
    ("slope error, worst (degrees)", lambda foot: foot.slope_error.worst, 1.0),
    ("slope error, mean (degrees)", lambda foot: foot.slope_error.mean, 1.0),
    ("skating (mm/s)", lambda foot: foot.skate, 1e3),
)


def _table(names: tuple[str, ...], change: Change) -> list[str]:
    """One row for each number, two columns for each foot."""
    first = max(len(label) for label, _, _ in TABLE)
    width = max([8, *((len(name) + 1) // 2 for name in names)])
    pairs = list(zip(change.before.feet, change.after.feet, strict=True))
    lines = [
        f"{'':{first}}" + "".join(f"  {name:>{2 * width + 1}}" for name in names),
        f"{'':{first}}" + f"  {'before':>{width}} {'after':>{width}}" * len(names),
    ]
    for label, value, factor in TABLE:
        cells = (
            f"  {_cell(factor * value(before), width)} {_cell(factor * value(after), width)}"
            for before, after in pairs
        )
        lines.append(f"{label:{first}}" + "".join(cells))
    return lines


def _clip_lines(change: Change) -> list[str]:
    acceleration, jerk, knees = change.ratios
    plan, rise = _millimetres(change.pelvis_plan.worst), _millimetres(change.pelvis_rise.worst)
    return [
        f"Relative to the source: jerk {jerk.mean:.2f} (legs {jerk.legs_mean:.2f}), peak "
        f"acceleration {acceleration.worst:.2f} (99th percentile of the legs "
        f"{acceleration.legs_p99:.2f}), peak of the knees {knees:.2f}.",
        f"Beyond what the ground requires, the pelvis moves {plan} mm horizontally and {rise} mm "
        f"vertically, and the upper body rotates by {change.upper_body.worst:.2f} degrees.",
    ]


def _foot_json(foot: FootQuality) -> dict[str, float | int]:
    return {
        "contacts": foot.contacts,
        "locked_contacts": foot.locked,
        **_extent_json("penetration", foot.penetration, "mm", 1e3),
        **_extent_json("drift", foot.drift, "mm", 1e3),
        **_extent_json("floating", foot.floating, "mm", 1e3),
        **_extent_json("slope_error", foot.slope_error, "deg", 1.0),
        "skate_mm_s": 1e3 * foot.skate,
        "frames_without_ground": foot.groundless,
    }


def _clip_json(change: Change) -> dict[str, Any]:
    def absolute(quality: Quality) -> dict[str, float]:
        return {
            **_harshness_json("acceleration", quality.acceleration, "_m_s2"),
            **_harshness_json("jerk", quality.jerk, "_m_s3"),
            "knee_acceleration_worst_deg_s2": quality.knee_acceleration,
        }

    return {
        "before": absolute(change.before),
        "after": absolute(change.after),
        **_harshness_json("acceleration", change.ratios.acceleration, "_ratio"),
        **_harshness_json("jerk", change.ratios.jerk, "_ratio"),
        "knee_acceleration_worst_ratio": change.ratios.knee_acceleration,
        **_extent_json("pelvis_plan", change.pelvis_plan, "mm", 1e3),
        **_extent_json("pelvis_rise", change.pelvis_rise, "mm", 1e3),
        **_extent_json("upper_body", change.upper_body, "deg", 1.0),
    }


def _extent_json(name: str, extent: Extent, unit: str, factor: float) -> dict[str, float]:
    return {
        f"{name}_mean_{unit}": factor * extent.mean,
        f"{name}_worst_{unit}": factor * extent.worst,
    }


def _harshness_json(name: str, harshness: Harshness, unit: str) -> dict[str, float]:
    return {f"{name}_{part}{unit}": value for part, value in harshness._asdict().items()}
