"""Descent to the best compromise of all frames: Gauss-Newton steps with a line search.

Locks become stiff by stages, so that frames come together before planted feet are nailed down. In
the end points that are still in the ground are pressed harder, the user's own goals that are missed
are made stiffer, or wishes if that does not help, and jolts are calmed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..solver.goals.base import TOLERANCE, WEIGHT
from ..solver.open_clip import OpenClip
from .feet import Floats
from .jolts import Jolts
from .sole_ground import SoleGround

# Stiffness of locks by stages: sigmas are so many times as large; the ground's at most so many.
STAGES = (30.0, 5.0, 1.0)
SOFTEST_GROUND = 5.0
MOST_SOFT_STEPS = 5
# So many steps are taken at most; more for clips of fewer rows than that many a step.
FEWEST_STEPS, MOST_STEPS, ROWS_STEPPED = 80, 240, 100_000
# A stage ends when a step leaves more than this share of the cost. The last one ends when two
# steps gain less than the next share, or one changes no joint by more than this.
STAGE_GAIN, LEAST_GAIN, LEAST_CHANGE = 0.7, 1e-3, 2e-4
# Joints change by at most this in a step, radians. Of a step that does not gain a part is tried, so
# much of it at least and at most, up to so often.
LONGEST_STEP, LEAST_PART, MOST_PART, MOST_PARTS = 0.5, 0.1, 0.5, 6
MOST_PRESSES, MOST_CALMS = 6, 6
DAMPING = 1e-6
# Demands of the user's own goals count so much, more where they are missed, up to so often.
DEMAND, STIFFER, MOST_STIFFER = 1e4, 10.0, 4
WITHIN = 0.8
# Being stiffer has helped a goal whose error is less than this share of what it was.
HELPED = 0.7


class Descended(NamedTuple):
    """Where a descent ended: poses (f, n), steps taken, and whether it was stopped."""

    values: Floats
    steps: int
    cancelled: bool


class Descent:
    """Solves an open clip over the ground."""

    def __init__(
        self,
        opened: OpenClip,
        ground: SoleGround,
        jolts: Jolts,
        locks: Sequence[int],
        own: int,
    ) -> None:
        """Prepare.

        Args:
            opened: The clip.
            ground: What keeps its goals about the ground up to date.
            jolts: What calms jolts.
            locks: Goals that hold planted balls.
            own: The first of the user's own goals.
        """
        self._opened, self._ground, self._jolts = opened, ground, jolts
        self._locks, self._own = list(locks), own
        self._lock_weight = opened.table[:, self._locks, WEIGHT].copy()
        problem = opened.problem
        self._turning = problem.tree.prismatic[problem.active] == 0
        self._none = opened.frames.nothing_held()
        demands = opened.table[:, own:]
        self._demanded = np.isfinite(demands[..., TOLERANCE])
        self._wish = demands[..., WEIGHT].copy()
        self._errors = np.full(self._wish.shape, np.inf)
        demands[..., WEIGHT] *= np.where(self._demanded, DEMAND, 1.0)

    def run(
        self,
        values: Floats,
        progress: Callable[[int, int], None],
        stopped: Callable[[], bool],
    ) -> Descended:
        """Descend from poses (f, n)."""
        most = int(np.clip(ROWS_STEPPED / len(values), FEWEST_STEPS, MOST_STEPS))
        stage, still, presses, calms, stiffer = 0, 0, 0, 0, 0
        settled: Floats | None = None
        self._soften(stage)
        for step in range(most):
            progress(step, most)
            if stopped():
                return Descended(values, step, True)
            last = stage == len(STAGES) - 1
            self._ground.remembers_edges = last
            found, before, after, change = self._step(values)
            if after >= before and self._ground.new_edges:
                continue  # it met an unknown edge: the same again, knowing it
            if after < before:
                values = found
            if not last:
                if after > STAGE_GAIN * before or step + 1 >= MOST_SOFT_STEPS * (stage + 1):
                    stage += 1
                    self._soften(stage)
                continue
            still = still + 1 if before - after < LEAST_GAIN * before else 0
            if still < 2 and change >= LEAST_CHANGE and after < before:
                continue
            still, settled = 0, values
            self._ground.update(values, settle=False)
            if self._ground.forget_edges():
                continue
            if presses < MOST_PRESSES and self._ground.press():
                presses += 1
                self._soften(stage)
            elif stiffer < MOST_STIFFER and self._stiffen(values):
                stiffer += 1
            elif self._jolts.calm(values, self._ground.too_deep) and calms < MOST_CALMS:
                calms, presses = calms + 1, 0
            else:
                return Descended(self._calmest(values), step + 1, False)
        if self._jolts.calmest is None:
            values = self._better(settled, values)
        return Descended(self._calmest(values), most, False)

    def _calmest(self, values: Floats) -> Floats:
        """The calmest poses that were settled on, these if there are none."""
        calmest = self._jolts.calmest
        return values if calmest is None else calmest

    def _better(self, settled: Floats | None, values: Floats) -> Floats:
        """Of poses that a descent went on from and those it had to end at the better ones."""
        self._ground.remembers_edges = False
        self._ground.forget_all_edges()
        if settled is not None and self._cost(settled) < self._cost(values):
            return settled
        return values

    def _step(self, values: Floats) -> tuple[Floats, float, float, float]:
        """A step and its line search: poses, the cost before and after, the largest change."""
        frames, stretch = self._opened.frames, self._opened.stretch
        self._ground.update(values, settle=True)
        here = frames.expand(stretch, values, derive=True)
        before = here.total + frames.inertial_cost(stretch, values, self._none)
        wanted = frames.step(stretch, values, self._none, here, DAMPING) - values
        descent = float(np.vdot(frames.gradient(stretch, values, self._none, here), wanted))
        largest = float(np.abs(wanted[:, self._turning]).max(initial=0.0))
        share = min(1.0, LONGEST_STEP / max(largest, 1e-9))
        self._ground.new_edges = 0
        for _ in range(MOST_PARTS):
            found, taken = values + share * wanted, share
            after = self._cost(found)
            if after < before or self._ground.new_edges:
                break
            # The lowest point of the parabola through what is known of the costs on the way.
            lowest = -0.5 * descent * share / (after - before - descent * share)
            share *= min(max(lowest, LEAST_PART), MOST_PART)
        return found, before, after, taken * largest

    def _cost(self, values: Floats) -> float:
        frames, stretch = self._opened.frames, self._opened.stretch
        self._ground.update(values, settle=False)
        total = frames.expand(stretch, values).total
        return total + frames.inertial_cost(stretch, values, self._none)

    def _soften(self, stage: int) -> None:
        times = STAGES[stage]
        self._opened.table[:, self._locks, WEIGHT] = self._lock_weight / times**2
        self._ground.soften(min(times, SOFTEST_GROUND))

    def _stiffen(self, values: Floats) -> bool:
        """Make the user's own goals that are missed stiffer; whether there were any.

        Those that this has not helped before cannot be met. They become wishes, or they would pull
        the body along.
        """
        if not self._demanded.any():
            return False
        own = self._opened.table[:, self._own :]
        errors = self._opened.frames.expand(self._opened.stretch, values).errors[:, self._own :]
        missed = self._demanded & (own[..., WEIGHT] > 0.0)
        missed &= errors > WITHIN * own[..., TOLERANCE]
        hopeless = missed & (errors > HELPED * self._errors)
        own[..., WEIGHT] *= np.where(missed, STIFFER, 1.0)
        own[..., WEIGHT] = np.where(hopeless, self._wish, own[..., WEIGHT])
        self._demanded &= ~hopeless
        self._errors = errors
        return bool(missed.any())
