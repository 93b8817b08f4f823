"""Gauss-Newton steps of an open clip over the ground, each with a line search, until it settles."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..solver.open_clip import OpenClip
from ..solver.whole_clip import Stretch
from .feet import Floats
from .sole_ground import SoleGround

# Clips have settled when two steps gain less than this share of the cost, or one changes no joint
# by more than this.
LEAST_GAIN, LEAST_CHANGE = 1e-3, 2e-4
# Joints change by at most this in a step, radians. Of a step that does not gain a part is tried, so
# much of it at least and at most, up to so often.
LONGEST_STEP, LEAST_PART, MOST_PART, MOST_PARTS = 0.5, 0.1, 0.5, 6
DAMPING = 1e-6
# Second differences reach over so many rows, which therefore hold the ends of a part of a clip.
HELD = 2


class Step(NamedTuple):
    """A step: poses (f, n), the cost before and after, the largest change of a joint, radians."""

    values: Floats
    before: float
    after: float
    change: float


class Steps:
    """Steps of a clip, or of a part of one."""

    def __init__(self, opened: OpenClip, ground: SoleGround) -> None:
        """Prepare.

        Args:
            opened: The clip.
            ground: What keeps its goals about the ground up to date.
        """
        self._opened, self.ground = opened, ground
        problem = opened.problem
        self._turning = problem.tree.prismatic[problem.active] == 0
        self._none = opened.frames.nothing_held()

    def part(self, first: int, stop: int) -> Steps:
        """Steps of some of the rows; the others stay, and those at the ends within."""
        opened = _part_of(self._opened, first, stop)
        return Steps(opened, self.ground.part(opened, first, stop))

    def step(self, values: Floats) -> Step:
        """A step from poses (f, n), as long as it gains."""
        frames, stretch = self._opened.frames, self._opened.stretch
        self.ground.update(values, settle=True)
        here = frames.expand(stretch, values, derive=True)
        before = here.total + frames.inertial_cost(stretch, values, self._none)
        wanted = frames.step(stretch, values, self._none, here, DAMPING) - values
        descent = float(np.vdot(frames.gradient(stretch, values, self._none, here), wanted))
        largest = float(np.abs(wanted[:, self._turning]).max(initial=0.0))
        share = min(1.0, LONGEST_STEP / max(largest, 1e-9))
        self.ground.new_edges = 0
        for _ in range(MOST_PARTS):
            found, taken = values + share * wanted, share
            after = self.cost(found)
            if after < before or self.ground.new_edges:
                break
            # The lowest point of the parabola through what is known of the costs on the way.
            lowest = -0.5 * descent * share / (after - before - descent * share)
            share *= min(max(lowest, LEAST_PART), MOST_PART)
        return Step(found, before, after, taken * largest)

    def cost(self, values: Floats) -> float:
        """What poses (f, n) cost."""
        frames, stretch = self._opened.frames, self._opened.stretch
        self.ground.update(values, settle=False)
        total = frames.expand(stretch, values).total
        return total + frames.inertial_cost(stretch, values, self._none)

    def settle(self, values: Floats, go_on: Callable[[], bool]) -> tuple[Floats, bool]:
        """Step from poses (f, n) until they have settled, and whether they have.

        `go_on` is asked before each step.
        """
        self.ground.remembers_edges = True
        still = 0
        while go_on():
            found, before, after, change = self.step(values)
            if after >= before and self.ground.new_edges:
                continue  # it met an unknown edge: the same again, knowing it
            if after < before:
                values = found
            still = still + 1 if before - after < LEAST_GAIN * before else 0
            if still >= 2 or change < LEAST_CHANGE or after >= before:
                return values, True
        return values, False


def _part_of(opened: OpenClip, first: int, stop: int) -> OpenClip:
    """Some rows of an open clip, in the same memory; rows at the ends within the clip are held."""
    whole = opened.stretch
    rows = slice(first, stop)
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
    frames = copy(opened.frames)
    bend = frames.inertia.bend
    if bend.ndim == 2:
        frames.inertia = frames.inertia._replace(bend=bend[first : stop - HELD])
    return replace(opened, frames=frames, stretch=stretch, table=opened.table[rows])
