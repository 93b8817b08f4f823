"""The goals of a source, to be met in all its frames together."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...solver import Clip as JointClip
from ...solver import ClipSolution, Goal, KinematicTree, Settings, Stop, Track
from ...solver.errors import SolverError
from ..clip.skeleton import Skeleton
from ..errors import Cancelled, RigError
from ..goals.solve_setup import setup_model, staying
from ..goals.tracks import solver_tracks
from ..joints.joint_model import Vector
from ..joints.joints import JointModel, TipPlace, approximations
from ..joints.non_rigid import solve_settled
from ..keys.keys import BoneTracks
from ..reading import Cancel, Progress
from ..source.source import Source
from ..source_shown import live_waits
from ..transforms import Floats

MoreGoals = Callable[[JointModel], Sequence[Goal | Track]]
NO_SCIPY = (
    "Each frame is solved independently, so corrections may jump: smoothing requires scipy, which "
    "is not available."
)


@dataclass(frozen=True, eq=False)
class GoalsSolution:
    """Solved goals.

    Attributes:
        tracks: Channels of all bones.
        poses: The joints' values, and the goals' errors at them.
        source_errors: Errors of the goals in the source, metres or degrees, (frames, goals); None
            where scipy is missing.
        notes: Notes about skipped items.
        seconds: Time of solving.
    """

    tracks: BoneTracks
    poses: ClipSolution
    source_errors: Floats | None
    notes: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, eq=False)
class GoalsProblem:
    """The problem to solve.

    Attributes:
        source: What was read.
        model: Its joints.
        tracks: The goals: first the source's own, then others.
        settings: How the solver works.
        notes: Notes about skipped items.
        custom: Whether the caller added goals.
    """

    source: Source
    model: JointModel
    tracks: tuple[Goal | Track, ...]
    settings: Settings
    notes: tuple[str, ...] = ()
    custom: bool = False

    @live_waits()
    def solve(
        self, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> GoalsSolution:
        """Solve all frames, and measure the errors of the source. Does not access Blender.

        Raises:
            RigError: The solver cannot solve it.
            Cancelled: `cancelled` returned true.
        """
        started = time.perf_counter()
        poses = self.poses(progress, cancelled)
        try:
            before = _source_errors(self.model.tree, self.tracks, self.model.clip)
        except SolverError as error:
            raise RigError(str(error)) from error
        tracks = self.model.tracks(poses.values)
        return GoalsSolution(tracks, poses, before, self.notes, time.perf_counter() - started)

    def poses(
        self,
        progress: Progress | None = None,
        cancelled: Cancel | None = None,
        before: Floats | None = None,
    ) -> ClipSolution:
        """The joint values only, starting from `before` if given.

        Raises:
            RigError: The solver cannot solve it.
            Cancelled: `cancelled` returned true.
        """
        stopped = False

        def asked() -> bool:
            nonlocal stopped
            stopped = stopped or (cancelled is not None and cancelled())
            return stopped

        try:
            found = solve_settled(
                self.model,
                self.tracks,
                self.settings,
                progress,
                asked if cancelled else None,
                before,
            )
        except SolverError as error:
            raise RigError(str(error)) from error
        if stopped or Stop.NOT_SOLVED in found.stops or Stop.CANCELLED in found.stops:
            raise Cancelled
        return found


def goals_problem(source: Source, more_goals: MoreGoals | None = None) -> GoalsProblem:
    """The problem of a source's goals, with more goals made for the joints.

    Raises:
        RigError: The goals cannot be solved; says why.
    """
    moving = source.setup.moving
    model = goals_model(source, tips=_bone_tips(source.skeleton, moving) if more_goals else ())
    settings, unsmoothed = possible_settings(source.settings)
    notes = [*model_notes(source, model), *unsmoothed]
    more = more_goals(model) if more_goals is not None else ()
    tracks = goal_tracks(source, model, more)
    return GoalsProblem(source, model, tracks, settings, tuple(notes), more_goals is not None)


def goals_model(
    source: Source,
    *,
    tips: Iterable[TipPlace] = (),
    turn_axes: Mapping[str, Sequence[Vector]] | None = None,
    like: KinematicTree | None = None,
) -> JointModel:
    """The joints of a source's setup; see `build_joints`.

    Args:
        source: What was read.
        tips: Points on bones in addition to those of its goals.
        turn_axes: Axes that bones turn about instead of their own.
        like: A tree that may be the same, to save work.

    Raises:
        RigError: The rig cannot be solved; says why.
    """
    return setup_model(
        source.setup,
        source.skeleton,
        source.clip,
        source.tracks,
        tips=tuple(tips),
        turn_axes=turn_axes,
        like=like,
    )


def goal_tracks(
    source: Source, model: JointModel, more: Sequence[Goal | Track] = ()
) -> tuple[Goal | Track, ...]:
    """A source's goals for its joints, then more, then the goal of staying as animated."""
    own = solver_tracks(model, source.clip, source.goals)
    return (*own, *more, *staying(source.displacement, model))


def model_notes(source: Source, model: JointModel) -> list[str]:
    """Notes about joints that differ from Blender's evaluation."""
    attached = {source.skeleton.names[bone] for bone, _ in model.attached}
    return [
        *widened_notes(model),
        *approximations(source.skeleton, source.clip, source.setup.moving, attached),
    ]


def widened_notes(model: JointModel) -> list[str]:
    """Notes about bones whose limits the source exceeds."""
    return [
        f"{bone} is animated beyond its limits, so they are widened to its motion."
        for bone in dict.fromkeys(model.widened)
    ]


def possible_settings(settings: Settings) -> tuple[Settings, list[str]]:
    """The settings that can be applied here, and notes about the rest."""
    if settings.smoothness > 0.0 and not _can_smooth():
        return replace(settings, smoothness=0.0), [NO_SCIPY]
    return settings, []


def tip_of(bone: str, *, tail: bool = False) -> str:
    """Name of the solver's tip at a bone's head or tail, for goals of the caller."""
    return f"{bone}, {'tail' if tail else 'head'}"


def _bone_tips(skeleton: Skeleton, bones: Sequence[str]) -> Iterator[TipPlace]:
    for bone in bones:
        length = float(skeleton.length[skeleton.index[bone]])
        yield TipPlace(tip_of(bone), bone)
        yield TipPlace(tip_of(bone, tail=True), bone, (0.0, length, 0.0))


def _source_errors(
    tree: KinematicTree, tracks: Sequence[Goal | Track], clip: JointClip
) -> Floats | None:
    """Errors of goals in the source clip, metres or degrees, (f, goals); None without scipy."""
    if not _can_smooth():
        return None
    from ...solver.clips.open_clip import clip_errors

    return clip_errors(tree, tracks, clip)


def _can_smooth() -> bool:
    """Whether the solver's requirements for solving all frames together are available."""
    try:
        importlib.import_module("scipy.linalg")
    except ImportError:
        return False
    return True
