"""The ground a character walks on: the surface below its knees, with holes bridged.

Following the path from the first frame distinguishes a character on a bridge from one under it:
from one frame to the next, the ground may rise by less than the height of the knee. Where it drops
by more, there is a hole if the ground is back soon, as between the planks of a bridge, or later
behind a wall that cannot be climbed, as behind a ravine; or if only ground that is too high to step
on is left. Where the source itself climbs, the ground may rise and drop by as much more.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d, minimum_filter1d

from ..feet import Floats, Ints
from ..tuning import BODY
from .terrain import Terrain
from .tuning import UNDERFOOT


class Ground(NamedTuple):
    """The ground under some points; arrays of the points' shape.

    Attributes:
        height: World Z, metres; over a hole that of the ground the character walks on.
        slope: dz/dx and dz/dy; (..., 2).
        triangle: The triangle, -1 over a hole.
    """

    height: Floats
    slope: Floats
    triangle: Ints


class Underfoot:
    """The ground under a character that follows a path.

    Attributes:
        terrain: All surfaces.
        altitude: Height of the ground under the path, metres; (f,).
        ceiling: Ground must not be higher than this, metres; (f,).
        bottom: Lower ground is out of reach, a hole, metres; (f,).
        holes: Rows in which there is no ground under the path.
    """

    def __init__(
        self,
        terrain: Terrain,
        path: Floats,
        floor: float,
        knee_height: float,
        rate: float,
        climb: Floats | None = None,
    ) -> None:
        """Follow a path.

        Args:
            terrain: All surfaces.
            path: Position of the character in plan view; (f, 2).
            floor: Height of the source's floor in the first frame, metres.
            knee_height: Height of the knees over the floor, metres.
            rate: Frames per second.
            climb: How high the source is above its floor, metres; zero if not given; (f,).
        """
        self.terrain = terrain
        self._floor, self._knee_height, self._rate = floor, knee_height, rate
        self._climb = np.zeros(len(path)) if climb is None else climb
        ahead = max(1, round(BODY.step_seconds * rate))
        found = _altitude(terrain, path, floor, knee_height, ahead, self._climb)
        self.holes = np.flatnonzero(np.isnan(found))
        self.altitude = _bridged(found)
        self.ceiling = maximum_filter1d(self.altitude, 2 * ahead + 1) + knee_height
        # Feet that are about to cross a hole, or have just crossed it, do not step into it either.
        near_hole = maximum_filter1d(np.isnan(found), 2 * ahead + 1)
        self.bottom = minimum_filter1d(self.altitude, 2 * ahead + 1) - knee_height * np.where(
            near_hole, 1.0, UNDERFOOT.body
        )

    def along(self, path: Floats) -> Underfoot:
        """The ground under the same character if it follows another path (f, 2)."""
        known = self._floor, self._knee_height, self._rate, self._climb
        return Underfoot(self.terrain, path, *known)

    def below(self, first: int, stop: int, ceiling: float) -> Underfoot:
        """The same ground without what is above a height, metres, in some rows."""
        part = copy(self)
        part.ceiling, part.altitude = self.ceiling.copy(), self.altitude.copy()
        for heights in (part.ceiling, part.altitude):
            heights[first:stop] = np.minimum(heights[first:stop], ceiling)
        return part

    def between(self, first: int, stop: int) -> Underfoot:
        """The same ground over some of the rows, of a terrain that is the same there."""
        part = copy(self)
        rows = slice(first, stop)
        part.altitude, part.ceiling = self.altitude[rows], self.ceiling[rows]
        part.bottom, part._climb = self.bottom[rows], self._climb[rows]
        part.holes = self.holes[(self.holes >= first) & (self.holes < stop)] - first
        return part

    @property
    def is_empty(self) -> bool:
        """Whether the character is never above any ground."""
        return len(self.holes) == len(self.altitude)

    def at(self, points: Floats, rows: Ints) -> Ground:
        """The ground under points (..., 2 or 3) of the rows given for each."""
        shape = points.shape[:-1]
        at = np.broadcast_to(rows, shape).ravel()
        flat = np.zeros((len(at), 3))
        flat[:, :2] = points[..., :2].reshape(-1, 2)
        hits = self.terrain.below(flat, at, self.ceiling[at])
        over_hole = ~(hits.height >= self.bottom[at])
        height = np.where(over_hole, self.altitude[at], hits.height)
        slope = np.where(over_hole[:, None], 0.0, hits.slope)
        triangle = np.where(over_hole, -1, hits.triangle)
        return Ground(height.reshape(shape), slope.reshape(*shape, 2), triangle.reshape(shape))


def _altitude(
    terrain: Terrain, path: Floats, floor: float, knee_height: float, ahead: int, climb: Floats
) -> Floats:
    """Height of the ground under a path, NaN over holes; holes up to `ahead` rows always count."""
    frames = len(path)
    points = np.zeros((frames, 3))
    points[:, :2] = path
    rows = np.arange(frames)
    top = terrain.below(points, rows, np.full(frames, np.inf)).height
    start = _start(terrain, points, top, floor + climb, knee_height)
    if start is None:
        return top
    row, height = start
    # Where nothing is overhead, the highest surface is the ground.
    steps = np.abs(np.diff(top[~np.isnan(top)], prepend=height))
    if (steps < knee_height).all():
        return top
    found = np.full(frames, np.nan)
    bottom = height - climb[row]
    while row < frames:
        climbed = bottom + climb[row]
        hit = _highest(terrain, points, row, max(height, climbed) + knee_height)
        if hit < min(height, climbed) - knee_height:
            stop = _hole_stop(terrain, points, row, height, knee_height, ahead)
            if stop > row:
                row = stop
                continue
        found[row] = hit
        height = height if np.isnan(hit) else hit
        bottom = height if climb[row] == 0.0 else bottom
        row += 1
    return found


def _hole_stop(
    terrain: Terrain, points: Floats, row: int, height: float, knee_height: float, ahead: int
) -> int:
    """The row behind a hole that begins at a row; that row itself if the path goes down there.

    Args:
        terrain: All surfaces.
        points: The path; (f, 3).
        row: Row in which the ground drops by more than the knee's height.
        height: Its height before, metres.
        knee_height: Height of the knees over the ground, metres.
        ahead: Holes that end within this number of rows always count.
    """
    if _highest(terrain, points, row, height + UNDERFOOT.body * knee_height) > height + knee_height:
        return row + 1  # the body is inside ground that is too high to step on
    later = np.arange(row, len(points))
    heights = terrain.below(points[row:], later, np.full(len(later), height + knee_height)).height
    back = np.flatnonzero(heights >= height - knee_height)
    if len(back) == 0:
        return row
    rise = heights[back[0]] - heights[back[0] - 1]
    is_hole = back[0] <= ahead or not rise < knee_height
    return row + int(back[0]) if is_hole else row


def _highest(terrain: Terrain, points: Floats, row: int, ceiling: float) -> float:
    """The highest ground under a path in a row that is not above a ceiling, else NaN."""
    here = slice(row, row + 1)
    return float(terrain.below(points[here], np.array([row]), np.array([ceiling])).height[0])


def _start(
    terrain: Terrain, points: Floats, top: Floats, floors: Floats, knee_height: float
) -> tuple[int, float] | None:
    """The first row with ground, and its height.

    It is below the knee if there is any, else the lowest with room above it.
    """
    over_ground = np.flatnonzero(~np.isnan(top))
    if len(over_ground) == 0:
        return None
    row = int(over_ground[0])
    height, upper, floor = float(top[row]), float(top[row]), float(floors[row])
    while upper > floor + knee_height:
        ceiling = np.array([np.nextafter(upper, -np.inf)])
        lower = float(terrain.below(points[row : row + 1], np.array([row]), ceiling).height[0])
        if np.isnan(lower):
            break
        if upper - lower >= UNDERFOOT.body * knee_height or lower <= floor + knee_height:
            height = lower
        upper = lower
    return row, height


def _bridged(heights: Floats) -> Floats:
    """Heights with NaN interpolated linearly; all zero if there are no others."""
    known = np.flatnonzero(~np.isnan(heights))
    if len(known) == 0:
        return np.zeros_like(heights)
    return np.interp(np.arange(len(heights)), known, heights[known])
