"""All frames of a clip as one least-squares problem: its value, its derivatives, its Newton steps.

The cost is the goals' squared residuals in every frame, plus the squared size and the squared
acceleration of the correction (solution less source), joint by joint. Frames couple only
over the acceleration, which makes the normal equations banded: Gauss-Newton with scipy's banded
Cholesky factorisation, damped as Levenberg and Marquardt do, with joints frozen at their limits.
"""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError

from ..kernels.arena import (
    ANCESTORS,
    DEPTH,
    GOAL_COUNT,
    JOINT_COUNT,
    PARAMETER_ROWS,
    POSE_SIZE,
    PYTHON_GOALS,
    REST_ROWS,
    TIP_COUNT,
    WIDTH,
)
from ..kernels.compiled import Floats, Ints
from .band_order import (
    Limb,
    Order,
    banded_product,
    limbs,
    line_diagonals,
    line_order,
    loop_diagonals,
    loop_order,
)
from .banded import solve_banded_spd
from .expansion import Expansion, expand_frames, pose_tips

Mask = NDArray[np.bool_]

threadpoolctl: Any = None
with suppress(ImportError):  # another scipy may lack it: slower, but not wrong
    threadpoolctl = importlib.import_module("threadpoolctl")

# A second difference over the ends of a loop needs its five frames to be different ones.
SHORTEST_LOOP = 6


class Inertia(NamedTuple):
    """Cost of each joint's correction in every frame: half the weight times the square.

    Attributes:
        stay: Weight of its size, 1 / rad^2 or 1 / m^2; (n,).
        bend: Weight of its second difference from frame to frame; (n,), or (rows, n) with a row for
            each of `WholeClip.bends`.
    """

    stay: Floats
    bend: Floats


@dataclass(frozen=True, eq=False)
class Stretch:
    """Arrays of the frames that are solved together; `parameters` and `rest` may have one row.

    `moved` (f, n) marks the joints that a goal of the frame moves. The others stay as in the
    source: a correction does not spread into frames without goals.
    """

    parameters: Floats
    rest: Floats
    source: Floats
    moved: Mask
    lower: Floats
    upper: Floats


