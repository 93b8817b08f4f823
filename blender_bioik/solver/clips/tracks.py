"""Clips, and goals over the frames of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite
from ..errors import GoalError, ShapeError
from ..goals.base import Goal
from ..kernels.compiled import Floats
from ..kernels.goal_columns import PARAMETER_COUNT, TOLERANCE, WEIGHT
from ..kinematics.forward import Rest, packed_rest
from ..kinematics.tree import KinematicTree
from ..poses.problem import Problem, flat_rest


@dataclass(frozen=True, eq=False)
class Track:
    """A goal over frames: any of its fields, its weight or its tolerance given for each frame.

    `Track(Position("hand", (0, 0, 0)), {"point": points, "weight": weights})` with `points` of
    shape (frames, 3) and `weights` of shape (frames,). A weight of zero disables the goal.
    """

    goal: Goal
    fields: dict[str, ArrayLike]


class Clip(NamedTuple):
    """Source poses (frames, n) and, if joints are corrections of an animation, its rest poses."""

    values: ArrayLike
    rest: Rest | None = None


def goal_of(track: Goal | Track) -> Goal:
    """The goal of a track, or the goal itself."""
    return track.goal if isinstance(track, Track) else track


def checked_clip(tree: KinematicTree, clip: Clip | ArrayLike) -> tuple[Floats, Rest | None]:
    """Source poses inside the limits, and rest poses if there are any."""
    values, rest = clip if isinstance(clip, Clip) else (clip, None)
    array = np.asarray(values, dtype=np.float64)
    if array.size == 0:
        array = array.reshape(-1, tree.size) if tree.size else array.reshape(len(array), 0)
    poses = finite(array, (None, tree.size), "The clip")
    return np.clip(poses, tree.lower, tree.upper), rest


def clip_rest(problem: Problem, rest: Rest | None, frames: int) -> Floats:
    """Static transforms (frames or 1, 7 n) of a problem's joints."""
    if rest is None:
        return problem.rest
    packed = packed_rest(problem.tree, rest)
    if len(packed) not in (1, frames):
        raise ShapeError(f"The clip has {frames} frames but {len(packed)} rest poses.")
    return flat_rest(packed, problem.active)


def track_parameters(tracks: Sequence[Goal | Track], frames: int) -> Floats:
    """Parameters (frames, goals * columns), or a single row where nothing changes."""
    changing = any(isinstance(track, Track) for track in tracks)
    rows = frames if changing else 1
    table = np.empty((rows, len(tracks), PARAMETER_COUNT))
    for g, track in enumerate(tracks):
        goal = goal_of(track)
        table[:, g] = goal.parameters
        if isinstance(track, Track):
            for name, values in track.fields.items():
                _fill(table[:, g], goal, name, values)
    return table.reshape(rows, len(tracks) * PARAMETER_COUNT)


def _fill(rows: Floats, goal: Goal, name: str, values: ArrayLike) -> None:
    """Write a field's values for all frames into a goal's parameters."""
    frames, what = len(rows), f"{goal.label}: the track of '{name}'"
    if name in ("weight", "tolerance"):
        numbers = finite(values, (frames,), what)
        if (numbers < 0.0).any() or (name == "tolerance" and (numbers == 0.0).any()):
            raise GoalError(f"{what} has a value that is not above zero.")
        rows[:, WEIGHT if name == "weight" else TOLERANCE] = numbers
        return
    field = goal.fields.get(name)
    if field is None or not field.tracked:
        trackable = [key for key, other in goal.fields.items() if other.tracked]
        known = ", ".join([*trackable, "weight", "tolerance"])
        raise GoalError(f"{goal.label} has no field '{name}' to track; it has {known}.")
    shape = (frames,) if field.width == 1 else (frames, field.width)
    array = field.check(values, shape, what)
    rows[:, field.column : field.column + field.width] = array.reshape(frames, field.width)
