"""Jolts: rows in which a placed leg accelerates more than in its source, and how they are smoothed.

Some arise where a correction has to be quick just when the source is quick itself. There the cost
of the correction's acceleration is raised, so that it spreads to the rows around. Others are noise
of recorded joints: hip and knee jitter in opposition, which no longer cancels out at the foot once
the leg is bent differently. There the foot follows a smoothed version of its own path. Swings with
a jolt are led along their planned path. What has made a swing harsher is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...solver.clips.open_clip import OpenClip
from ..contacts.contacts import runs
from ..contacts.tuning import CONTACTS
from ..feet import BALL, Floats
from .harshness import JoltLeg, Rows, harshness
from .tuning import JOLTS


class _Led(NamedTuple):
    """Rows in which a leg's ball is led, and what was there before.

    Attributes:
        leg: Number of the leg.
        rows: The rows.
        harsh: How harsh the leg was in them, against what is allowed.
        values: The poses; (rows, n).
        goals: The columns of the goals that are changed; (rows,) and (rows, 3).
    """

    leg: int
    rows: slice
    harsh: float
    values: Floats
    goals: tuple[Floats, ...]


class Jolts:
    """Finds the jolts of a clip that is being solved, and smooths them."""

    def __init__(
        self, opened: OpenClip, legs: Sequence[JoltLeg], rate: float, scale: float, loop: bool
    ) -> None:
        """Measure the source.

        Args:
            opened: The clip.
            legs: Its legs.
            rate: Frames per second.
            scale: Size of the character relative to one of 1.6 m.
            loop: Whether it continues from its last row to its first.
        """
        self._opened, self._legs, self._loop = opened, legs, loop
        self._rate, self._scale = rate, scale
        self._source = harshness(opened, legs, opened.stretch.source, loop)
        self._most = self._source.limits()
        self._planned = [opened.field(leg.lead, "point").copy() for leg in legs]
        self._led: list[_Led] = []
        self._own_way = [np.zeros_like(leg.swings) for leg in legs]
        self._calmest: tuple[float, Floats] | None = None
        self._trembled = self._harsher = False

    def calm(self, values: Floats, missed: float) -> tuple[Floats, Rows]:
        """Adjust goals for smoother poses than these (f, n).

        Args:
            values: Settled poses; (f, n).
            missed: Excess of penetration, goal errors or pelvis movement, as a share of what is
                allowed: smoother poses with more of it are not better.

        Returns:
            The poses from which to go on, which are those from before where leading a foot has made
            it harsher, and the rows (f,) concerned.
        """
        after, before = harshness(self._opened, self._legs, values, self._loop), self._source
        asked = np.zeros(len(values), bool)
        if len(after.points) == 0:
            return values, asked
        over = [each / limit for each, limit in zip(after.of_legs(), self._most, strict=True)]
        usual = JOLTS.usual * max(1e-12, float(np.percentile(before.points, JOLTS.percentile)))
        trembles = float(np.percentile(after.points, JOLTS.percentile)) / usual
        mean = float(after.jerks.mean()) / max(1e-12, float(before.jerks.mean()))
        ratios = (*(float(each.max()) for each in over), mean / JOLTS.usual, trembles)
        harsh = missed + sum(max(0.0, ratio - 1.0) for ratio in ratios)
        harsher = self._calmest is not None and harsh > self._calmest[0]
        if not harsher:
            self._calmest = harsh, values
        worst = np.max(over, axis=0)
        values, left = self._leave(values, worst)
        if harsher and not left.any():
            if self._harsher:
                return values, asked
            self._harsher = True
        asked |= left
        self._trembled |= trembles > 1.0
        trembling = self._trembled and trembles > 1.0
        for number, leg in enumerate(self._legs):
            thrown, kicked, jolted, _ = (each[:, number] > 1.0 for each in over)
            own = self._own_way[number]
            swings = self._swings(leg, jolted) & ~own
            thrown |= kicked | (jolted & self._bends(own))
            if swings.any():
                self._remember(number, swings, values, worst)
                self._lead_along(leg, swings, self._planned[number])
                asked |= swings
            if thrown.any():
                self._make_dearer(leg, thrown)
                asked |= self._rows(thrown)
            elif trembling and not swings.any():
                points, source = after.points[:, number], before.points[:, number]
                shaken = np.asarray(
                    ((points > usual) & (points > JOLTS.usual * source)).any(axis=-1)
                )
                led = self._around(self._rows(shaken), CONTACTS.least_seconds) & leg.swings & ~own
                self._remember(number, led, values, worst)
                self._lead_along(leg, led, self._smoothed(leg, values))
                asked |= self._rows(shaken)
        return values, asked

    @property
    def calmest(self) -> Floats | None:
        """The smoothest of all poses seen so far, None if there are none."""
        return None if self._calmest is None else self._calmest[1]

    def _remember(self, number: int, led: Rows, values: Floats, worst: Floats) -> None:
        """Note how a leg is before its ball is led in some rows (f,)."""
        for first, stop in runs(led):
            rows = slice(first, stop)
            goals = tuple(column[rows].copy() for column in self._columns(self._legs[number]))
            harsh = self._worst(number, rows, worst)
            self._led.append(_Led(number, rows, harsh, values[rows].copy(), goals))

    def _leave(self, values: Floats, worst: Floats) -> tuple[Floats, Rows]:
        """Take leading back where it has made a leg harsher.

        Args:
            values: The poses; (f, n).
            worst: How harsh legs are, against what is allowed; (rows, legs).

        Returns:
            Poses, and the rows (f,) concerned: these are as before.
        """
        left = np.zeros(len(values), bool)
        for led in self._led:
            if self._worst(led.leg, led.rows, worst) <= JOLTS.most * max(1.0, led.harsh):
                continue
            if not left.any():
                values = values.copy()
            values[led.rows] = led.values
            columns = self._columns(self._legs[led.leg])
            for column, goal in zip(columns, led.goals, strict=True):
                column[led.rows] = goal
            self._own_way[led.leg][led.rows] = left[led.rows] = True
        self._led = []
        return values, left

    def _worst(self, number: int, rows: slice, worst: Floats) -> float:
        """How harsh a leg is in some rows and next to them, against what is allowed."""
        inside = np.zeros(len(self._legs[number].swings), bool)
        inside[rows] = True
        return float(worst[self._bends(self._around(inside)), number].max(initial=0.0))

    def _columns(self, leg: JoltLeg) -> tuple[Floats, ...]:
        """What leading a leg's ball changes."""
        lead = (self._opened.field(leg.lead, name) for name in ("point", "share"))
        return *lead, self._opened.weight(leg.lead), self._opened.weight(leg.turn)

    def _make_dearer(self, leg: JoltLeg, rows: Rows) -> None:
        """Raise the cost of a leg's acceleration in some rows."""
        frames = self._opened.frames
        stay, bend = frames.inertia
        bend = np.broadcast_to(bend, (len(rows), len(stay))).copy()
        bend[np.ix_(rows, leg.joints)] *= JOLTS.dearer
        frames.inertia = frames.inertia._replace(bend=bend)

    def _swings(self, leg: JoltLeg, thrown: Rows) -> Rows:
        """The swings (f,) of a leg in which, or next to which, it is thrown."""
        near = self._around(self._rows(thrown))
        found = np.zeros_like(near)
        for first, stop in runs(leg.swings):
            found[first:stop] = near[first:stop].any()
        return found

    def _smoothed(self, leg: JoltLeg, values: Floats) -> Floats:
        """The smoothed path (f, 3) of a leg's ball."""
        frames, stretch = self._opened.frames, self._opened.stretch
        tip = leg.tips[BALL]
        source = frames.tips(stretch, stretch.source)[:, tip, :3]
        way = frames.tips(stretch, values)[:, tip, :3] - source
        sigma = JOLTS.even_seconds * self._rate
        return np.asarray(source + gaussian_filter1d(way, sigma, axis=0, mode=self._mode))

    def _lead_along(self, leg: JoltLeg, rows: Rows, path: Floats) -> None:
        """Lead a leg's ball along a path (f, 3) in some rows."""
        self._opened.field(leg.lead, "point")[rows] = path[rows]
        self._opened.field(leg.lead, "share")[rows] = 1.0
        least = 30.0 / self._rate / (JOLTS.lead * self._scale) ** 2
        weight = self._opened.weight(leg.lead)
        weight[rows] = np.maximum(least, JOLTS.dearer * weight[rows])
        self._opened.weight(leg.turn)[rows] *= JOLTS.firmer

    @property
    def _mode(self) -> str:
        """How filters go on beyond the clip's ends."""
        return "wrap" if self._loop else "nearest"

    def _rows(self, bends: Rows) -> Rows:
        """Rows of the clip to which second differences belong."""
        return bends if self._loop else np.pad(bends, 1)

    def _bends(self, rows: Rows) -> Rows:
        """Second differences that belong to rows (f,) of the clip."""
        return rows if self._loop else rows[1:-1]

    def _around(self, rows: Rows, seconds: float = 0.0) -> Rows:
        """Rows (f,) and those around them, at least the ones beside."""
        size = 2 * max(1, round(seconds * self._rate)) + 1
        return np.asarray(maximum_filter1d(rows, size, mode=self._mode))