class WholeClip:
    """The frames of a clip of one problem, solved together.

    `held` are corrections of up to two frames before the clip, which stay as they are. In a `loop`
    the first frame follows the last.
    """

    def __init__(
        self, I: Ints, F: Floats, inertia: Inertia, *, loop: bool = False, python_goals: int = 0
    ) -> None:
        """Use the arena `I`, `F`."""
        self._I, self._F = I, F
        I[PYTHON_GOALS] = python_goals
        n, width = int(I[JOINT_COUNT]), int(I[WIDTH])
        self._n, self._loop = n, loop
        self.inertia = inertia
        depth = I[I[DEPTH] : I[DEPTH] + n]
        ancestors = I[I[ANCESTORS] : I[ANCESTORS] + n * width].reshape(n, width)
        self._limbs = limbs(depth, ancestors)
        self._scratch = np.zeros(0)

    def nothing_held(self) -> Floats:
        """Corrections before the first frame of a clip: none."""
        return np.empty((0, self._n))

    def expand(self, stretch: Stretch, values: Floats, derive: bool = False) -> Expansion:
        """The goals at these poses, with derivatives if `derive` is set."""
        frames, n, width = len(values), self._n, int(self._I[WIDTH])
        costs, fitness = np.zeros(frames), np.zeros(frames)
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
            costs,
            gradient.reshape(-1),
            hessian.reshape(-1),
            errors.reshape(-1),
            fitness,
        )
        return Expansion(costs, gradient, hessian, errors, fitness)

    def tips(self, stretch: Stretch, values: Floats) -> Floats:
        """World poses (f, tips, 7) of the problem's tips, in the order of `Problem.tips`."""
        count = int(self._I[TIP_COUNT])
        found = np.empty((len(values), count, POSE_SIZE))
        self._I[REST_ROWS] = len(stretch.rest)
        pose_tips(
            self._I,
            self._F,
            stretch.rest.reshape(-1),
            np.ascontiguousarray(values).reshape(-1),
            len(values),
            found.reshape(-1),
        )
        return found

    def inertial_cost(self, stretch: Stretch, values: Floats, held: Floats) -> float:
        """Half the weighted squares of the corrections and of their second differences."""
        return float(self.inertial_costs(stretch, values, held).sum())

    def inertial_costs(self, stretch: Stretch, values: Floats, held: Floats) -> Floats:
        """The same frame by frame (f,): second differences count in the middle one of theirs."""
        correction = values - stretch.source
        bend = self.bends(stretch, values, held)
        stay, weight = self.inertia
        costs = 0.5 * (correction * correction * stay).sum(axis=1)
        bent = 0.5 * (bend * bend * weight).sum(axis=1)
        if self._loop:
            return np.asarray(costs + bent)
        middle = np.clip(np.arange(len(bent)) + 1 - len(held), 0, max(0, len(costs) - 1))
        return np.asarray(costs + np.bincount(middle, bent, len(costs)))

    def bends(self, stretch: Stretch, values: Floats, held: Floats) -> Floats:
        """Second differences of the corrections, held ones included."""
        correction = values - stretch.source
        if self._loop:
            return np.roll(correction, -1, axis=0) - 2.0 * correction + np.roll(correction, 1, 0)
        return np.diff(np.concatenate([held, correction]), n=2, axis=0)

    def gradient(self, stretch: Stretch, values: Floats, held: Floats, here: Expansion) -> Floats:
        """Gradient (f, n) of the goals' costs and those of the correction."""
        return here.gradient + self._inertial_gradient(stretch, values, held)

    def step(
        self, stretch: Stretch, values: Floats, held: Floats, here: Expansion, damping: float
    ) -> Floats:
        """Poses after a damped step inside the limits; joints that would leave them stop there."""
        gradient = self.gradient(stretch, values, held, here)
        at_lower = (values <= stretch.lower) & (gradient > 0.0)
        at_upper = (values >= stretch.upper) & (gradient < 0.0)
        free = stretch.moved & ~(at_lower | at_upper)
        order = loop_order(len(values)) if self._loop else line_order(len(values), len(held))
        moved = values.copy()
        for limb in self._limbs:
            j = limb.joints
            low, high = stretch.lower[..., j], stretch.upper[..., j]
            among, downhill = free[:, j], -gradient[:, j]
            step = self._limb_step(limb, here.hessian, downhill, order, damping, among)
            moved[:, j] = np.clip(values[:, j] + step, low, high)
            leaving = moved[:, j] != values[:, j] + step
            if leaving.any():  # solve the others again with these fixed
                stop = np.where(leaving, moved[:, j] - values[:, j], 0.0)
                band = self._band(limb, here.hessian, order, damping, among)
                downhill[order.frames] -= banded_product(band, stop[order.frames])
                among &= ~leaving
                step = self._limb_step(limb, here.hessian, downhill, order, damping, among)
                moved[:, j] = np.clip(values[:, j] + stop + step, low, high)
        return moved

    def _limb_step(
        self,
        limb: Limb,
        hessian: Floats,
        downhill: Floats,
        order: Order,
        damping: float,
        among: Mask,
    ) -> Floats:
        """Step (f, joints) of joints that goals do not tie to any others; those among them move."""
        band = self._band(limb, hessian, order, damping, among)
        right = np.where(among, downhill, 0.0)[order.frames].ravel()
        try:
            change = solve_banded_spd(band, right)
        except LinAlgError:  # indefinite by rounding: no step, and more damping for the next
            return np.zeros(among.shape)
        step = np.empty(among.shape)
        step[order.frames] = change.reshape(among.shape)
        return np.where(among, step, 0.0)

    def _band(
        self, limb: Limb, hessian: Floats, order: Order, damping: float, free: Mask
    ) -> Floats:
        """Lower band of the normal equations; frozen joints keep only a one on the diagonal."""
        frames, n = free.shape
        # Column by column, as in LAPACK, because transposing takes as long as factorising.
        band = self._zeros((frames, n, order.reach * n + 1))
        goals = hessian[:, limb.entries]
        if not free.all():
            goals *= free[:, limb.rows] & free[:, limb.columns]
        placed = free
        if self._loop:
            goals, placed = goals[order.frames], free[order.frames]
        band[:, limb.columns, limb.rows - limb.columns] = goals
        diagonals = self._diagonals(limb.joints, order)
        for apart, at, later, first in order.couplings:
            both = placed[at] & placed[at + apart]
            band[at, :, apart * n] += diagonals[later][first] * both
        stay = self.inertia.stay[limb.joints]
        band[:, :, 0] = np.where(placed, band[:, :, 0] + stay + damping, 1.0)
        return band.reshape(frames * n, -1).T

    def _zeros(self, shape: tuple[int, ...]) -> Floats:
        """Zeros, in the memory of the last band if possible, because allocation takes time."""
        if self._scratch.shape != shape:
            self._scratch = np.zeros(shape)
        else:
            self._scratch.fill(0.0)
        return self._scratch

    def _diagonals(self, joints: Ints, order: Order) -> list[Floats]:
        """Coupling of a frame with itself, the next and the one after it; (frames, joints)."""
        bend, frames = self.inertia.bend[..., joints], len(order.frames)
        return (
            loop_diagonals(bend, frames) if self._loop else line_diagonals(bend, frames, order.held)
        )

    def _inertial_gradient(self, stretch: Stretch, values: Floats, held: Floats) -> Floats:
        correction = values - stretch.source
        bend = self.bends(stretch, values, held) * self.inertia.bend
        if self._loop:
            change = np.roll(bend, -1, axis=0) - 2.0 * bend + np.roll(bend, 1, axis=0)
        else:
            change = np.zeros((len(held) + len(values), self._n))
            if len(bend):
                change[:-2] += bend
                change[1:-1] -= 2.0 * bend
                change[2:] += bend
            change = change[len(held) :]
        return change + correction * self.inertia.stay


def one_blas_thread() -> AbstractContextManager[Any]:
    """Keep LAPACK on one thread: for narrow bands, several are many times slower."""
    if threadpoolctl is None:
        return nullcontext()
    return threadpoolctl.threadpool_limits(limits=1, user_api="blas")
