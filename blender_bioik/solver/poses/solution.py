"""Results of solves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.compiled import Floats, Ints
from ..kernels.goal_columns import (
    TOLERANCE,
    WEIGHT,
)
from ..search.frames import (
    BUDGET_SPENT,
    CANCELLED,
    NO_GOALS,
    NOT_SOLVED,
    REACHED,
    STALLED,
)


class Stop(Enum):
    """Why a solve ended."""

    REACHED = "all goals reached"
    STALLED = "local search found no further improvement"
    BUDGET = "evaluations spent"
    CANCELLED = "cancelled or out of time"
    NO_GOALS = "no goals"
    NOT_SOLVED = "not solved"


STOPS = {
    REACHED: Stop.REACHED,
    STALLED: Stop.STALLED,
    BUDGET_SPENT: Stop.BUDGET,
    CANCELLED: Stop.CANCELLED,
    NO_GOALS: Stop.NO_GOALS,
    NOT_SOLVED: Stop.NOT_SOLVED,
}


class Solution(NamedTuple):
    """A solved pose.

    Attributes:
        values: Joint values in the tree's order, radians or metres, inside the limits.
        fitness: Eq. 14, zero when every goal is met exactly.
        errors: Error of each goal in metres or degrees (see the goal's `unit_on`).
        reached: For each goal, whether it is within its own tolerance.
        evaluations: Forward-kinematics evaluations used.
        iterations: Generations evolved; zero if local search was enough.
        stop: Why the solve ended.
    """

    values: Floats
    fitness: float
    errors: tuple[float, ...]
    reached: tuple[bool, ...]
    evaluations: int
    iterations: int
    stop: Stop

    @property
    def success(self) -> bool:
        """Whether every goal is reached."""
        return all(self.reached)


@dataclass(frozen=True)
class ClipSolution:
    """A solved clip; the first axis of every array is the frame.

    Attributes:
        values: Joint values (frames, n).
        fitness: Eq. 14 for each frame.
        errors: Error of each goal (frames, goals) in metres or degrees.
        reached: Whether each goal is within its tolerance (frames, goals).
        evaluations: Forward-kinematics evaluations used for each frame.
        iterations: Generations evolved for each frame.
        stops: Why each frame's solve ended; NOT_SOLVED for frames that a cancelled solve did not
        reach.
    """

    values: Floats
    fitness: Floats
    errors: Floats
    reached: NDArray[np.bool_]
    evaluations: Ints
    iterations: Ints
    stops: tuple[Stop, ...]

    @property
    def success(self) -> NDArray[np.bool_]:
        """For each frame, whether every goal is reached."""
        return np.asarray(self.reached.all(axis=-1))


def reached_goals(errors: Floats, parameters: Floats) -> NDArray[np.bool_]:
    """Whether errors (metres or radians) are within tolerance; goals without weight always are."""
    return (errors <= parameters[..., TOLERANCE]) | (parameters[..., WEIGHT] <= 0.0)
