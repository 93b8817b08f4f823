"""The report of foot placement, with numbers before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from ...findings import Finding, Severity, is_good, ranked, told, verdict
from ...motion.measure.quality import Quality
from ...motion.measure.quality_change import ON_GROUND, Change, Unreached
from ..transforms import Floats
from .foot_findings import missed_findings
from .foot_json import clip_json, foot_json
from .foot_table import clip_lines, foot_table, millimetres
from .mesh_report import MeshReport
from .part_report import PartReport, part_findings
from .report import GoalReport, missed_texts

SCHEMA = "bioik.foot_report"
SCHEMA_VERSION = 1
# Most frames that are marked.
MOST_MOMENTS = 5
NO_MESH = "Measured on sole points and bones: there is no mesh."
# Least penetration that is mentioned, metres for a person.
SINKS_IN = 0.001


class Moment(NamedTuple):
    """A frame to look at, and why."""

    frame: float
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
        measure_seconds: Time of measuring the result.
        notes: Notes about skipped or changed items.
        goals: Errors of the user's own goals.
        meshes: How deep the meshes are in the ground; None without a mesh.
        parts: Other parts of the body that rest.
        findings: What was found in the clip before and by measuring the result.
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
    measure_seconds: float = 0.0
    notes: tuple[str, ...] = ()
    goals: tuple[GoalReport, ...] = ()
    meshes: MeshReport | None = None
    parts: tuple[PartReport, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """All findings, the worst first."""
        missed = missed_findings(self.missed_feet, self.feet)
        parts = part_findings(self.parts, self.scale)
        return tuple(ranked((*missed, *parts, *self.findings)))

    @property
    def good(self) -> bool:
        """Whether nothing is wrong or in doubt, and all goals are reached."""
        return is_good(self.all_findings) and not self.missed_goals

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
        """A few sentences for the status bar, the verdict first."""
        found = self.all_findings
        sentences = [verdict(found, self.frames), f"{self._numbers()}."]
        if self.missed_goals:
            sentences.append(f"{'; '.join(missed_texts(self.missed_goals))}.")
        notes = [finding for finding in found if finding.severity == Severity.NOTE]
        sentences += told(notes, self.frames)
        return " ".join([*sentences, *([] if self.meshes else [NO_MESH])])

    def _numbers(self) -> str:
        """The most important numbers, as a sentence without its period."""
        before, after = self.change.before, self.change.after
        parts = [f"No foot is on the ground in any of {len(self.frames)} frames"]
        if self.parts:
            names = ", ".join(part.name for part in self.parts)
            parts = [f"No foot stands, but other parts of the body rest: {names}"]
        if any(foot.contacts for foot in after.feet):
            near, good = 1e3 * ON_GROUND * self.scale, int(self.change.on_ground.sum())
            parts = [
                f"Planted feet within {f'{near:.0f}' if near >= 1.0 else f'{near:.1g}'} mm of the "
                f"ground in {good} of {len(self.frames)} frames"
            ]
        if any(foot.locked for foot in after.feet):
            parts.append(
                f"sliding {millimetres(_worst(after, 'drift'))} mm (before: "
                f"{millimetres(_worst(before, 'drift'))} mm)"
            )
        sinks = self._deepest
        text = f"penetration {millimetres(sinks)} mm"
        if sinks <= SINKS_IN * self.scale:
            text = "no penetration"
        parts.append(f"{text} (before: {millimetres(_worst(before, 'penetration'))} mm)")
        return f"{parts[0]}; {', '.join(parts[1:])}"

    @property
    def _deepest(self) -> float:
        """The deepest that anything is in the ground, sole points and meshes; metres."""
        meshes = self.meshes.deepest if self.meshes else 0.0
        return max(_worst(self.change.after, "penetration"), meshes)

    def lines(self) -> list[str]:
        """The full report as lines; the table needs a monospaced font."""
        seconds = (
            f"read {self.read_seconds:.2f} s, planned {self.plan_seconds:.2f} s, "
            f"solved {self.solve_seconds:.2f} s, measured {self.measure_seconds:.2f} s, "
            f"wrote {self.write_seconds:.2f} s"
        )
        head = f'{len(self.frames)} frames baked on {self.bones} bones to "{self.written}"'
        if not self.written:
            head = f"{len(self.frames)} frames solved, nothing written"
        return [
            f"{head} ({seconds})",
            *foot_table(self.feet, self.change),
            *clip_lines(self.change),
            *(
                f"{name} has no ground under it in {foot.groundless} frames."
                for name, foot in zip(self.feet, self.change.after.feet, strict=True)
                if foot.groundless
            ),
            *(f"{part.sentence()}." for part in self.parts),
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
                    "before": foot_json(before),
                    "after": foot_json(after) | self._worst_frames_json(number),
                }
                for number, (name, before, after) in enumerate(
                    zip(self.feet, change.before.feet, change.after.feet, strict=True)
                )
            ],
            "parts": [part.to_json(self.frames) for part in self.parts],
            "clip": clip_json(change)
            | {"pelvis_plan_reach": None if change.reach is None else self.feet[change.reach.foot]},
            "meshes": self.meshes.to_json(self.feet, self.frames) if self.meshes else None,
            "unreached": [
                {
                    "foot": self.feet[miss.foot],
                    "reason": miss.reason,
                    "frames": [float(self.frames[row]) for row in miss.rows],
                }
                for miss in self.missed_feet
            ],
            "goals": [asdict(goal) for goal in self.goals],
            "good": self.good,
            "verdict": verdict(self.all_findings, self.frames),
            "findings": [finding.to_json(self.frames) for finding in self.all_findings],
            "worst": [moment._asdict() for moment in self.worst()],
            "notes": list(self.notes),
            "seconds": {
                "read_s": self.read_seconds,
                "plan_s": self.plan_seconds,
                "solve_s": self.solve_seconds,
                "measure_s": self.measure_seconds,
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
            "foot_twist": self.change.foot_twist.max(axis=1, initial=0.0),
            **(self.meshes.curves() if self.meshes else {}),
        }

    def worst(self) -> list[Moment]:
        """The frames with the largest errors, at most MOST_MOMENTS, worst first."""
        located = [finding for finding in self.all_findings if finding.row is not None]
        return [
            Moment(float(self.frames[finding.row]), finding.text)
            for finding in located[:MOST_MOMENTS]
        ]

    def _worst_frames_json(self, foot: int) -> dict[str, float]:
        """The frame in which each number of a foot is worst."""
        if not len(self.frames):
            return {}
        return {
            f"{name}_worst_frame": float(self.frames[int(np.argmax(values[:, foot]))])
            for name, values in self.change.after.curves._asdict().items()
        }


def reach_notes(change: Change, feet: Sequence[str], frames: Floats) -> tuple[str, ...]:
    """A note about the leg for which the pelvis moves far sideways, if there is one."""
    if change.reach is None:
        return ()
    frame, name = frames[change.reach.row], feet[change.reach.foot]
    return (
        f"Around frame {frame:g} the pelvis moves far sideways because {name} is fully stretched.",
    )


def _worst(quality: Quality, name: str) -> float:
    """The worst of all feet of something that `FootQuality` has an extent of."""
    return max((getattr(foot, name).worst for foot in quality.feet), default=0.0)
