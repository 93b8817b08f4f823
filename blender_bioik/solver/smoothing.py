"""Smooth corrections: all frames of a clip solved together, after each was solved on its own.

What is minimised is the goals' squared residuals of every frame plus the squared acceleration of
the correction (solution less source) from frame to frame, so that the animation's own life is kept
and only what the solver adds is smooth. Frames couple only over the acceleration, which makes the
normal equations banded: Gauss-Newton with scipy's banded Cholesky factorisation, damped as
Levenberg and Marquardt do, with joints frozen at their limits.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

from .arena import (
    ANCESTORS,
    CANCEL,
    DEPTH,
    ERROR,
    EXACT,
    GOAL_COUNT,
    GRADIENT,
    HESSIAN,
    JOINT_COUNT,
    PARAMETER_ROWS,
    POSE,
    PREVIOUS,
    PYTHON_GOALS,
    REST_ROWS,
    SCORE,
    WIDTH,
)
from .compiled import Floats, Ints, entry, kernel, pointer_to
from .evaluate import evaluate, linearise
from .frames import load_frame
from .goals.base import PARAMETER_COUNT, TOLERANCE, WEIGHT

threadpoolctl: Any = None
with suppress(ImportError):  # a Blender with scipy of its own may lack it: slower, not wrong
    threadpoolctl = importlib.import_module("threadpoolctl")

# How much more a demand counts than a preference. Stiff from the start, frames keep the branches
# they are on. Where that leaves a jump (radians per frame squared), stages are tried that are soft
# at first: frames on different sides of an obstacle come together before they are pushed out of it.
STIFF = 1e4
JUMP = 0.05
SOFT_FIRST = (1e-2, 1.0, 1e1, 1e2, 1e3, STIFF)
# Demands that then still miss their tolerance get so much stiffer, up to so many times. They are
# to end within this share of it.
STIFFER, MOST_ROUNDS, WITHIN = 10.0, 8, 0.8
MOST_STEPS = 12
# A stage ends when a step gains less than this share.
LEAST_GAIN = 1e-4
FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-4, 1e-9, 1e6
# Frames solved together, and those of the next stretch solved along to lead out of it: bounds the
# memory of long clips.
STRETCH, LEAD_OUT = 600, 60
# Metres that count as much as a radian.
LEVER = 0.5


@dataclass(frozen=True, eq=False)
class Stretch:
    """Arrays of the frames that are solved together; `parameters` and `rest` may have one row.

    `reachable` (f, goals) says which goals can be met, as far as the frames alone have shown;
    `moved` (f, n) which joints any goal of the frame wants to move. The others stay as in the
    source: a correction does not spread into frames that no goal is about.
    """

    parameters: Floats
    rest: Floats
    source: Floats
    reachable: NDArray[np.bool_]
    moved: NDArray[np.bool_]
    lower: Floats
    upper: Floats


class Expansion(NamedTuple):
    """The goals at the poses of a stretch.

    Attributes:
        total: Half the sum of all squared residuals.
        gradient: Its gradient (f, n), if asked for.
        hessian: Its Gauss-Newton Hessian, the rows of each frame as in the arena, if asked for.
        errors: Errors of the goals (f, goals), metres or radians.
        fitness: Eq. 14 for each frame.
    """

    total: float
    gradient: Floats
    hessian: Floats
    errors: Floats
    fitness: Floats


class _Limb(NamedTuple):
    """Joints that goals tie together, and the entries of the Hessian among them.

    Attributes:
        joints: The joints, ascending.
        rows: Of each entry, its row among the joints.
        columns: Its column, which is never right of the diagonal.
        entries: Its place in a frame's Hessian as the arena stores it.
    """

    joints: Ints
    rows: Ints
    columns: Ints
    entries: Ints


@kernel
def place_pose(I: Ints, F: Floats, f: int, values: Floats) -> None:
    """Make a frame's pose the one in question; the frame before is the one displaced from."""
    n, before = I[JOINT_COUNT], max(0, f - 1)
    for i in range(n):
        F[I[POSE] + i] = values[n * f + i]
        F[I[PREVIOUS] + i] = values[n * before + i]


