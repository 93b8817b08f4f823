"""Jolts: rows in which a placed leg accelerates more than in its source, and how they are smoothed.

Some arise where a correction has to be quick just when the source is quick itself. There the cost
of the correction's acceleration is raised, so that it spreads to the rows around. Others are noise
of recorded joints: hip and knee jitter in opposition, which no longer cancels out at the foot once
the leg is bent differently. There the foot follows a smoothed version of its own path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...solver.clips.goal_list import GoalHandle
from ...solver.clips.open_clip import OpenClip
from ..contacts.contacts import runs
from ..feet import BALL, Floats, Ints
from .tuning import JOLTS

Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class JoltLeg:
    """A leg to check for jolts.

    Attributes:
        tips: Numbers of the tips of its ankle, ball and toe.
        joints: Its joints, among the active ones.
        knees: Of each knee the joint and how far the source bends it, radians; (f,).
        lead: The goal that leads its ball.
        turn: The goal about how its foot is turned.
        swings: Rows in which the ball may be led.
    """

    tips: Ints
    joints: Ints
    knees: tuple[tuple[int, Floats], ...]
    lead: GoalHandle
    turn: GoalHandle
    swings: Rows


class _Harshness(NamedTuple):
    """How harsh a clip is.

    Attributes:
        points: Second differences of the legs' points; (rows, legs, points).
        knees: Second differences of each leg's knees, the largest of a leg; (rows, legs).
        jerks: Third differences of the legs' points, each in the rows of the second differences
            that it is made of; (rows, legs, points).
        kicks: The same of the knees; (rows, legs).
    """

    points: Floats
    knees: Floats
    jerks: Floats
    kicks: Floats


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
        self._source = self._harshness(opened.stretch.source)
        self._planned = [opened.field(leg.lead, "point").copy() for leg in legs]
        self._calmest: tuple[float, Floats] | None = None
        self._trembled = self._harsher = False

    def calm(self, values: Floats, missed: float) -> Rows:
        """Adjust goals for smoother poses than these (f, n); returns the rows (f,) concerned.

        `missed` is the excess of penetration, goal errors or pelvis movement, as a share of what is
        allowed: smoother poses with more of it are not better.
        """
        after, before = self._harshness(values), self._source
        asked = np.zeros(len(values), bool)
        if len(after.points) == 0:
            return asked
        most = [JOLTS.most * np.maximum(_peaks(each), 1e-12) for each in before]
        usual = JOLTS.usual * max(1e-12, float(np.percentile(before.points, JOLTS.percentile)))
        trembles = float(np.percentile(after.points, JOLTS.percentile)) / usual
        usually = JOLTS.usual * max(1e-12, float(before.jerks.mean()))
        ratios = (
            *(float((_peaks(each) / limit).max()) for each, limit in zip(after, most, strict=True)),
            float(after.jerks.mean()) / usually,
            trembles,
        )
        harsh = missed + sum(max(0.0, ratio - 1.0) for ratio in ratios)
        if self._calmest is None or harsh <= self._calmest[0]:
            self._calmest = harsh, values
        elif self._harsher:
            return asked
        else:
            self._harsher = True
        self._trembled |= trembles > 1.0
        trembling = self._trembled and trembles > 1.0
        for number, leg in enumerate(self._legs):
            thrown, kicked, jolted, _ = (
                _of_leg(each, number) > limit[number]
                for each, limit in zip(after, most, strict=True)
            )
            swings, thrown = self._swings(leg, jolted), thrown | kicked
            if swings.any():
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
                self._lead(leg, shaken, values)
                asked |= self._rows(shaken)
        return asked

    @property
    def calmest(self) -> Floats | None:
        """The smoothest of all poses seen so far, None if there are none."""
        return None if self._calmest is None else self._calmest[1]

    def _make_dearer(self, leg: JoltLeg, rows: Rows) -> None:
        """Raise the cost of a leg's acceleration in some rows."""
        frames = self._opened.frames
        stay, bend = frames.inertia
        bend = np.broadcast_to(bend, (len(rows), len(stay))).copy()
        bend[np.ix_(rows, leg.joints)] *= JOLTS.dearer
        frames.inertia = frames.inertia._replace(bend=bend)

    def _swings(self, leg: JoltLeg, thrown: Rows) -> Rows:
        """The swings (f,) of a leg in which, or next to which, it is thrown."""
        near = maximum_filter1d(self._rows(thrown), 3, mode="wrap" if self._loop else "nearest")
        found = np.zeros_like(near)
        for first, stop in runs(leg.swings):
            found[first:stop] = near[first:stop].any()
        return found

    def _lead(self, leg: JoltLeg, rows: Rows, values: Floats) -> None:
        """Lead a leg's ball along its own smoothed path around some rows."""
        frames, stretch = self._opened.frames, self._opened.stretch
        tip = leg.tips[BALL]
        source = frames.tips(stretch, stretch.source)[:, tip, :3]
        way = frames.tips(stretch, values)[:, tip, :3] - source
        mode = "wrap" if self._loop else "nearest"
        even = gaussian_filter1d(way, JOLTS.even_seconds * self._rate, axis=0, mode=mode)
        around = 2 * round(JOLTS.lead_seconds * self._rate) + 1
        led = maximum_filter1d(self._rows(rows), around, mode=mode) & leg.swings
        self._lead_along(leg, led, source + even)

    def _lead_along(self, leg: JoltLeg, rows: Rows, path: Floats) -> None:
        """Lead a leg's ball along a path (f, 3) in some rows."""
        self._opened.field(leg.lead, "point")[rows] = path[rows]
        self._opened.field(leg.lead, "share")[rows] = 1.0
        least = 30.0 / self._rate / (JOLTS.lead * self._scale) ** 2
        weight = self._opened.weight(leg.lead)
        weight[rows] = np.maximum(least, JOLTS.dearer * weight[rows])
        self._opened.weight(leg.turn)[rows] *= JOLTS.firmer

    def _rows(self, bends: Rows) -> Rows:
        """Rows of the clip to which second differences belong."""
        return bends if self._loop else np.pad(bends, 1)

    def _harshness(self, values: Floats) -> _Harshness:
        frames, stretch = self._opened.frames, self._opened.stretch
        tips = frames.tips(stretch, values)
        points = np.stack([tips[:, leg.tips, :3] for leg in self._legs], axis=1)
        correction = values - stretch.source
        knees = np.zeros((len(values), len(self._legs), 1 + max(len(g.knees) for g in self._legs)))
        for number, leg in enumerate(self._legs):
            for k, (joint, flexion) in enumerate(leg.knees):
                knees[:, number, k] = flexion + correction[:, joint]
        bends, kinks = self._bend(points), self._bend(knees)
        return _Harshness(
            np.linalg.norm(bends, axis=-1),
            np.asarray(np.abs(kinks).max(axis=-1)),
            self._change(bends),
            self._change(kinks),
        )

    def _bend(self, paths: Floats) -> Floats:
        """Second differences, row by row as `WholeClip.bends` has them."""
        if self._loop:
            return np.asarray(np.roll(paths, -1, axis=0) - 2.0 * paths + np.roll(paths, 1, axis=0))
        return np.asarray(np.diff(paths, n=2, axis=0))

    def _change(self, bends: Floats) -> Floats:
        """Size of the larger change from second differences (rows, ..., 3) to those beside."""
        if not len(bends):
            return np.zeros(bends.shape[:-1])
        before = bends[-1:] if self._loop else bends[:1]
        jerks = np.linalg.norm(np.diff(bends, axis=0, prepend=before), axis=-1)
        return np.asarray(np.maximum(jerks, np.roll(jerks, -1, axis=0)))


def _peaks(harshness: Floats) -> Floats:
    """The largest of each leg, of values (rows, legs, ...); (legs,)."""
    return np.asarray(harshness.reshape(*harshness.shape[:2], -1).max(axis=(0, 2)))


def _of_leg(harshness: Floats, number: int) -> Floats:
    """The largest of a leg in each row, of values (rows, legs, ...); (rows,)."""
    return np.asarray(harshness[:, number].reshape(len(harshness), -1).max(axis=1))
