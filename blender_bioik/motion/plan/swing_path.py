"""Paths of swinging feet: as animated, blended from one footstep's ground to the next."""

from __future__ import annotations

import numpy as np

from ..contacts.contacts import Mask, runs
from ..feet import BALL, Floats, Foot, Ints
from ..ground.underfoot import Underfoot
from ..tuning import BODY
from .plan import FootPlan
from .tuning import SWINGS


def swing_path(
    foot: Foot, wanted: FootPlan, underfoot: Underfoot, scale: float, loop: bool
) -> Floats:
    """Path of the ball of a foot; (f, 3).

    Between stances it is offset like its footsteps, by the share of the way covered, so that it
    follows an even slope. It rises with ground that is higher in between.

    Args:
        foot: The foot in the source.
        wanted: Its footsteps.
        underfoot: The ground.
        scale: Size of the character relative to one of 1.6 m.
        loop: Whether it continues from its last row to its first.
    """
    frames = len(foot.points)
    stands = np.flatnonzero(wanted.height_lock[:, BALL] > 0.0)
    if len(stands) == 0:
        return foot.points[:, BALL].copy()
    if not loop:
        return _path(foot, wanted, underfoot, scale, np.arange(frames))
    around = np.arange(stands[0], stands[0] + frames + 1) % frames
    path = np.empty((frames, 3))
    path[around[:-1]] = _path(foot, wanted, underfoot, scale, around)[:-1]
    return path


def over_even_ground(
    path: Floats, swings: Mask, underfoot: Underfoot, rate: float, scale: float
) -> Mask:
    """Rows (f,) of swings along a path (f, 3) over ground without edges.

    Args:
        path: Path of the ball.
        swings: Rows of the swings; (f,).
        underfoot: The ground.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    even = np.zeros(len(path), bool)
    height = underfoot.at(path, np.arange(len(path))).height
    for first, stop in runs(swings):
        bends = np.abs(np.diff(height[max(0, first - 1) : stop + 1], n=2))
        even[first:stop] = bends.max(initial=0.0) < BODY.edge * scale * 30.0 / rate
    return even


def _path(foot: Foot, wanted: FootPlan, underfoot: Underfoot, scale: float, order: Ints) -> Floats:
    """The path over rows in their order, some of which belong to stances; (rows, 3)."""
    ball, frames = foot.points[order, BALL], len(order)
    stands = np.flatnonzero(wanted.height_lock[order, BALL] > 0.0)
    moved = np.zeros((frames, 3))
    moved[stands] = wanted.target[order[stands], BALL] - ball[stands]
    moved[stands, 2] -= wanted.lift[order[stands]]
    for end, inside in ((0, stands[0]), (frames - 1, stands[-1])):
        moved[end] = moved[inside]
        both = np.array([inside, end])
        before, after = underfoot.at((ball + moved[inside])[both], order[both]).height
        moved[end, 2] += after - before
    known = np.unique([0, *stands, frames - 1])
    for before in np.flatnonzero(np.diff(known) > 1):
        first, last = int(known[before]), int(known[before + 1])
        rows = np.arange(first, last + 1)
        share = _share(ball[rows], scale)[:, None]
        moved[rows] = moved[first] + share * (moved[last] - moved[first])
        path = ball[rows] + moved[rows]
        over = path[:, 2] - underfoot.at(path, order[rows]).height
        moved[rows, 2] += _lift(ball[rows, 2], over)
    return ball + moved


def _lift(animated: Floats, over: Floats) -> Floats:
    """Extra height with which a swing keeps its share over the ground, in the swing's shape; (f,).

    Args:
        animated: Heights in the source; (f,).
        over: Heights over the ground before lifting; (f,).
    """
    line = np.linspace(0.0, 1.0, len(animated))
    rise = np.maximum(0.0, animated - animated[0] - line * (animated[-1] - animated[0]))
    risen = over - over[0] - line * (over[-1] - over[0])
    top = int(rise.argmax())
    missing = max(0.0, SWINGS.kept_height * float(rise[top]) - float(risen[top]))
    return rise * (missing / max(float(rise[top]), 1e-9))


def _share(path: Floats, scale: float) -> Floats:
    """Share of the way from its first to its last place that a path (f, 3) has covered."""
    way = path[-1, :2] - path[0, :2]
    length = float(way @ way)
    if length < (SWINGS.step * scale) ** 2:
        return np.linspace(0.0, 1.0, len(path))
    return np.asarray(np.clip((path[:, :2] - path[0, :2]) @ way / length, 0.0, 1.0))
