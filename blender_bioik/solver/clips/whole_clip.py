"""All frames of a clip as one least-squares problem: its value, its derivatives, its Newton steps.

What is minimised is the goals' squared residuals of every frame plus the squared size and the
squared acceleration of the correction (solution less source), joint by joint. Frames couple only
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
    POSE_SIZE,
    PREVIOUS,
    PYTHON_GOALS,
    REST,
    REST_ROWS,
    SCORE,
    TIP_COUNT,
    TIPS,
    WIDTH,
)
from ..kernels.compiled import Floats, Ints, entry, kernel, pointer_to
from ..kinematics.forward import forward, forward_tips
from ..search.evaluate import evaluate, linearise
from ..search.frames import load_frame
from .banded import solve_banded_spd

Mask = NDArray[np.bool_]

threadpoolctl: Any = None
with suppress(ImportError):  # a Blender with scipy of its own may lack it: slower, not wrong
    threadpoolctl = importlib.import_module("threadpoolctl")

# A second difference over the ends of a loop needs its five frames to be different ones.
SHORTEST_LOOP = 6


class Inertia(NamedTuple):
    """What each joint's correction costs: half the weight times its square, in every frame.

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

    `moved` (f, n) says which joints any goal of the frame wants to move. The others stay as in the
    source: a correction does not spread into frames that no goal is about.
    """

    parameters: Floats
    rest: Floats
    source: Floats
    moved: Mask
    lower: Floats
    upper: Floats


class Expansion(NamedTuple):
    """The goals at the poses of a stretch.

    Attributes:
        costs: Half the sum of the squared residuals of each frame.
        gradient: Its gradient (f, n), if asked for.
        hessian: Its Gauss-Newton Hessian, the rows of each frame as in the arena, if asked for.
        errors: Errors of the goals (f, goals), metres or radians.
        fitness: Eq. 14 for each frame.
    """

    costs: Floats
    gradient: Floats
    hessian: Floats
    errors: Floats
    fitness: Floats

    @property
    def total(self) -> float:
        """Half the sum of all squared residuals."""
        return float(self.costs.sum())


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


class _Order(NamedTuple):
    """Where frames stand in the band, and which second differences couple.

    Attributes:
        frames: The frame at each place.
        held: How many frames come before that have no place.
        reach: The largest distance of two coupled places.
        couplings: Distances of places in the band, the earlier place of each, by how many frames
            they are apart, and the frame of each that comes before the other.
    """

    frames: Ints
    held: int
    reach: int
    couplings: list[tuple[int, Ints, int, Ints]]


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


@entry
def pose_tips(
    ints: Ints, floats: Floats, rest_rows: Floats, poses: Floats, frames: int, found: Floats
) -> None:
    """World poses of the problem's tips in every frame: positions and quaternions."""
    I, F = pointer_to(ints), pointer_to(floats)
    rest, values, tips = pointer_to(rest_rows), pointer_to(poses), pointer_to(found)
    n, count = I[JOINT_COUNT], I[TIP_COUNT] * POSE_SIZE
    size = n * POSE_SIZE
    for f in range(frames):
        row = size * min(f, I[REST_ROWS] - 1)
        for k in range(size):
            F[I[REST] + k] = rest[row + k]
        for i in range(n):
            F[I[POSE] + i] = values[n * f + i]
        forward(I, F, I[POSE])
        forward_tips(I, F)
        for k in range(count):
            tips[count * f + k] = F[I[TIPS] + k]


