"""Minimization over all frames.

Locks become stiff in stages, so that frames converge before planted feet are locked. At the end,
points that still penetrate the ground get more weight, missed user goals become stiffer, or
preferences if that does not help, and jolts are smoothed. Changed goals of some rows are solved in
these rows and those around them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from ...solver.clips.goal_list import GoalHandle
from ...solver.clips.open_clip import HELD, OpenClip
from ..contacts.contacts import runs
from ..feet import Floats
from ..tuning import BODY
from .body_ground import BodyGround
from .jolts import Jolts
from .sole_ground import SoleGround
from .steps import Steps
from .tuning import DESCENT

Mask = NDArray[np.bool_]

# Bound on the steps of clips that do not settle. No scene of the benchmarks takes half as many.
MOST_STEPS = 240


class PelvisPath(NamedTuple):
    """The planned path of the pelvis.

    Attributes:
        tip: The number of its tip.
        places: Its places in plan view; (f, 2).
        far: Distance beyond which it is far from the path, metres.
    """

    tip: int
    places: Floats
    far: float


class Descended(NamedTuple):
    """Where a descent ended: poses (f, n), steps taken, and whether it was stopped."""

    values: Floats
    steps: int
    cancelled: bool


class _Budget:
    """The number of steps left, in rows; reports progress, and checks whether to stop."""

    def __init__(
        self, rows: int, progress: Callable[[int, int], None], stopped: Callable[[], bool]
    ) -> None:
        self._rows = rows
        self._stepped = 0
        self._progress, self._stopped = progress, stopped
        self.cancelled = False

    @property
    def steps(self) -> int:
        """Steps of all rows that were taken."""
        return self._stepped // self._rows

    def spend(self, rows: int) -> bool:
        """Count a step of a number of rows; whether one was left, and it was not stopped."""
        if self.steps >= MOST_STEPS or self.cancelled:
            return False
        self._progress(self.steps, MOST_STEPS)
        self.cancelled = self._stopped()
        if not self.cancelled:
            self._stepped += rows
        return not self.cancelled


class Descent:
    """Solves an open clip over the ground."""

    def __init__(
        self,
        opened: OpenClip,
        ground: SoleGround,
        body: BodyGround,
        jolts: Jolts,
        pelvis: PelvisPath,
        locks: Sequence[GoalHandle],
        leads: Sequence[GoalHandle],
        own: GoalHandle,
        around: int | None,
    ) -> None:
        """Prepare.

        Args:
            opened: The clip.
            ground: Keeps its ground goals up to date.
            body: Pushes other parts out of the ground.
            jolts: Smooths jolts.
            pelvis: The path of the pelvis.
            locks: Goals that hold planted balls.
            leads: Goals that lead swinging ones.
            own: The user's goals.
            around: Number of rows around changed ones that are solved with them; None for all.
        """
        self._opened, self._ground, self._body = opened, ground, body
        self._jolts, self._pelvis = jolts, pelvis
        spacing = None if around is None else max(1, round(DESCENT.spacing * around))
        self._steps, self._around = Steps(opened, ground, spacing), around
        self._locks, self._leads, self._own = list(locks), list(leads), own
        self._lock_weights = [opened.weight(lock).copy() for lock in self._locks]
        weight = opened.weight(own)
        self._demanded = np.isfinite(opened.tolerance(own))
        self._wish = weight.copy()
        self._errors = np.full(self._wish.shape, np.inf)
        self._presses = self._lifts = self._pushes = self._calms = self._stiffenings = 0
        self._far = np.inf
        weight *= np.where(self._demanded, DESCENT.stiffest, 1.0)

    def run(
        self,
        values: Floats,
        progress: Callable[[int, int], None],
        stopped: Callable[[], bool],
    ) -> Descended:
        """Descend from poses (f, n)."""
        budget = _Budget(len(values), progress, stopped)
        values = self._come_together(values, budget)
        rows = np.ones(len(values), bool)
        settled: Floats | None = None
        while True:
            values, done = self._settle(values, rows, budget)
            if budget.cancelled:
                return Descended(values, budget.steps, True)
            if not done:
                break
            settled = values
            values, rows = self._ask_more(values)
            if not rows.any():
                return Descended(self._calmest(values), budget.steps, False)
        if self._jolts.calmest is None:
            values = self._better(settled, values)
        return Descended(self._calmest(values), budget.steps, False)

    def _come_together(self, values: Floats, budget: _Budget) -> Floats:
        """Solve with soft locks that become stiffer in stages, except for the last stage.

        In these stages swings are kept on their paths, because a foot that strays over a stair gets
        stuck there.
        """
        self._ground.remembers_edges = False
        leads = [self._opened.weight(lead) for lead in self._leads]
        weights = [lead.copy() for lead in leads]
        for lead, weight in zip(leads, weights, strict=True):
            lead[:] = DESCENT.led * weight
        for stage in range(len(DESCENT.stages) - 1):
            self._soften(stage)
            for _ in range(DESCENT.soft_steps):
                if not budget.spend(len(values)):
                    return values
                found, before, after = self._steps.step(values)
                if after < before:
                    values = found
                if after > DESCENT.helped * before:
                    break
        self._soften(len(DESCENT.stages) - 1)
        for lead, weight in zip(leads, weights, strict=True):
            lead[:] = weight
        return values

    def _settle(self, values: Floats, rows: Mask, budget: _Budget) -> tuple[Floats, bool]:
        """Settle rows (f,) and those around them; returns poses, and whether all have settled."""
        near = rows
        if self._around is not None:
            near = maximum_filter1d(rows, 2 * self._around + 1, mode="constant")
        if self._around is None or near.mean() > DESCENT.most_parts:
            return self._steps.settle(values, partial(budget.spend, len(values)))
        values = values.copy()
        for first, stop in runs(near):
            begin, end = max(0, first - HELD), min(len(values), stop + HELD)
            part = self._steps.part(begin, end)
            spend = partial(budget.spend, end - begin)
            values[begin:end], done = part.settle(values[begin:end], spend)
            if not done:
                return values, False
        return values, True

    def _ask_more(self, values: Floats) -> tuple[Floats, Mask]:
        """Adjust goals that settled poses (f, n) still miss.

        Returns the poses from which to go on, and the rows (f,) concerned.
        """
        self._ground.update(values, settle=False)
        rows = self._ground.forget_edges()
        if rows.any():
            return values, rows
        if self._presses < BODY.rounds and (rows := self._ground.press()).any():
            self._presses += 1
            self._soften(len(DESCENT.stages) - 1)
        elif self._stiffenings < BODY.rounds and (rows := self._stiffen(values)).any():
            self._stiffenings += 1
        elif self._lifts < BODY.rounds and (rows := self._ground.lift(values)).any():
            self._lifts += 1
        elif (rows := self._body.push(values)).any() and self._pushes < BODY.rounds:
            self._pushes += 1
        else:
            missed = self._ground.too_deep + self._body.too_deep
            missed += self._missed_goals(values) + self._too_far_aside(values) + self._off(values)
            values, rows = self._jolts.calm(values, missed)
            rows &= self._calms < BODY.rounds
            self._calms += 1
            self._presses = self._lifts = self._pushes = 0
        return values, rows

    def _too_far(self, values: Floats) -> float:
        """Excess error of the user's goals, as a share of the tolerance."""
        if not self._demanded.any():
            return 0.0
        asked = self._demanded & (self._opened.weight(self._own) > 0.0)
        allowed = np.where(asked, self._opened.tolerance(self._own), np.inf)
        errors = self._opened.errors(self._own, values)
        return max(0.0, float((errors / np.maximum(allowed, 1e-9)).max()) - 1.0)

    def _missed_goals(self, values: Floats) -> float:
        """The same, but infinite if smoothing jolts has made it larger: goals come first."""
        far = self._too_far(values)
        self._far = min(self._far, far)
        return far if far <= self._far / DESCENT.helped else np.inf

    def _off(self, values: Floats) -> float:
        """Excess distance of planted balls from their places, as a share of what is allowed."""
        off = off_places(self._opened, self._locks, values)
        return max(0.0, off / self._ground.allowed - 1.0)

    def _too_far_aside(self, values: Floats) -> float:
        """Excess of the pelvis' sideways movement, as a share of the allowed distance."""
        tip, places, far = self._pelvis
        path = self._opened.frames.tips(self._opened.stretch, values)[:, tip, :2]
        return max(0.0, float(np.linalg.norm(path - places, axis=-1).max()) / far - 1.0)

    def _calmest(self, values: Floats) -> Floats:
        """The smoothest settled poses, or these if there are none."""
        calmest = self._jolts.calmest
        return values if calmest is None else calmest

    def _better(self, settled: Floats | None, values: Floats) -> Floats:
        """The better of the poses before and after the last adjustment."""
        self._ground.remembers_edges = False
        self._ground.forget_all_edges()
        if settled is not None and self._steps.cost(settled) < self._steps.cost(values):
            return settled
        return values

    def _soften(self, stage: int) -> None:
        times = DESCENT.stages[stage]
        for lock, weight in zip(self._locks, self._lock_weights, strict=True):
            self._opened.weight(lock)[:] = weight / times**2
        self._ground.soften(min(times, DESCENT.softer))

    def _stiffen(self, values: Floats) -> Mask:
        """Make missed user goals stiffer; returns the rows (f,) in which there were any.

        Those that this has not helped before cannot be reached. They become preferences, or they
        would pull the body along. What was reached before jolts were smoothed stays demanded.
        """
        if not self._demanded.any():
            return np.zeros(len(values), bool)
        weight = self._opened.weight(self._own)
        errors = self._opened.errors(self._own, values)
        missed = self._demanded & (weight > 0.0)
        missed &= errors > self._opened.tolerance(self._own)
        hopeless = missed & (errors > DESCENT.helped * self._errors) & (self._calms == 0)
        weight *= np.where(missed, DESCENT.stiffer, 1.0)
        weight[:] = np.where(hopeless, self._wish, weight)
        self._demanded &= ~hopeless
        self._errors = errors
        return np.asarray(missed.any(axis=1))


def off_places(opened: OpenClip, locks: Sequence[GoalHandle], values: Floats) -> float:
    """Largest distance of planted balls from their places in poses (f, n), metres.

    Feet that slide are held in height alone, and may be anywhere in plan view. Where a lock eases,
    the distance counts less.
    """
    off = 0.0
    for lock in locks:
        held = opened.field(lock, "share")[:, 0]
        share = held / max(float(held.max(initial=0.0)), 1e-12)
        off = max(off, float((share * opened.errors(lock, values)).max(initial=0.0)))
    return off