@entry
def expand_frames(
    ints: Ints,
    floats: Floats,
    parameter_rows: Floats,
    rest_rows: Floats,
    source_poses: Floats,
    poses: Floats,
    frames: int,
    derive: bool,
    found_total: Floats,
    found_gradient: Floats,
    found_hessian: Floats,
    found_errors: Floats,
    found_fitness: Floats,
) -> None:
    """Half the sum of squares, errors and fitness of every frame; if asked for, its derivatives."""
    I, F = pointer_to(ints), pointer_to(floats)
    parameters, rest = pointer_to(parameter_rows), pointer_to(rest_rows)
    source, values = pointer_to(source_poses), pointer_to(poses)
    total, gradient = pointer_to(found_total), pointer_to(found_gradient)
    hessian, errors = pointer_to(found_hessian), pointer_to(found_errors)
    fitness = pointer_to(found_fitness)
    n, goals = I[JOINT_COUNT], I[GOAL_COUNT]
    size = n * I[WIDTH]
    I[EXACT] = 1
    for f in range(frames):
        if I[CANCEL] != 0:
            break
        load_frame(I, F, f, parameters, rest, source)
        place_pose(I, F, f, values)
        evaluate(I, F, I[POSE])
        total[f] = 0.5 * F[I[SCORE]]
        fitness[f] = F[I[SCORE] + 1]
        for g in range(goals):
            errors[goals * f + g] = F[I[ERROR] + g]
        if derive:
            linearise(I, F)
            for i in range(n):
                gradient[n * f + i] = F[I[GRADIENT] + i]
            for k in range(size):
                hessian[size * f + k] = F[I[HESSIAN] + k]
    I[EXACT] = 0


