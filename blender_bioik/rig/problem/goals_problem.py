"""The goals of a source, to be met in all its frames together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...solver import ClipSolution, Goal, KinematicTree, Settings, SolverError, Stop, Track
from ..clip.skeleton import Skeleton
from ..errors import Cancelled, RigError
from ..goals.setup_joints import setup_model, staying
from ..goals.tracks import solver_tracks
from ..joints.joint_model import Vector
from ..joints.joints import JointModel, TipPlace, approximations
from ..joints.non_rigid import solve_settled
from ..keys.keys import BoneTracks
from ..reading import Cancel, Progress, parts_of
from ..source.source import Source
from ..source.without_scipy import possible_settings, source_errors
from ..source_shown import live_waits
from ..transforms import Floats
from .body_help import (
    before_cost,
    foot_holds,
    foot_tips,
    help_settings,
    helped_note,
    missed,
    start_values,
)

# Weight of staying as animated where the user has none: the body must have a cost.
LEAST_STAYING = 1e-3
Joints = tuple[str, ...]
# Values (f,) of the joints of limbs, by name.
Limbs = Mapping[str, Floats]
MoreGoals = Callable[[JointModel], Sequence[Goal | Track]]


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
    """The problem to solve, for the limbs of the goals at first.

    Attributes:
        source: What was read.
        model: Its joints.
        tracks: The goals: first the source's own, then others.
        settings: How the solver works.
        notes: Notes about skipped items.
        custom: Whether the caller added goals.
        helped: Makes the problem in which the body helps limbs that are as solved without it; None
            if nothing helps.
        start: Joint values (f, joints) that corrections are relative to; None for the source's.
    """

    source: Source
    model: JointModel
    tracks: tuple[Goal | Track, ...]
    settings: Settings
    notes: tuple[str, ...] = ()
    custom: bool = False
    helped: Callable[[Limbs], GoalsProblem] | None = None
    start: Floats | None = None

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
        problem, poses, _ = self.needed(progress, cancelled)
        try:
            before = source_errors(self.model.tree, self.tracks, self.model.clip)
        except SolverError as error:
            raise RigError(str(error)) from error
        tracks = problem.model.tracks(poses.values)
        return GoalsSolution(tracks, poses, before, problem.notes, time.perf_counter() - started)

    def needed(
        self,
        progress: Progress | None = None,
        cancelled: Cancel | None = None,
        before: Mapping[Joints, Floats] | None = None,
    ) -> Needed:
        """The problem in which the body helps if limbs miss a goal, otherwise this one; its poses.

        Args:
            progress: As of `solve`.
            cancelled: As of `solve`.
            before: Values to start from, by the names of the joints.

        Raises:
            RigError: The solver cannot solve it.
            Cancelled: `cancelled` returned true.
        """
        known: Mapping[Joints, Floats] = before or {}
        if self.helped is None:
            return Needed(self, self._from(known, progress, cancelled))
        if self.source.setup.help.always:
            problem = self.helped({})
            return Needed(problem, problem._from(known, progress, cancelled))
        parts = parts_of(progress, 3)
        # The limbs as near to their goals as they get without a search, which would turn limbs
        # that do not reach in any way.
        nearest = replace(self, settings=replace(self.settings, strategy="local"))
        limbs = found = nearest._from(known, parts[0], cancelled)
        if self.settings.strategy == "evolution" or set(limbs.stops) > {Stop.REACHED}:
            found = self._from(known, parts[1], cancelled)
        far = missed(self.source, self.model, found)
        if not far.any():
            return Needed(self, found)
        names = self.model.tree.names
        problem = self.helped(dict(zip(names, limbs.values.T, strict=True)))
        helped = problem._from(known, parts[2], cancelled)
        note = helped_note(int(far.sum()), len(far))
        return Needed(replace(problem, notes=(*problem.notes, note)), helped, limbs)

    def _from(
        self,
        before: Mapping[Joints, Floats],
        progress: Progress | None,
        cancelled: Cancel | None,
    ) -> ClipSolution:
        return self.poses(progress, cancelled, before.get(self.model.tree.names))

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
                self.start,
            )
        except SolverError as error:
            raise RigError(str(error)) from error
        if stopped or Stop.NOT_SOLVED in found.stops or Stop.CANCELLED in found.stops:
            raise Cancelled
        return found


class Needed(NamedTuple):
    """What was needed to meet goals.

    Attributes:
        problem: The problem that was solved in the end.
        found: Its joint values.
        limbs: Those of the problem of the limbs, if the body had to help.
    """

    problem: GoalsProblem
    found: ClipSolution
    limbs: ClipSolution | None = None


def goals_problem(source: Source, more_goals: MoreGoals | None = None) -> GoalsProblem:
    """The problem of a source's goals, with more goals made for the joints.

    Raises:
        RigError: The goals cannot be solved; says why.
    """
    if more_goals is None:
        return problem_of(source, goals_model, helped_model, goals_of(source))
    model = goals_model(source, tips=_bone_tips(source.skeleton, source.setup.moving))
    settings, unsmoothed = possible_settings(source.settings)
    notes = (*model_notes(source, model), *unsmoothed)
    tracks = goal_tracks(source, model, more_goals(model))
    return GoalsProblem(source, model, tracks, settings, notes, custom=True)


def problem_of(
    source: Source,
    model: Callable[[Source], JointModel],
    helped: Callable[[Source], JointModel],
    goals: Callable[[JointModel], Sequence[Goal | Track]],
) -> GoalsProblem:
    """The problem of a source, in which the body helps limbs that do not reach.

    Args:
        source: What was read.
        model: Makes the joints of its setup.
        helped: The same of a setup that includes the body.
        goals: Makes the goals for joints.
    """
    joints = model(source)
    settings, unsmoothed = possible_settings(source.settings)
    notes = (*model_notes(source, joints), *unsmoothed)
    tracks = (*goals(joints), *staying(source.displacement, joints))
    further = helped_problem(source, settings, helped, goals, notes)
    return GoalsProblem(source, joints, tracks, settings, notes, helped=further)


def helped_problem(
    source: Source,
    settings: Settings,
    model: Callable[[Source], JointModel],
    goals: Callable[[JointModel], Sequence[Goal | Track]],
    notes: tuple[str, ...] = (),
) -> Callable[[Limbs], GoalsProblem] | None:
    """What makes the problem in which the body helps limbs, None if nothing can help.

    What it costs to move is measured from where the limbs are without help: where these reach,
    nothing has to change.

    Args:
        source: What was read.
        settings: How the solver works.
        model: Makes the joints of a source whose setup includes the body.
        goals: Makes its goals for these joints.
        notes: Notes about skipped items.
    """
    help_ = source.setup.help
    if not help_.moving and not help_.always:
        return None

    def problem(limbs: Limbs) -> GoalsProblem:
        helped = replace(source, setup=source.setup.helped())
        joints = model(helped)
        stays = staying(source.displacement or LEAST_STAYING, joints)
        tracks = (*before_cost(goals(joints)), *foot_holds(help_, source, joints), *stays)
        start = start_values(joints, limbs)
        return GoalsProblem(helped, joints, tracks, help_settings(settings), notes, start=start)

    return problem


def goals_of(source: Source) -> Callable[[JointModel], Sequence[Goal | Track]]:
    """What makes a source's own goals for joints."""
    return lambda joints: solver_tracks(joints, source.clip, source.goals)


def helped_model(helped: Source) -> JointModel:
    """The joints of a source whose setup the body helps."""
    return goals_model(helped, tips=foot_tips(helped.setup.help))


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


def tip_of(bone: str, *, tail: bool = False) -> str:
    """Name of the solver's tip at a bone's head or tail, for goals of the caller."""
    return f"{bone}, {'tail' if tail else 'head'}"


def _bone_tips(skeleton: Skeleton, bones: Sequence[str]) -> Iterator[TipPlace]:
    for bone in bones:
        length = float(skeleton.length[skeleton.index[bone]])
        yield TipPlace(tip_of(bone), bone)
        yield TipPlace(tip_of(bone, tail=True), bone, (0.0, length, 0.0))
