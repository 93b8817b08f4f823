"""How harsh the legs of a clip are: second and third differences of their points and knees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...solver.clips.goal_list import GoalHandle
from ...solver.clips.open_clip import OpenClip
from ..feet import Floats, Ints
from ..measure.joint_jerk import QUIET
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
        swings: Rows in which the ball swings along its path.
    """

    tips: Ints
    joints: Ints
    knees: tuple[tuple[int, Floats], ...]
    lead: GoalHandle
    turn: GoalHandle
    swings: Rows


class Harshness(NamedTuple):
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

    def limits(self) -> tuple[Floats, ...]:
        """What is no jolt for each leg, if this is the source; (legs,) each.

        A leg may accelerate like any other. Its jerk is compared with its own.
        """
        peaks = [each.max(axis=0, initial=0.0) for each in self.of_legs()]
        shares = (1.0, 1.0, QUIET, QUIET)
        return tuple(
            JOLTS.most * np.maximum(peak, max(1e-12, share * float(peak.max(initial=0.0))))
            for peak, share in zip(peaks, shares, strict=True)
        )

    def of_legs(self) -> tuple[Floats, ...]:
        """The largest of each leg in each row; (rows, legs) each."""
        return tuple(
            np.asarray(each.max(axis=tuple(range(2, each.ndim)), initial=0.0)) for each in self
        )


def harshness(opened: OpenClip, legs: Sequence[JoltLeg], values: Floats, loop: bool) -> Harshness:
    """Measure poses (f, n)."""
    frames, stretch = opened.frames, opened.stretch
    tips = frames.tips(stretch, values)
    points = np.stack([tips[:, leg.tips, :3] for leg in legs], axis=1)
    correction = values - stretch.source
    knees = np.zeros((len(values), len(legs), 1 + max(len(leg.knees) for leg in legs)))
    for number, leg in enumerate(legs):
        for k, (joint, flexion) in enumerate(leg.knees):
            knees[:, number, k] = flexion + correction[:, joint]
    bends, kinks = _bend(points, loop), _bend(knees, loop)
    return Harshness(
        np.linalg.norm(bends, axis=-1),
        np.asarray(np.abs(kinks).max(axis=-1)),
        _change(bends, loop),
        _change(kinks, loop),
    )


def _bend(paths: Floats, loop: bool) -> Floats:
    """Second differences, row by row as `WholeClip.bends` has them."""
    if loop:
        return np.asarray(np.roll(paths, -1, axis=0) - 2.0 * paths + np.roll(paths, 1, axis=0))
    return np.asarray(np.diff(paths, n=2, axis=0))


def _change(bends: Floats, loop: bool) -> Floats:
    """Size of the larger change from second differences (rows, ..., 3) to those beside."""
    if not len(bends):
        return np.zeros(bends.shape[:-1])
    before = bends[-1:] if loop else bends[:1]
    jerks = np.linalg.norm(np.diff(bends, axis=0, prepend=before), axis=-1)
    return np.asarray(np.maximum(jerks, np.roll(jerks, -1, axis=0)))