class Smoother:
    """Smooths clips of one problem."""

    def __init__(
        self, I: Ints, F: Floats, prismatic: Ints, smoothness: float, python_goals: int = 0
    ) -> None:
        """Use the arena `I`, `F`; `smoothness` weighs accelerations (radians a frame squared)."""
        self._I, self._F = I, F
        I[PYTHON_GOALS] = python_goals
        n, width = int(I[JOINT_COUNT]), int(I[WIDTH])
        self._n = n
        depth = I[I[DEPTH] : I[DEPTH] + n]
        ancestors = I[I[ANCESTORS] : I[ANCESTORS] + n * width].reshape(n, width)
        self._limbs = _limbs(depth, ancestors)
        self._lever = np.where(prismatic == 1, 1.0 / LEVER, 1.0)
        self._weight = smoothness * self._lever**2

    def smooth(
        self,
        stretch: Stretch,
        values: Floats,
        stopped: Callable[[], bool],
        before: Floats | None = None,
    ) -> Floats:
        """Values (f, n) with a smoother correction.

        `before` are corrections of frames that come before and stay as they are.
        """
        held = np.empty((0, self._n)) if before is None else before
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
        self, stretch: Stretch, values: Floats, held: Floats, stopped: Callable[[], bool]
    ) -> Floats:
        """Make demands stiffer where they are missed but could be met."""
        rows = len(values) if len(stretch.parameters) == 1 else 1
        parameters = np.repeat(stretch.parameters, rows, axis=0)
        table = parameters.reshape(len(values), -1, PARAMETER_COUNT)
        stretch = replace(stretch, parameters=parameters)
        for _ in range(MOST_ROUNDS):
            missed = self.expand(stretch, values).errors > WITHIN * table[..., TOLERANCE]
            missed &= stretch.reachable
            if not missed.any() or stopped():
                break
            table[..., WEIGHT] *= np.where(missed, STIFFER, 1.0)
            values, _ = self._stage(stretch, values, held, stopped)
        return values

    def _stage(
        self, stretch: Stretch, values: Floats, held: Floats, stopped: Callable[[], bool]
    ) -> tuple[Floats, float]:
        """Levenberg-Marquardt on all frames together, only steps that gain: values, their cost."""
        damping = FIRST_DAMPING
        here = self.expand(stretch, values, derive=True)
        cost = here.total + self._roughness(stretch, values, held)
        for _ in range(MOST_STEPS):
            if stopped():
                break
            trial = self._step(stretch, values, held, here, damping)
            trial_cost = self.expand(stretch, trial).total
            trial_cost += self._roughness(stretch, trial, held)
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
            here = self.expand(stretch, values, derive=True)
        return values, cost

    def _step(
        self, stretch: Stretch, values: Floats, held: Floats, here: Expansion, damping: float
    ) -> Floats:
        """One damped step inside the limits; joints that would leave them stop there."""
        gradient = here.gradient + self._roughness_gradient(stretch, values, held)
        at_lower = (values <= stretch.lower) & (gradient > 0.0)
        at_upper = (values >= stretch.upper) & (gradient < 0.0)
        free = stretch.moved & ~(at_lower | at_upper)
        moved = values.copy()
        for limb in self._limbs:
            j = limb.joints
            low, high = stretch.lower[j], stretch.upper[j]
            for _ in range(2):
                step = self._limb_step(limb, here.hessian, gradient, len(held), damping, free)
                wanted = values[:, j] + step
                moved[:, j] = np.clip(wanted, low, high)
                leaving = moved[:, j] != wanted
                if not leaving.any():
                    break
                free[:, j] &= ~leaving
        return moved

    def _limb_step(
        self,
        limb: _Limb,
        hessian: Floats,
        gradient: Floats,
        held: int,
        damping: float,
        free: NDArray[np.bool_],
    ) -> Floats:
        """Step (f, joints) of joints that goals do not tie to any others."""
        among = free[:, limb.joints]
        band = self._band(limb, hessian, held, damping, among)
        right = np.where(among, -gradient[:, limb.joints], 0.0).ravel()
        try:
            factor = cholesky_banded(band, overwrite_ab=True, lower=True, check_finite=False)
        except LinAlgError:  # rounding has made it indefinite: no step, which damps the next
            return np.zeros(among.shape)
        change = cho_solve_banded((factor, True), right, check_finite=False)
        return np.where(among, change.reshape(among.shape), 0.0)

    def expand(self, stretch: Stretch, values: Floats, derive: bool = False) -> Expansion:
        """The goals at these poses, with derivatives if asked for."""
        frames, n, width = len(values), self._n, int(self._I[WIDTH])
        total, fitness = np.zeros(frames), np.zeros(frames)
        errors = np.zeros((frames, int(self._I[GOAL_COUNT])))
        gradient = np.zeros((frames, n) if derive else (0, 0))
        hessian = np.zeros((frames, n * width) if derive else (0, 0))
        self._I[PARAMETER_ROWS] = len(stretch.parameters)
        self._I[REST_ROWS] = len(stretch.rest)
        expand_frames(
            self._I,
            self._F,
            stretch.parameters.reshape(-1),
            stretch.rest.reshape(-1),
            stretch.source.reshape(-1),
            np.ascontiguousarray(values).reshape(-1),
            frames,
            derive,
            total,
            gradient.reshape(-1),
            hessian.reshape(-1),
            errors.reshape(-1),
            fitness,
        )
        return Expansion(float(total.sum()), gradient, hessian, errors, fitness)

    def _band(
        self,
        limb: _Limb,
        hessian: Floats,
        held: int,
        damping: float,
        free: NDArray[np.bool_],
    ) -> Floats:
        """Lower band of the normal equations; frozen joints keep only a one on the diagonal."""
        frames, n = free.shape
        band = np.zeros((2 * n + 1, frames, n))
        goals = hessian[:, limb.entries] * (free[:, limb.rows] & free[:, limb.columns])
        band[limb.rows - limb.columns, :, limb.columns] = goals.T
        weight = self._weight[limb.joints]
        for apart, coefficient in enumerate(_second_difference_products(frames, held)):
            count = len(coefficient)
            both = free[:count] & free[apart:]
            band[apart * n, :count] += coefficient[:, None] * weight * both
        band[0] = np.where(free, band[0] + damping, 1.0)
        return band.reshape(2 * n + 1, frames * n)

    def _corrections(self, stretch: Stretch, values: Floats, held: Floats) -> Floats:
        return np.concatenate([held, values - stretch.source])

    def _roughness(self, stretch: Stretch, values: Floats, held: Floats) -> float:
        bend = np.diff(self._corrections(stretch, values, held), n=2, axis=0)
        return float(0.5 * (bend * bend * self._weight).sum())

    def _largest_bend(self, stretch: Stretch, values: Floats, held: Floats) -> float:
        bend = np.diff(self._corrections(stretch, values, held), n=2, axis=0)
        return float(np.abs(bend * self._lever).max(initial=0.0))

    def _roughness_gradient(self, stretch: Stretch, values: Floats, held: Floats) -> Floats:
        corrections = self._corrections(stretch, values, held)
        gradient = np.zeros_like(corrections)
        if len(corrections) > 2:
            bend = np.diff(corrections, n=2, axis=0) * self._weight
            gradient[:-2] += bend
            gradient[1:-1] -= 2.0 * bend
            gradient[2:] += bend
        return gradient[len(held) :]


