"""The user's goals, solved on the body after foot placement.

They are solved as in any bake, with the placed clip as their source: an arm that
cannot reach stretches out, and body and feet stay where they are. Goals about legs are met with the
feet, see `goal_stages.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ...motion.solve.loops import Loop
from ...solver import Goal, Track
from ..clip.skeleton import replaced_pose
from ..goals.tracks import solver_tracks
from ..joints.joint_model import JointModel, Vector
from ..legs.hand_holds import hand_holds, hand_tips
from ..legs.leg_joints import turn_axes
from ..reading import Cancel, Progress
from ..source.source import Rows, Source
from ..transforms import Floats
from .feet_problem import FeetProblem
from .feet_solution import FeetSolution
from .goals_problem import (
    GoalsProblem,
    goals_model,
    problem_of,
    widened_notes,
)
from .own_goal_errors import clip_goal_errors

# What a loop's correction may be off between its ends before these are left as they are, radians.
SEAM = 0.02


@dataclass(frozen=True, eq=False)
class GoalsAfterFeet:
    """Goals above placed feet.

    Attributes:
        feet: The foot placement problem.
        placed: Where they are now.
    """

    feet: FeetProblem
    placed: FeetSolution

    @cached_property
    def original(self) -> Source:
        """What was read, with the goals above and the bones that these may move."""
        stages, source = self.feet.stages, self.feet.source
        goals = tuple(source.goals[number] for number in stages.above)
        setup = stages.above_setup([goal.goal for goal in goals])
        return replace(source, setup=setup, goals=goals)

    @cached_property
    def source(self) -> Source:
        """The same over the placed clip, whose channels give its poses."""
        source, model = self.feet.source, self.feet.model
        moved = sorted({*source.moved, *(bone.index for bone in model.bones)})
        clip, placed = source.keyed_clip, self.placed.tracks
        pose = replaced_pose(
            source.skeleton, clip.pose, moved, (track[:, moved] for track in placed)
        )
        location, rotation, scale = placed
        placed_clip = replace(clip, location=location, rotation=rotation, scale=scale, pose=pose)
        return self.original.posed(placed_clip)

    @cached_property
    def arm_axes(self) -> dict[str, tuple[Vector, ...]]:
        """Bone axes of the arms whose hands stay in place in world space."""
        arms, source = self.feet.stages.staying_arms, self.feet.source
        axes = turn_axes(self.feet.stages.legs, source.skeleton, source.clip) if arms else {}
        return {bone: axes[bone] for arm in arms for bone in (arm.upper, arm.lower)}

    def solve(
        self, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> FeetSolution:
        """Solve the goals on the placed feet, and measure them.

        Raises:
            RigError: The solver cannot solve it.
            Cancelled: `cancelled` returned true.
        """
        problem, values = self._solved(progress, cancelled)
        above = self.feet.stages.above
        numbered = list(zip(above, self.source.goals, problem.tracks[: len(above)], strict=True))
        source = self._model(self.original.posed(self.feet.source.keyed_clip))
        errors = clip_goal_errors(numbered, problem.model, values, source)
        known = {*self.feet.source.notes, *self.feet.notes}
        notes = (note for note in widened_notes(problem.model) if note not in known)
        return replace(
            self.placed,
            tracks=problem.model.tracks(values),
            goal_errors=self.placed.goal_errors | errors,
            notes=(*self.placed.notes, *notes),
        )

    def problem(self, rows: Rows) -> GoalsProblem:
        """The goals in some rows of the placed clip."""
        placed, original = self.source.rows(rows), self.original.rows(rows)
        goals = partial(self._goals, placed, original)
        return problem_of(placed, self._model, self._model, goals)

    def _goals(self, placed: Source, original: Source, model: JointModel) -> list[Goal | Track]:
        """The goals of the placed clip, and those that hold hands."""
        tracks = solver_tracks(model, placed.clip, placed.goals)
        with_feet = [number in self.feet.stages.with_feet for number in self.feet.stages.above]
        if any(with_feet):
            # Already solved with the feet: their influence is relative to the original source.
            on_source = solver_tracks(model, original.clip, original.goals)
            tracks = [
                before if again else track
                for track, before, again in zip(tracks, on_source, with_feet, strict=True)
            ]
        arms = self.feet.stages.staying_arms
        return [*tracks, *hand_holds(arms, placed.skeleton, placed.clip, self.feet.scale)]

    def _solved(
        self, progress: Progress | None, cancelled: Cancel | None
    ) -> tuple[GoalsProblem, Floats]:
        """The problem of all frames, and joint values (f, joints) that meet its goals."""
        loop, problem = self.feet.loop, self.problem(slice(None))
        if not problem.model.bones:
            return problem, np.asarray(problem.model.clip.values)
        if loop is None:
            problem, found, _ = problem.needed(progress, cancelled)
            return problem, found.values
        repeated = self.problem(loop.rows)
        solved, found, _ = repeated.needed(progress, cancelled)
        if solved is not repeated and problem.helped and repeated.helped:
            problem, repeated = problem.helped({}), repeated.helped({})
        correction = found.values - np.asarray(repeated.model.clip.values)
        return problem, _around(loop, problem.model, correction)

    def _model(self, source: Source) -> JointModel:
        """The joints that the goals move."""
        tips = hand_tips(self.feet.stages.staying_arms)
        return goals_model(source, tips=tips, turn_axes=self.arm_axes)


def _around(loop: Loop, model: JointModel, correction: Floats) -> Floats:
    """Joint values (f, joints) of a loop from the correction of the repeated clip.

    A remaining difference between the ends, which were solved separately, is spread over all rows.
    """
    first, period = loop.before, loop.period
    seam = correction[first + period] - correction[first]
    seam = np.where(np.abs(seam) < SEAM, seam, 0.0)
    share = np.arange(period)[:, None] / period - 0.5
    once = correction[first : first + period] - share * seam
    values = np.asarray(model.clip.values) + once[np.arange(loop.frames) % period]
    return np.clip(values, model.tree.lower, model.tree.upper)
