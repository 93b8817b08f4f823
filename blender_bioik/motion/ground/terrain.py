"""The ground as triangles, some of which move: heights under points, all frames in one call.

World space, metres, Z up. Frames are rows of arrays: row 0 is the clip's first frame. Triangles are
numbered through all surfaces, in the order in which they were given.

Points within a margin next to a triangle count as on it, a few micrometres for a ground of some
metres, so that neither shared edges nor objects that were put side by side leave cracks. Triangles
narrower than that in plan view (walls, needles) do not count as ground. Both sides of a triangle
do.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..feet import Floats, Ints
from .terrain_facing import corners_at, outward
from .terrain_nearest import nearest_within
from .terrain_query import highest_below
from .terrain_tree import Tree, build_tree, hull_places, within

# Coordinates come as 32-bit numbers: the margin grows with the distance from the origin.
MARGIN_PER_METRE = 3.5e-7


class GroundHits(NamedTuple):
    """Ground under n points.

    Attributes:
        height: Its world Z; NaN where there is none; (n,).
        slope: (dz/dx, dz/dy) of the triangle, NaN where there is none; (n, 2).
        triangle: The triangle's number, -1 where there is none; (n,).
    """

    height: Floats
    slope: Floats
    triangle: Ints


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles that are static, move as one rigid body, or deform.

    Rows in which it is not there have NaN in its matrix, or in its vertices.

    Attributes:
        vertices: Places (v, 3) or, if deforming, (f, v, 3); in the world, or in local space if
            there are matrices. May be 32-bit numbers.
        triangles: Indices of three vertices each; (t, 3).
        matrices: World matrices if moving, not singular; (f, 4, 4).
    """

    vertices: NDArray[Any]
    triangles: Ints
    matrices: Floats | None = None

    @property
    def moves(self) -> bool:
        """Whether it is given frame by frame."""
        return self.matrices is not None or self.vertices.ndim == 3

    @property
    def rows(self) -> int:
        """Number of frames for which it is given."""
        return len(self.vertices if self.matrices is None else self.matrices)


