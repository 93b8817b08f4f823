"""Gauss-Newton steps of an open clip over the ground, each with a line search, until it settles.

The line search is local: a step is shortened around the rows in which it does not gain. A single
length for all rows would be limited by the worst row, and the longer a clip the worse that is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...solver.clips.open_clip import OpenClip
from ..feet import Floats
from .sole_ground import SoleGround
from .tuning import DESCENT


class Step(NamedTuple):
    """A step: poses (f, n), and the cost before and after."""

    values: Floats
    before: float
    after: float


class _Knots:
    """Rows with independent step lengths, interpolated linearly in between."""

    def __init__(self, rows: int, spacing: int | None) -> None:
        """Space them a number of rows apart; None for a single length."""
        at = np.arange(rows) / spacing if spacing else np.zeros(rows)
        self._before = at.astype(int)
        self._share = at - self._before
        self._count = int(self._before[-1]) + 2 if rows else 2

    def sums(self, values: Floats) -> Floats:
        """Sums (knots,) of rows' values (f,), each added to the knots on both sides."""
        return np.asarray(
            np.bincount(self._before, (1.0 - self._share) * values, self._count)
            + np.bincount(self._before + 1, self._share * values, self._count)
        )

    def largest(self, values: Floats) -> Floats:
        """Largest (knots,) of the values (f,) of the rows around each knot, at least 0."""
        found = np.zeros(self._count)
        np.maximum.at(found, self._before, values)
        np.maximum.at(found, self._before + 1, values)
        return found

    def between(self, values: Floats) -> Floats:
        """Values (f,) in all rows by those at the knots (knots,)."""
        first, second = values[self._before], values[self._before + 1]
        return np.asarray(first + self._share * (second - first))


class Steps:
    """Steps of a clip, or of a part of one."""

    def __init__(self, opened: OpenClip, ground: SoleGround, spacing: int | None = None) -> None:
        """Prepare.

        Args:
            opened: The clip.
            ground: Keeps its ground goals up to date.
            spacing: Number of rows over which the length of a step may change; None for a single
            length.
        """
        self._opened, self.ground, self._spacing = opened, ground, spacing
        problem = opened.problem
        self._turning = problem.tree.prismatic[problem.active] == 0
        self._none = opened.frames.nothing_held()

    def part(self, first: int, stop: int) -> Steps:
        """Steps of some of the rows; the others stay, and those at the ends within."""
        opened = self._opened.part(first, stop)
        return Steps(opened, self.ground.part(opened, first, stop), self._spacing)

    def step(self, values: Floats) -> Step:
        """A step from poses (f, n), at the length that reduces the cost."""
        frames, stretch = self._opened.frames, self._opened.stretch
        self.ground.update(values, settle=True)
        here = frames.expand(stretch, values, derive=True)
        before = here.costs + frames.inertial_costs(stretch, values, self._none)
        wanted = frames.step(stretch, values, self._none, here, damping=0.0) - values
        gradient = frames.gradient(stretch, values, self._none, here)
        knots = _Knots(len(values), self._spacing)
        descent = knots.sums((gradient * wanted).sum(axis=1))
        turns = np.abs(wanted[:, self._turning]).max(axis=1, initial=0.0)
        share = np.minimum(1.0, DESCENT.longest_step / np.maximum(knots.largest(turns), 1e-9))
        self.ground.new_edges = 0
        for _ in range(DESCENT.step_parts):
            taken = knots.between(share)
            found = values + taken[:, None] * wanted
            after = self._costs(found)
            lost = knots.sums(after - before)
            losing = lost > 0.0
            if lost[losing].sum() < -DESCENT.helped * lost.sum() or self.ground.new_edges:
                break
            # The minimum of the parabola through the known costs along the step.
            bent = np.where(losing, lost - descent * share, 1.0)
            lowest = -0.5 * descent * share / np.maximum(bent, 1e-300)
            share = np.where(
                losing, share * np.clip(lowest, DESCENT.least_part, DESCENT.most_part), share
            )
        return Step(found, float(before.sum()), float(after.sum()))

    def cost(self, values: Floats) -> float:
        """Cost of poses (f, n)."""
        return float(self._costs(values).sum())

    def _costs(self, values: Floats) -> Floats:
        """Cost of poses (f, n), row by row."""
        frames, stretch = self._opened.frames, self._opened.stretch
        self.ground.update(values, settle=False)
        inertial = frames.inertial_costs(stretch, values, self._none)
        return np.asarray(frames.expand(stretch, values).costs + inertial)

    def settle(self, values: Floats, go_on: Callable[[], bool]) -> tuple[Floats, bool]:
        """Step from poses (f, n) until they have settled, and whether they have.

        `go_on` is called before each step.
        """
        self.ground.remembers_edges = True
        while go_on():
            found, before, after = self.step(values)
            if after >= before and self.ground.new_edges:
                continue  # the step met an unknown edge: repeat it with the edge known
            if after < before:
                values = found
            if before - after < DESCENT.least_gain * before:
                return values, True
        return values, False
