"""The report of a bake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...solver import ClipSolution
from ..transforms import Floats

if TYPE_CHECKING:
    from ..goals.tracks import PlannedGoal

SCHEMA = "bioik.bake_report"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class GoalReport:
    """How well one goal was met over the frames in which it acts.

    Attributes:
        name: The goal's name.
        unit: "mm" or "degrees".
        frames: Frames in which it acts.
        reached: Frames in which it is within its tolerance.
        mean: Mean error.
        worst: Largest error.
        worst_frame: The frame that has it.
        preference: Whether it is followed only as far as the others allow, and never missed.
        mean_before: Mean error of the source; None if it was not measured.
        worst_before: Its largest error.
    """

    name: str
    unit: str
    frames: int
    reached: int
    mean: float
    worst: float
    worst_frame: float
    preference: bool = False
    mean_before: float | None = None
    worst_before: float | None = None

    def __str__(self) -> str:
        if not self.frames:
            return f"{self.name}: inactive in all frames"
        mean, worst, unit = _shown(self.mean), _shown(self.worst), self.unit
        missed = self.frames - self.reached
        if self.preference:
            return (
                f"{self.name}: a preference, mean {mean} {unit}, "
                f"worst {worst} {unit} (frame {self.worst_frame:g})"
            )
        if not missed:
            return (
                f"{self.name}: reached, mean {mean} {unit}, "
                f"worst {worst} {unit} (frame {self.worst_frame:g})"
            )
        return (
            f"{self.name}: missed in {missed} of {self.frames} frames, mean {mean} {unit}, "
            f"worst {worst} {unit} (frame {self.worst_frame:g})"
        )


def _shown(error: float) -> str:
    """An error in three digits, never as a power of ten."""
    return f"{error:.0f}" if error >= 100.0 else f"{error:.3g}" if error >= 1e-4 else "0"


@dataclass(frozen=True)
class BakeReport:
    """Result of a bake.

    Attributes:
        frames: Frames solved.
        first_frame: The first of them; None if there are none.
        last_frame: The last of them.
        bones: Bones with new keys.
        written: Name of the action or NLA strip with the keys.
        goals: How well each goal was met.
        evolved: Frames in which the search from the animated pose was not enough.
        read_seconds: Time of reading the scene.
        solve_seconds: Time of solving.
        write_seconds: Time of writing the keys.
        notes: Notes about skipped or changed items.
    """

    frames: int
    bones: int
    written: str
    goals: tuple[GoalReport, ...]
    evolved: int
    read_seconds: float
    solve_seconds: float
    write_seconds: float
    notes: tuple[str, ...] = ()
    first_frame: float | None = None
    last_frame: float | None = None

    @property
    def missed(self) -> tuple[GoalReport, ...]:
        """Goals that were not reached in every frame."""
        return tuple(goal for goal in self.goals if goal.reached < goal.frames)

    @property
    def good(self) -> bool:
        """Whether all goals were reached."""
        return not self.missed

    def summary(self) -> str:
        """One sentence for the status bar."""
        total = self.read_seconds + self.solve_seconds + self.write_seconds
        keyed = f"{self.frames} frames baked on {self.bones} bones in {total:.1f} s"
        if not self.missed:
            return f"{keyed}; all goals reached"
        return "; ".join([keyed, *missed_texts(self.missed)])

    def lines(self) -> list[str]:
        """All of it, line by line."""
        times = (
            f"read {self.read_seconds:.2f} s, solved {self.solve_seconds:.2f} s, "
            f"wrote {self.write_seconds:.2f} s"
        )
        head = f'{self.frames} frames baked on {self.bones} bones to "{self.written}" ({times})'
        return [head, *(str(goal) for goal in self.goals), *self.notes]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain numbers, texts, lists and dicts."""
        return {
            "schema": SCHEMA,
            "version": SCHEMA_VERSION,
            "written": self.written,
            "bones": self.bones,
            "frames": self.frames,
            "first_frame": self.first_frame,
            "last_frame": self.last_frame,
            "evolved": self.evolved,
            "goals": [asdict(goal) for goal in self.goals],
            "notes": list(self.notes),
            "seconds": {
                "read_s": self.read_seconds,
                "solve_s": self.solve_seconds,
                "write_s": self.write_seconds,
            },
        }


def missed_texts(missed: Sequence[GoalReport]) -> list[str]:
    """The first of some missed goals, and how many others there are."""
    others = len(missed) - 1
    texts = [str(goal) for goal in missed[:1]]
    return [*texts, f"more missed goals: {others}"] if others > 0 else texts


def make_report(
    goals: Sequence[PlannedGoal],
    frames: Floats,
    solution: ClipSolution,
    *,
    bones: int,
    written: str,
    notes: tuple[str, ...],
    seconds: tuple[float, float, float],
    before: Floats | None = None,
) -> BakeReport:
    """The report of a solved clip; the solution's first goals are the armature's own.

    `before` are the goals' errors in the source, (f, goals), as those of the solution.
    """
    return BakeReport(
        frames=len(frames),
        bones=bones,
        written=written,
        goals=tuple(
            goal_report(
                plan,
                frames,
                solution.errors[:, number],
                solution.reached[:, number],
                None if before is None else before[:, number],
            )
            for number, plan in enumerate(goals)
        ),
        evolved=int(np.count_nonzero(solution.iterations)),
        read_seconds=seconds[0],
        solve_seconds=seconds[1],
        write_seconds=seconds[2],
        notes=notes,
        first_frame=float(frames[0]) if len(frames) else None,
        last_frame=float(frames[-1]) if len(frames) else None,
    )


def goal_report(
    plan: PlannedGoal,
    frames: Floats,
    errors: Floats,
    within: NDArray[np.bool_],
    before: Floats | None = None,
) -> GoalReport:
    """How well a goal was met.

    Args:
        plan: The goal.
        frames: The frames.
        errors: Its errors, metres or degrees; (f,).
        within: Whether these are within its tolerance; (f,).
        before: Its errors in the source, where they were measured.
    """
    acts = plan.influence > 0.0
    angle = plan.goal.kind.angle
    factor = 1.0 if angle else 1000.0
    shown = np.where(acts, errors * factor, 0.0)
    worst = int(np.argmax(shown)) if len(shown) else 0
    source = None if before is None else before[acts] * factor
    return GoalReport(
        name=plan.label,
        unit="degrees" if angle else "mm",
        frames=int(np.count_nonzero(acts)),
        reached=int(np.count_nonzero(within[acts])),
        mean=float(shown[acts].mean()) if acts.any() else 0.0,
        worst=float(shown.max(initial=0.0)),
        worst_frame=float(frames[worst]) if len(frames) else 0.0,
        preference=plan.goal.is_soft,
        mean_before=None if source is None or not len(source) else float(source.mean()),
        worst_before=None if source is None else float(source.max(initial=0.0)),
    )
