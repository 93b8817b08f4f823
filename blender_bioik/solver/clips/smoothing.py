"""Smooth corrections: all frames of a clip solved together, after each was solved on its own.

The acceleration of the correction (solution less source) is penalised, so that the animation keeps
its own detail and only the correction is smooth; see `whole_clip.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..kernels.compiled import Floats, Ints
from ..kernels.goal_columns import (
    PARAMETER_COUNT,
    TOLERANCE,
    WEIGHT,
)
from .expansion import Expansion
from .whole_clip import (
    Inertia,
    Mask,
    Stretch,
    WholeClip,
    one_blas_thread,
)

# Weight of a demand relative to a preference. If demands are stiff from the start, frames keep the
# branches they are on. If that leaves a jump (radians per frame squared), stages that start soft
# are tried: frames on different sides of an obstacle converge before they are pushed out of it.
STIFF = 1e4
JUMP = 0.05
SOFT_FIRST = (1e-2, 1.0, 1e1, 1e2, 1e3, STIFF)
# Demands that still miss their tolerance get stiffer by this factor, at most this many times, until
# their errors are within this share of it.
STIFFER, MOST_ROUNDS, WITHIN = 10.0, 8, 0.8
MOST_STEPS = 12
# A stage ends when a step gains less than this share.
LEAST_GAIN = 1e-4
FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-4, 1e-9, 1e6
# Frames solved together, and frames of the next stretch solved with them as lead-out. This bounds
# the memory for long clips.
STRETCH, LEAD_OUT = 600, 60
# Metres that count as much as a radian.
LEVER = 0.5


@dataclass(frozen=True, eq=False)
class Demands(Stretch):
    """A stretch, and which of its goals (f, goals) could be met when frames were solved alone."""

    reachable: Mask


class Smoother:
    """Smooths clips of one problem."""

    def __init__(
        self, I: Ints, F: Floats, prismatic: Ints, smoothness: float, python_goals: int = 0
    ) -> None:
        """Use the arena `I`, `F`; `smoothness` weighs accelerations (radians a frame squared)."""
        self._lever = np.where(prismatic == 1, 1.0 / LEVER, 1.0)
        inertia = Inertia(np.zeros(len(prismatic)), smoothness * self._lever**2)
        self._clip = WholeClip(I, F, inertia, python_goals=python_goals)

    def expand(self, stretch: Demands, values: Floats) -> Expansion:
        """The goals at these poses."""
        return self._clip.expand(stretch, values)

    def smooth(
        self,
        stretch: Demands,
        values: Floats,
        stopped: Callable[[], bool],
        before: Floats | None = None,
    ) -> Floats:
        """Values (f, n) with a smoother correction.

        `before` are corrections of the frames before, which stay as they are.
        """
        held = self._clip.nothing_held() if before is None else before
        values = np.where(stretch.moved, values, stretch.source)
        stiff = _stiffened(stretch, STIFF)
        found, cost = self._stage(stiff, values, held, stopped)
        if self._largest_bend(stretch, found, held) > JUMP:
            other, other_cost = values, np.inf
            for stiffness in SOFT_FIRST:
                stiffened = _stiffened(stretch, stiffness)
                other, other_cost = self._stage(stiffened, other, held, stopped)
            if other_cost < cost:
                found = other
        return self._met(stiff, found, held, stopped)

    def _met(
        self, stretch: Demands, values: Floats, held: Floats, stopped: Callable[[], bool]
    ) -> Floats:
        """Make demands stiffer where they are missed but could be met."""
        rows = len(values) if len(stretch.parameters) == 1 else 1
        parameters = np.repeat(stretch.parameters, rows, axis=0)
        table = parameters.reshape(len(values), -1, PARAMETER_COUNT)
        stretch = replace(stretch, parameters=parameters)
        for _ in range(MOST_ROUNDS):
            missed = self._clip.expand(stretch, values).errors > WITHIN * table[..., TOLERANCE]
            missed &= stretch.reachable
            if not missed.any() or stopped():
                break
            table[..., WEIGHT] *= np.where(missed, STIFFER, 1.0)
            values, _ = self._stage(stretch, values, held, stopped)
        return values

    def _stage(
        self, stretch: Demands, values: Floats, held: Floats, stopped: Callable[[], bool]
    ) -> tuple[Floats, float]:
        """Monotone Levenberg-Marquardt on all frames together: values and their cost."""
        damping = FIRST_DAMPING
        here = self._clip.expand(stretch, values, derive=True)
        cost = here.total + self._clip.inertial_cost(stretch, values, held)
        for _ in range(MOST_STEPS):
            if stopped():
                break
            trial = self._clip.step(stretch, values, held, here, damping)
            trial_cost = self._clip.expand(stretch, trial).total
            trial_cost += self._clip.inertial_cost(stretch, trial, held)
            if not trial_cost < cost:
                damping *= 10.0
                if damping > MOST_DAMPING:
                    break
                continue
            gain = cost - trial_cost
            values, cost = trial, trial_cost
            damping = max(0.1 * damping, LEAST_DAMPING)
            if gain < LEAST_GAIN * cost:
                break
            here = self._clip.expand(stretch, values, derive=True)
        return values, cost

    def _largest_bend(self, stretch: Demands, values: Floats, held: Floats) -> float:
        bend = self._clip.bends(stretch, values, held)
        return float(np.abs(bend * self._lever).max(initial=0.0))


def smooth_clip_values(
    smoother: Smoother, stretch: Demands, values: Floats, stopped: Callable[[], bool]
) -> Floats:
    """Smooth a clip of any length, stretch by stretch; each continues the one before."""
    with one_blas_thread():
        return _smooth_stretches(smoother, stretch, values, stopped)


def _smooth_stretches(
    smoother: Smoother, stretch: Demands, values: Floats, stopped: Callable[[], bool]
) -> Floats:
    frames = len(values)
    result = values.copy()
    for first in range(0, frames, STRETCH):
        last = min(first + STRETCH + LEAD_OUT, frames)
        if stopped() or last - first < 2:
            break
        part = Demands(
            _rows(stretch.parameters, first, last),
            _rows(stretch.rest, first, last),
            stretch.source[first:last],
            stretch.moved[first:last],
            stretch.lower,
            stretch.upper,
            stretch.reachable[first:last],
        )
        before = result[max(0, first - 2) : first] - stretch.source[max(0, first - 2) : first]
        result[first:last] = smoother.smooth(part, result[first:last], stopped, before)
        if last == frames:
            break
    return result


def _rows(table: Floats, first: int, last: int) -> Floats:
    return table if len(table) == 1 else table[first:last]


def _stiffened(stretch: Demands, stiffness: float) -> Demands:
    """The stretch with demands that count more than preferences."""
    parameters = stretch.parameters.copy()
    table = parameters.reshape(len(parameters), -1, PARAMETER_COUNT)
    demanded = np.isfinite(table[..., TOLERANCE])
    table[..., WEIGHT] *= np.where(demanded, stiffness, 1.0)
    return replace(stretch, parameters=parameters)