class WholeClip:
    """The frames of a clip of one problem, solved together.

    `held` are corrections (up to two frames) that come before and stay as they are; a `loop` goes
    on from its last frame with its first.
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
        self._limbs = _limbs(depth, ancestors)
        self._scratch = np.zeros(0)

    def nothing_held(self) -> Floats:
        """Corrections before the first frame of a clip: none."""
        return np.empty((0, self._n))

    def expand(self, stretch: Stretch, values: Floats, derive: bool = False) -> Expansion:
        """The goals at these poses, with derivatives if asked for."""
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
        order = _loop_order(len(values)) if self._loop else _line_order(len(values), len(held))
        moved = values.copy()
        for limb in self._limbs:
            j = limb.joints
            low, high = stretch.lower[..., j], stretch.upper[..., j]
            among, downhill = free[:, j], -gradient[:, j]
            step = self._limb_step(limb, here.hessian, downhill, order, damping, among)
            moved[:, j] = np.clip(values[:, j] + step, low, high)
            leaving = moved[:, j] != values[:, j] + step
            if leaving.any():  # the others once more, knowing how far these go
                stop = np.where(leaving, moved[:, j] - values[:, j], 0.0)
                band = self._band(limb, here.hessian, order, damping, among)
                downhill[order.frames] -= _banded_product(band, stop[order.frames])
                among &= ~leaving
                step = self._limb_step(limb, here.hessian, downhill, order, damping, among)
                moved[:, j] = np.clip(values[:, j] + stop + step, low, high)
        return moved

    def _limb_step(
        self,
        limb: _Limb,
        hessian: Floats,
        downhill: Floats,
        order: _Order,
        damping: float,
        among: Mask,
    ) -> Floats:
        """Step (f, joints) of joints that goals do not tie to any others; those among them move."""
        band = self._band(limb, hessian, order, damping, among)
        right = np.where(among, downhill, 0.0)[order.frames].ravel()
        try:
            change = solve_banded_spd(band, right)
        except LinAlgError:  # rounding has made it indefinite: no step, which damps the next
            return np.zeros(among.shape)
        step = np.empty(among.shape)
        step[order.frames] = change.reshape(among.shape)
        return np.where(among, step, 0.0)

    def _band(
        self, limb: _Limb, hessian: Floats, order: _Order, damping: float, free: Mask
    ) -> Floats:
        """Lower band of the normal equations; frozen joints keep only a one on the diagonal."""
        frames, n = free.shape
        # Column by column, as LAPACK wants it: transposing takes as long as factorising.
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
        """Zeros in the memory of the last band, if it had that shape: new memory takes time."""
        if self._scratch.shape != shape:
            self._scratch = np.zeros(shape)
        else:
            self._scratch.fill(0.0)
        return self._scratch

    def _diagonals(self, joints: Ints, order: _Order) -> list[Floats]:
        """What couples a frame with itself, the next and the one after it; (frames, joints)."""
        bend, frames = self.inertia.bend[..., joints], len(order.frames)
        return (
            _loop_diagonals(bend, frames)
            if self._loop
            else _line_diagonals(bend, frames, order.held)
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
    """Keep LAPACK on one thread: on bands as narrow as these more of them are many times slower."""
    if threadpoolctl is None:
        return nullcontext()
    return threadpoolctl.threadpool_limits(limits=1, user_api="blas")


def _banded_product(band: Floats, vectors: Floats) -> Floats:
    """The symmetric matrix of a lower band times vectors (f, n) put one after the other."""
    x = vectors.ravel()
    product = band[0] * x
    for apart in range(1, min(len(band), len(x))):
        product[apart:] += band[apart, :-apart] * x[:-apart]
        product[:-apart] += band[apart, :-apart] * x[apart:]
    return np.asarray(product.reshape(vectors.shape))


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


def _line_order(frames: int, held: int) -> _Order:
    """Frames in their own order."""
    rows = np.arange(frames)
    couplings = [
        (later, rows[: frames - later], later, rows[: frames - later]) for later in range(3)
    ]
    return _Order(rows, held, 2, couplings)


def _loop_order(frames: int) -> _Order:
    """Frames of a loop from both ends inwards, which keeps its two ends together in the band."""
    order = np.empty(frames, np.int64)
    order[0::2] = np.arange((frames + 1) // 2)
    order[1::2] = np.arange(frames - 1, (frames - 1) // 2, -1)
    place = np.empty(frames, np.int64)
    place[order] = np.arange(frames)
    couplings = [(0, np.arange(frames), 0, order)]
    for later in (1, 2):
        ends = np.sort(np.stack([place, np.roll(place, -later)]), axis=0)
        for apart in np.unique(ends[1] - ends[0]).tolist():
            first = np.flatnonzero(ends[1] - ends[0] == apart)
            couplings.append((apart, ends[0][first], later, first))
    return _Order(order, 0, 4, couplings)


def _line_diagonals(bend: Floats, frames: int, held: int) -> list[Floats]:
    """Diagonals (rows, n) of D^T W D, D taking second differences and W weighing them.

    Held frames come before and have no row of their own.
    """
    count = frames + held
    weight = np.broadcast_to(bend, (max(0, count - 2), bend.shape[-1]))
    diagonals = [np.zeros((max(0, count - later), bend.shape[-1])) for later in range(3)]
    taps = (1.0, -2.0, 1.0)
    for a in range(3):
        for b in range(a, 3):
            diagonals[b - a][a : a + len(weight)] += taps[a] * taps[b] * weight
    return [diagonal[held:] for diagonal in diagonals]


def _loop_diagonals(bend: Floats, frames: int) -> list[Floats]:
    """The same for a loop, whose second differences are each about one of its frames."""
    here = np.broadcast_to(bend, (frames, bend.shape[-1]))
    after, before = np.roll(here, -1, axis=0), np.roll(here, 1, axis=0)
    return [before + 4.0 * here + after, -2.0 * (here + after), after]