class Terrain:
    """The ground of a clip.

    Attributes:
        lowest: Lowest world Z of the ground in all frames; NaN if there is none.
        highest: Highest of them.
    """

    lowest: float
    highest: float

    def __init__(self, surfaces: Sequence[Surface], around: Floats | None = None) -> None:
        """Prepare the queries.

        Args:
            surfaces: The surfaces of the ground.
            around: Lowest and highest (x, y) of the region that matters; (2, 2). Triangles that are
                never in it are ignored. None for all of the world.
        """
        given = [_checked(surface) for surface in surfaces]
        rows = {surface.rows for surface in given if surface.moves}
        if len(rows) > 1:
            raise ValueError(f"surfaces move over different numbers of frames: {sorted(rows)}")
        self._rows = rows.pop() if rows else None
        self._period: int | None = None
        self._first = np.cumsum([0, *(len(surface.triangles) for surface in given)])
        self._moves = np.array([surface.moves for surface in given], bool)
        region = None if around is None else np.asarray(around, float).reshape(2, 2)
        self._outward = np.array([outward(surface) for surface in given])
        parts = [within(surface, region) for surface in given]
        self._surfaces = [part for part, _ in parts]
        self._kept = [kept for _, kept in parts]
        low, high = _range(np.array([_bounds(part) for part, _ in parts]).reshape(-1, 3))
        self.lowest, self.highest = float(low[2]), float(high[2])
        extent = float(np.nan_to_num(np.abs([low, high])).max())
        self._margin = MARGIN_PER_METRE * extent
        self._trees = self._build_trees()

    def comes_back(self, period: int, most: float) -> bool:
        """Whether the ground is back in its position after `period` rows, within `most` metres."""
        if self._rows is None:
            return True
        ends = [0, min(period, self._rows - 1)]
        for surface in (surface for surface in self._surfaces if surface.moves):
            vertices = surface.vertices[ends] if surface.vertices.ndim == 3 else surface.vertices
            places = np.broadcast_to(vertices, (2, *vertices.shape[-2:]))
            if surface.matrices is not None:
                turn, at = surface.matrices[ends, :3, :3], surface.matrices[ends, None, :3, 3]
                places = places @ turn.swapaxes(-1, -2) + at
            if not np.allclose(places[0], places[1], rtol=0.0, atol=most, equal_nan=True):
                return False
        return True

    def repeated(self, period: int) -> Terrain:
        """The same ground, repeated after a number of rows."""
        again = copy(self)
        again._period = period
        return again

    def below(self, points: Floats, rows: Ints, ceiling: Floats) -> GroundHits:
        """The highest ground over or under each point (x, y) that is not above a ceiling.

        Args:
            points: Places, whose z does not matter; (n, 3).
            rows: The row of each; (n,).
            ceiling: World Z above which there is no ground; (n,).
        """
        at = np.ascontiguousarray(points, float)
        row = self._checked_rows(rows)
        highest = np.ascontiguousarray(ceiling, float)
        if at.shape != (len(at), 3) or row.shape != (len(at),) or highest.shape != (len(at),):
            raise ValueError(
                f"points {at.shape}, rows {row.shape} and ceilings {highest.shape} do not match"
            )
        height = np.full(len(at), -np.inf)
        slope = np.full((len(at), 2), np.nan)
        triangle = np.full(len(at), -1, np.int64)
        for tree in self._trees:
            highest_below(
                *tree, at, row, highest, self._margin, height, slope.reshape(-1), triangle
            )
        height[triangle < 0] = np.nan
        return GroundHits(height, slope, triangle)

    def distance(self, points: Floats, rows: Ints, most: Floats) -> Floats:
        """How far points are from the nearest surface, walls included, at most `most`; (n,).

        Args:
            points: Places; (n, 3).
            rows: The row of each; (n,).
            most: Distances beyond which it does not matter; (n,).
        """
        at = np.ascontiguousarray(points, float)
        row = self._checked_rows(rows)
        nearest = np.array(most, float)
        if at.shape != (len(at), 3) or row.shape != (len(at),) or nearest.shape != (len(at),):
            raise ValueError(
                f"points {at.shape}, rows {row.shape} and distances {nearest.shape} do not match"
            )
        for tree in self._trees:
            nearest_within(*tree, at, row, nearest)
        return nearest

    def nearest(self, point: Floats, row: int, most: float) -> int:
        """Number of a triangle of the surface that is nearest to a point (3,); -1 if none is near.

        Args:
            point: The place.
            row: The row of it.
            most: Longest distance, metres.
        """
        at, rows, found = np.ascontiguousarray(point, float)[None], np.array([row], np.int64), None
        for tree in self._trees:
            apart = np.array([most])
            nearest_within(*tree, at, self._checked_rows(rows), apart)
            if apart[0] < most:
                most, found = float(apart[0]), tree
        if found is None:
            return -1
        surface = self._surfaces[int(self._surface_of(found.numbers[:1])[0])]
        if surface.vertices.ndim != 3:  # all of it moves alike
            return int(found.numbers[0])
        corners = surface.vertices[int(self._checked_rows(rows)[0]), found.corners.reshape(-1, 3)]
        centres = np.asarray(corners, float).mean(axis=1)
        return int(found.numbers[int(np.linalg.norm(centres - at, axis=1).argmin())])

    def follow(self, triangle: Ints, points: Floats, row: Ints, rows: Ints) -> Floats:
        """Where points that are fixed to triangles at one row are at another; (k, 3).

        A point off its triangle keeps its distance from it. Where the surface is not there, at
        either row, the place is NaN.

        Args:
            triangle: Numbers of triangles; (k,).
            points: Places at `row`; (k, 3).
            row: When the points were fixed; (k,).
            rows: Rows of the returned places; (k,).
        """
        numbers = np.asarray(triangle, np.int64)
        before, after = self._checked_rows(row), self._checked_rows(rows)
        places = np.array(points, float)
        which = self._surface_of(numbers)
        for s in np.unique(which[self._moves[which]]):
            surface, k = self._surfaces[s], np.flatnonzero(which == s)
            if surface.matrices is not None:
                then, now = surface.matrices[before[k]], surface.matrices[after[k]]
                places[k] = _moved(then, now, places[k])
            else:
                among = np.searchsorted(self._kept[s], numbers[k] - self._first[s])
                corners = surface.triangles[among]
                then = _frames(surface.vertices[before[k, None], corners])
                now = _frames(surface.vertices[after[k, None], corners])
                places[k] = _moved(then, now, places[k])
        return places

    def moves(self, triangle: Ints) -> NDArray[np.bool_]:
        """Whether triangles move or deform; (k,)."""
        return self._moves[self._surface_of(np.asarray(triangle, np.int64))]

    def faces_up(self, triangle: Ints, rows: Ints) -> NDArray[np.bool_]:
        """Whether triangles face up, as what one stands on; undersides do not; (k,).

        Args:
            triangle: Numbers of triangles; (k,).
            rows: The row of each; (k,).
        """
        numbers, row = np.asarray(triangle, np.int64), self._checked_rows(rows)
        up = np.zeros(len(numbers), bool)
        which = self._surface_of(numbers)
        for s in np.unique(which):
            k = np.flatnonzero(which == s)
            among = np.searchsorted(self._kept[s], numbers[k] - self._first[s])
            corners = corners_at(self._surfaces[s], among, row[k])
            first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
            height = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
            up[k] = self._outward[s] * height > 0.0
        return up

    def _surface_of(self, triangle: Ints) -> Ints:
        count = int(self._first[-1])
        if triangle.size and not (triangle.min() >= 0 and triangle.max() < count):
            raise ValueError(f"triangles are numbered from 0 to {count - 1}")
        return np.searchsorted(self._first, triangle, side="right") - 1

    def _checked_rows(self, rows: Ints) -> Ints:
        given = np.ascontiguousarray(rows, np.int64)
        if self._period is not None:
            given = given % self._period
        count = self._rows
        if count is not None and given.size and not (given.min() >= 0 and given.max() < count):
            raise ValueError(f"the terrain has rows 0 to {count - 1}")
        return given

    def _build_trees(self) -> list[Tree]:
        """One tree for all static surfaces, and one for each moving surface."""
        numbers = [first + kept for first, kept in zip(self._first, self._kept, strict=False)]
        there = [s for s, kept in enumerate(self._kept) if len(kept)]
        still = [s for s in there if not self._moves[s]]
        trees = []
        if still:
            whole = _joined([self._surfaces[s] for s in still])
            trees.append(
                build_tree(whole, np.concatenate([numbers[s] for s in still]), self._margin)
            )
        trees += [
            build_tree(self._surfaces[s], numbers[s], self._margin) for s in there if self._moves[s]
        ]
        return trees


