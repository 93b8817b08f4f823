"""How deep a character's meshes are in the ground, frame by frame.

This is what a viewer sees, whatever points were placed: the highest ground below a point of the
mesh is above it, and the way out of the ground is the shortest one. Some frames are measured at all
points; the points that are lowest there are followed through all frames; the frames that turn out
to be the worst are measured at all points again. World space, metres, Z up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..feet import Floats, Ints
from ..ground.terrain import Terrain
from .skin import Skin

# Most frames that are measured at all points before the worst are known, and then around these.
SAMPLED, REFINED = 24, 12
# In each sampled frame, the points with the least room below that are followed through the clip.
FOLLOWED = 6
# Ground up to this height above a point counts even if it is higher than the limit; metres for a
# person.
ABOVE_POINT = 0.05
# Frames with more room than this below all points that are followed need no further look; metres
# for a person.
NEAR = 0.02
# So many places on the way from a point to where it hangs on the body are looked at.
WAY_PARTS = 16
# Ground above a point by less is rounding, metres for a person.
TOUCHES = 0.0005


@dataclass(frozen=True, eq=False)
class Layer:
    """A part of the skin, and what it is measured against.

    Attributes:
        points: Pairs of vertices; (p, 2).
        coarse: Indices of those that are measured in sampled frames.
        floor: Height of the source's floor; (f,).
        top: Height up to which ground counts, in the result; (f,).
        hangs_on: Where the part hangs on the body, a foot on its ankle; None if on no one place;
            (f, 3). Ground under which a point is, as under a bench or a rung, does not count, but
            what is between the point and that place does.
    """

    points: Ints
    coarse: Ints
    floor: Floats
    top: Floats
    hangs_on: Floats | None = None


@dataclass(frozen=True, eq=False)
class Depths:
    """How deep a part of the skin is.

    Attributes:
        depth: Depth in each frame, 0 if it is not in the ground; metres; (f,).
        before: How deep the source is in its own floor in each frame; metres; (f,).
        excess: How much deeper any of its points is than in the source; metres; (f,).
        vertex: A vertex of the deepest point in each frame; (f,).
    """

    depth: Floats
    before: Floats
    excess: Floats
    vertex: Ints

    @classmethod
    def none(cls, frames: int) -> Depths:
        """Nothing is in the ground."""
        return cls(np.zeros(frames), np.zeros(frames), np.zeros(frames), np.zeros(frames, int))


def mesh_depths(
    skin: Skin, before: Floats, after: Floats, layer: Layer, terrain: Terrain, scale: float
) -> Depths:
    """Measure a part of the skin.

    Args:
        skin: The skin.
        before: Skin matrices of the source; (f, b + 1, 4, 4).
        after: The same of the result.
        layer: The part.
        terrain: The ground.
        scale: Size of the character; 1 for a person.
    """
    probe = _Probe(skin, before, after, layer, terrain, scale)
    frames = len(after)
    probe.follow(spread_rows(frames, SAMPLED))
    worst = np.argsort(probe.room)[:REFINED]
    around = np.unique(np.concatenate([worst - 1, worst, worst + 1]).clip(0, frames - 1))
    near = probe.room[around] < NEAR * scale
    probe.measure(around[near], np.arange(len(layer.points)))
    return probe.depths


def depth_of(
    points: Floats,
    rows: Ints,
    tops: Floats,
    terrain: Terrain,
    scale: float,
    hangs_on: Floats | None = None,
) -> tuple[Floats, Floats]:
    """How deep points are in the ground, and the room below them, negative in the ground; (n,).

    Args:
        points: Places; (n, 3).
        rows: Their frames; (n,).
        tops: Heights up to which ground counts; (n,).
        terrain: The ground.
        scale: Size of the character; 1 for a person.
        hangs_on: Where the points hang on the body; (f, 3); see `Layer`.
    """
    ceiling = np.maximum(tops, points[:, 2] + ABOVE_POINT * scale)
    height = terrain.below(points, rows, ceiling).height
    room = np.where(np.isnan(height), np.inf, points[:, 2] - height)
    inside = np.flatnonzero(room < -TOUCHES * scale)
    if len(inside):
        clear = _is_under(points[inside], rows[inside], height[inside], terrain)
        if hangs_on is not None and clear.any():
            under = inside[clear]
            clear[clear] = _is_free(points[under], rows[under], hangs_on[rows[under]], terrain)
        room[inside[clear]] = np.inf
        inside = inside[~clear]
    depth = np.zeros(len(points))
    depth[inside] = terrain.distance(points[inside], rows[inside], -room[inside])
    return depth, room


def _is_under(points: Floats, rows: Ints, height: Floats, terrain: Terrain) -> NDArray[np.bool_]:
    """Whether points below some ground are under it: what is next above them is an underside."""
    triangle = np.full(len(points), -1)
    above = np.arange(len(points))
    ceiling = height
    while len(above):
        found = terrain.below(points[above], rows[above], ceiling)
        more = found.height > points[above, 2]
        above = above[more]
        triangle[above] = found.triangle[more]
        ceiling = np.nextafter(found.height[more] - 1e-6, -np.inf)
    known = triangle >= 0
    under = np.zeros(len(points), bool)
    under[known] = ~terrain.faces_up(triangle[known], rows[known])
    return under


def _is_free(points: Floats, rows: Ints, ends: Floats, terrain: Terrain) -> NDArray[np.bool_]:
    """Whether the ways from points to some ends (n, 3) do not lead through any ground."""
    free = np.ones(len(points), bool)
    for share in np.linspace(0.0, 1.0, WAY_PARTS + 2)[1:-1]:
        at = points + share * (ends - points)
        ceiling = np.maximum(points[:, 2], ends[:, 2])
        height = terrain.below(at, rows, ceiling).height
        covered = np.flatnonzero(height > at[:, 2])
        inside = ~_is_under(at[covered], rows[covered], height[covered], terrain)
        free[covered[inside]] = False
    return free


def spread_rows(frames: int, most: int) -> Ints:
    """Rows of evenly spread frames, the first and the last among them."""
    return np.unique(np.linspace(0, frames - 1, min(frames, most)).round().astype(int))


class _Probe:
    """Collects depths row by row, of more and more points."""

    def __init__(
        self,
        skin: Skin,
        before: Floats,
        after: Floats,
        layer: Layer,
        terrain: Terrain,
        scale: float,
    ) -> None:
        self._skin, self._before, self._after = skin, before, after
        self._layer, self._terrain, self._scale = layer, terrain, scale
        frames = len(after)
        self.room = np.full(frames, np.inf)
        self.depths = Depths.none(frames)

    def follow(self, rows: Ints) -> None:
        """Measure some rows, then all rows at the points that were lowest in these."""
        room = self.measure(rows, self._layer.coarse)
        count = min(FOLLOWED, room.shape[1])
        if not count:
            return
        lowest = np.argpartition(room, count - 1, axis=1)[:, :count]
        lowest = lowest[np.isfinite(np.take_along_axis(room, lowest, axis=1))]
        self.measure(np.arange(len(self._after)), self._layer.coarse[np.unique(lowest)])

    def measure(self, rows: Ints, chosen: Ints) -> Floats:
        """Measure some points in some rows; returns the room below them, (rows, chosen)."""
        layer, points = self._layer, self._layer.points[chosen]
        if not len(points) or not len(rows):
            return np.empty((len(rows), len(points)))
        now = self._skin.posed(self._after[rows], points)
        then = self._skin.posed(self._before[rows], points)
        shape = now.shape[:2]
        at = np.broadcast_to(rows[:, None], shape)
        depth, room = (
            values.reshape(shape)
            for values in depth_of(
                now.reshape(-1, 3),
                at.ravel(),
                layer.top[at].ravel(),
                self._terrain,
                self._scale,
                layer.hangs_on,
            )
        )
        sunk = np.maximum(0.0, layer.floor[rows, None] - then[..., 2])
        excess = np.where(depth > 0.0, np.minimum(depth, np.maximum(0.0, -room - sunk)), 0.0)
        self._take(rows, points, depth, sunk, excess, room)
        return room

    def _take(
        self, rows: Ints, points: Ints, depth: Floats, sunk: Floats, excess: Floats, room: Floats
    ) -> None:
        """Keep what is deeper than known so far."""
        found, deepest = self.depths, depth.argmax(axis=1)
        most = depth.max(axis=1)
        deeper = most > found.depth[rows]
        found.depth[rows[deeper]] = most[deeper]
        found.vertex[rows[deeper]] = points[deepest[deeper], 0]
        found.before[rows] = np.maximum(found.before[rows], sunk.max(axis=1))
        found.excess[rows] = np.maximum(found.excess[rows], excess.max(axis=1))
        self.room[rows] = np.minimum(self.room[rows], room.min(axis=1))