def smooth_clip_values(
    smoother: Smoother, stretch: Stretch, values: Floats, stopped: Callable[[], bool]
) -> Floats:
    """Smooth a clip of any length, stretch by stretch, each on from the one before."""
    with _one_blas_thread():
        return _smooth_stretches(smoother, stretch, values, stopped)


def _one_blas_thread() -> AbstractContextManager[Any]:
    """Keep LAPACK on one thread: on bands as narrow as these more of them are many times slower."""
    if threadpoolctl is None:
        return nullcontext()
    return threadpoolctl.threadpool_limits(limits=1, user_api="blas")


def _smooth_stretches(
    smoother: Smoother, stretch: Stretch, values: Floats, stopped: Callable[[], bool]
) -> Floats:
    frames = len(values)
    result = values.copy()
    for first in range(0, frames, STRETCH):
        last = min(first + STRETCH + LEAD_OUT, frames)
        if stopped() or last - first < 2:
            break
        part = Stretch(
            _rows(stretch.parameters, first, last),
            _rows(stretch.rest, first, last),
            stretch.source[first:last],
            stretch.reachable[first:last],
            stretch.moved[first:last],
            stretch.lower,
            stretch.upper,
        )
        before = result[max(0, first - 2) : first] - stretch.source[max(0, first - 2) : first]
        result[first:last] = smoother.smooth(part, result[first:last], stopped, before)
        if last == frames:
            break
    return result


def _rows(table: Floats, first: int, last: int) -> Floats:
    return table if len(table) == 1 else table[first:last]


def _stiffened(stretch: Stretch, stiffness: float) -> Stretch:
    """The stretch with demands that count more than preferences."""
    parameters = stretch.parameters.copy()
    table = parameters.reshape(len(parameters), -1, PARAMETER_COUNT)
    demanded = np.isfinite(table[..., TOLERANCE])
    table[..., WEIGHT] *= np.where(demanded, stiffness, 1.0)
    return replace(stretch, parameters=parameters)


def _limbs(depth: Ints, ancestors: Ints) -> list[_Limb]:
    """Joints by the root of their elimination tree: different trees share no equation."""
    n, width = ancestors.shape
    filled = np.arange(width)[None, :] <= depth[:, None]
    rows, slots = np.nonzero(filled)
    columns = ancestors[filled]
    limbs = []
    for root in np.unique(ancestors[:, 0]) if n else ():
        joints = np.flatnonzero(ancestors[:, 0] == root)
        number = np.full(n, -1, np.int64)
        number[joints] = np.arange(len(joints))
        here = number[rows] >= 0
        entries = rows[here] * width + slots[here]
        limbs.append(_Limb(joints, number[rows[here]], number[columns[here]], entries))
    return limbs


def _second_difference_products(frames: int, held: int) -> tuple[Floats, Floats, Floats]:
    """Diagonals 0, 1 and 2 of D^T D, D taking second differences of held and free frames."""
    count = frames + held
    diagonals = [np.zeros(count), np.zeros(max(0, count - 1)), np.zeros(max(0, count - 2))]
    taps = (1.0, -2.0, 1.0)
    for a in range(3):
        for b in range(a, 3):
            if count > 2:
                diagonals[b - a][a : a + count - 2] += taps[a] * taps[b]
    main, first, second = (diagonal[held:] for diagonal in diagonals)
    return main, first, second