def _joined(surfaces: Sequence[Surface]) -> Surface:
    """Several static surfaces as one."""
    offsets = np.cumsum([0, *(len(surface.vertices) for surface in surfaces)])
    triangles = [
        surface.triangles + offset for surface, offset in zip(surfaces, offsets, strict=False)
    ]
    return Surface(
        np.concatenate([surface.vertices for surface in surfaces]), np.concatenate(triangles)
    )


def _checked(surface: Surface) -> Surface:
    """The surface with arrays of the right types and shapes.

    Raises:
        ValueError: Shapes or indices are wrong.
    """
    vertices = np.ascontiguousarray(surface.vertices)
    if vertices.ndim != 3 or vertices.dtype != np.float32:
        vertices = vertices.astype(float)
    triangles = np.ascontiguousarray(surface.triangles, np.int64)
    if vertices.ndim not in (2, 3) or vertices.shape[-1] != 3:
        raise ValueError(f"vertices are (v, 3) or (f, v, 3), not {vertices.shape}")
    if triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ValueError(f"triangles are (t, 3), not {triangles.shape}")
    if triangles.size and not (triangles.min() >= 0 and triangles.max() < vertices.shape[-2]):
        raise ValueError(f"triangles have vertices from 0 to {vertices.shape[-2] - 1}")
    there = np.isfinite(vertices).all(axis=(-2, -1))
    if not np.all(there | (np.isnan(vertices).all(axis=(-2, -1)) & (vertices.ndim == 3))):
        raise ValueError("vertices are finite, or all of a row's are NaN")
    if surface.matrices is None:
        return Surface(vertices, triangles)
    matrices = np.ascontiguousarray(surface.matrices, float)
    if matrices.ndim != 3 or matrices.shape[1:] != (4, 4):
        raise ValueError(f"matrices are (f, 4, 4), not {matrices.shape}")
    if vertices.ndim == 3 and len(vertices) != len(matrices):
        raise ValueError(f"{len(vertices)} rows of vertices and {len(matrices)} matrices")
    return Surface(vertices, triangles, matrices)


def _bounds(surface: Surface) -> tuple[Floats, Floats]:
    """Lowest and highest place of a surface's triangles, over all frames.

    For a rigid body it may be too wide in x and y, where only the margin depends on it.
    """
    if not len(surface.triangles):
        return _range(np.empty((0, 3)))
    if surface.matrices is None:
        return _range(surface.vertices.reshape(-1, 3))  # all of them have triangles
    places = surface.vertices[np.unique(surface.triangles)]
    low, high = _range(hull_places(surface).reshape(-1, 3))
    heights = np.array([_height_range(matrix, places) for matrix in surface.matrices])
    low[2], high[2] = np.fmin.reduce(heights[:, 0]), np.fmax.reduce(heights[:, 1])
    return low, high


def _height_range(matrix: Floats, places: Floats) -> tuple[float, float]:
    heights = places @ matrix[2, :3] + matrix[2, 3]
    return heights.min(), heights.max()


def _range(places: Floats) -> tuple[Floats, Floats]:
    """Lowest and highest (x, y, z) of places (k, 3) that are not NaN; NaN if none is."""
    lowest = np.fmin.reduce(places, axis=0, initial=np.inf)
    highest = np.fmax.reduce(places, axis=0, initial=-np.inf)
    nothing = lowest > highest
    return np.where(nothing, np.nan, lowest), np.where(nothing, np.nan, highest)


def _frames(corners: Floats) -> Floats:
    """Matrices (k, 4, 4) that move and deform with triangles; their corners are (k, 3, 3)."""
    matrices = np.zeros((len(corners), 4, 4))
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(first, second)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    matrices[:, :3, 0], matrices[:, :3, 1] = first, second
    matrices[:, :3, 2] = normal / np.maximum(length, np.finfo(float).tiny)
    matrices[:, :3, 3] = corners[:, 0]
    matrices[:, 3, 3] = 1.0
    return matrices


def _moved(then: Floats, now: Floats, points: Floats) -> Floats:
    """Points (k, 3) that move along when matrices (k, 4, 4) change."""
    offset = points - then[:, :3, 3]
    local = np.linalg.solve(then[:, :3, :3], offset[:, :, None])
    moved: Floats = (now[:, :3, :3] @ local)[:, :, 0] + now[:, :3, 3]
    return moved
