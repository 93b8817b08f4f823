"""A clip that is solved step by step while its goals change between steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..goals.base import Goal
from ..kernels.arena import CANCEL
from ..kernels.compiled import Floats, Ints
from ..kernels.goal_columns import (
    PARAMETER_COUNT,
    TOLERANCE,
    WEIGHT,
)
from ..kinematics.tree import KinematicTree
from ..poses.problem import Problem, compile_problem
from ..poses.settings import Settings
from ..poses.solve import lent_goals, prepared, quiet_overflow, spread
from .goal_list import GoalHandle
from .tracks import Clip, Track, checked_clip, clip_rest, goal_of, track_parameters
from .whole_clip import Inertia, Stretch, WholeClip, one_blas_thread

# Second differences reach over this many frames, which therefore hold the ends of a part of a clip.
HELD = 2
_SETTINGS = Settings()


@dataclass(frozen=True, eq=False)
class OpenClip:
    """A clip and its goals.

    Attributes:
        problem: The goals on the tree.
        frames: The frames as one problem.
        stretch: Their arrays, over the problem's active joints.
        tip_numbers: Index of each tip in `WholeClip.tips`, by name.
    """

    problem: Problem
    frames: WholeClip
    stretch: Stretch
    tip_numbers: dict[str, int]
    _header: Ints
    _source: Floats

    def stop(self) -> None:
        """End an evaluation under way; any thread may call it."""
        self._header[CANCEL] = 1

    def weight(self, goal: GoalHandle) -> Floats:
        """The weight of a goal (f,), or of each of several (f, goals).

        The array is the clip's memory: written values take effect with the next evaluation. The
        same is true of `tolerance` and `field`.
        """
        return np.asarray(self._parameters[:, goal.index, WEIGHT])

    def tolerance(self, goal: GoalHandle) -> Floats:
        """The tolerance of a goal (f,) or several (f, goals), metres or radians."""
        return np.asarray(self._parameters[:, goal.index, TOLERANCE])

    def field(self, goal: GoalHandle, name: str) -> Floats:
        """A field of a goal, for example (f, 3), or of several (f, goals, 3)."""
        column, width, *_ = goal.fields[name]
        columns = column if width == 1 else slice(column, column + width)
        return np.asarray(self._parameters[:, goal.index, columns])

    def errors(self, goal: GoalHandle, values: Floats) -> Floats:
        """Error of a goal (f,) or several (f, goals) at poses (f, n), metres or radians."""
        return np.asarray(self.frames.expand(self.stretch, values).errors[:, goal.index])

    def part(self, first: int, stop: int) -> OpenClip:
        """Some of the frames, in the same memory; `HELD` of them stay at ends within the clip."""
        whole, rows = self.stretch, slice(first, stop)
        moved = whole.moved[rows].copy()
        if first > 0:
            moved[:HELD] = False
        if stop < len(whole.source):
            moved[-HELD:] = False
        stretch = Stretch(
            whole.parameters[rows],
            whole.rest if len(whole.rest) == 1 else whole.rest[rows],
            whole.source[rows],
            moved,
            whole.lower,
            whole.upper,
        )
        frames = copy(self.frames)
        bend = frames.inertia.bend
        if bend.ndim == 2:
            frames.inertia = frames.inertia._replace(bend=bend[first : stop - HELD])
        return replace(self, frames=frames, stretch=stretch)

    @property
    def _parameters(self) -> Floats:
        """Parameters of the goals (f, goals, columns)."""
        parameters = self.stretch.parameters
        return parameters.reshape(len(parameters), len(self.problem.readable), PARAMETER_COUNT)

    def all_joints(self, values: Floats) -> Floats:
        """Values of the active joints among those of all joints of the tree."""
        return spread(self.problem, self._source, values)


@contextmanager
def open_clip(
    tree: KinematicTree,
    tracks: Sequence[Goal | Track],
    clip: Clip | ArrayLike,
    inertia: Inertia,
    *,
    loop: bool = False,
) -> Iterator[OpenClip]:
    """Open a clip; `inertia` is over all joints of the tree."""
    source, rest = checked_clip(tree, clip)
    frames = len(source)
    goals = [goal_of(track) for track in tracks]
    problem = compile_problem(tree, goals)
    active = problem.active
    parameters = track_parameters(tracks, frames)
    if len(parameters) == 1:
        parameters = np.repeat(parameters, frames, axis=0)
    I, F = prepared(problem, _SETTINGS).borrow()
    stretch = Stretch(
        parameters,
        clip_rest(problem, rest, frames),
        np.ascontiguousarray(source[:, active]),
        np.ones((frames, len(active)), bool),
        tree.lower[active],
        tree.upper[active],
    )
    weights = Inertia(inertia.stay[active], inertia.bend[active])
    numbers = {tree.tip_names[tip]: k for k, tip in enumerate(problem.tips)}
    with lent_goals(problem, goals) as number, quiet_overflow(), one_blas_thread():
        whole = WholeClip(I, F, weights, loop=loop, python_goals=number)
        yield OpenClip(problem, whole, stretch, numbers, I, source)


def clip_errors(
    tree: KinematicTree, tracks: Sequence[Goal | Track], clip: Clip | ArrayLike
) -> Floats:
    """Errors (f, goals) of goals at the given poses of a clip, metres or degrees."""
    free = Inertia(np.zeros(tree.size), np.zeros(tree.size))
    with open_clip(tree, tracks, clip, free) as opened:
        found = opened.frames.expand(opened.stretch, opened.stretch.source)
        return np.asarray(found.errors * np.array(opened.problem.readable))
