"""Distances to the nearest surface, against Blender's closest points on triangles."""

from __future__ import annotations

import numpy as np
import pytest
from mathutils import Vector
from mathutils.geometry import closest_point_on_tri

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.ground.terrain import Surface, Terrain

COUNT = 60


def truth(points: Floats, triangles: Floats) -> Floats:
    """Distances by a search through all triangles (t, 3, 3)."""
    return np.array(
        [
            min(
                (closest_point_on_tri(Vector(point), *map(Vector, corners)) - Vector(point)).length
                for corners in triangles
            )
            for point in points
        ]
    )


def soup(seed: int) -> Floats:
    noise = np.random.default_rng(seed)
    return noise.uniform(-2.0, 2.0, (COUNT, 1, 3)) + noise.uniform(-0.4, 0.4, (COUNT, 3, 3))


def surface(triangles: Floats, matrices: Floats | None = None) -> Surface:
    return Surface(triangles.reshape(-1, 3), np.arange(3 * COUNT).reshape(-1, 3), matrices)


def points(seed: int) -> Floats:
    return np.asarray(np.random.default_rng(seed).uniform(-2.5, 2.5, (40, 3)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_distances_are_those_of_a_search_through_all(seed: int) -> None:
    triangles, at = soup(seed), points(seed + 100)
    found = Terrain([surface(triangles)]).distance(at, np.zeros(40, int), np.full(40, 9.0))
    assert found == pytest.approx(truth(at, triangles), abs=2e-6)


def test_moving_bodies_are_where_they_are_in_each_row() -> None:
    triangles, at = soup(4), points(5)
    turn = np.eye(4)
    turn[:3, :3] = [[0.0, -2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]]  # turned and larger
    turn[:3, 3] = 0.3, -0.2, 0.5
    absent = np.full((4, 4), np.nan)
    terrain = Terrain([surface(triangles, np.array([np.eye(4), turn, absent]))])
    moved = triangles @ turn[:3, :3].T + turn[:3, 3]
    for row, expected in ((0, truth(at, triangles)), (1, truth(at, moved)), (2, np.full(40, 9.0))):
        found = terrain.distance(at, np.full(40, row), np.full(40, 9.0))
        assert found == pytest.approx(expected, abs=3e-6)


def test_what_is_further_than_it_matters_is_left_at_that() -> None:
    triangles, at = soup(6), points(7)
    found = Terrain([surface(triangles)]).distance(at, np.zeros(40, int), np.full(40, 0.1))
    assert found == pytest.approx(np.minimum(truth(at, triangles), 0.1), abs=2e-6)


def test_the_nearest_triangle_is_of_the_nearest_surface() -> None:
    """A sheet in two pieces that rises, and a still one above it."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    sheet = np.concatenate([corners, corners + np.array([3.0, 0.0, 0.0])])
    rising = np.stack([sheet, sheet + np.array([0.0, 0.0, 0.5])])
    terrain = Terrain(
        [
            Surface(corners + np.array([0.0, 0.0, 1.0]), np.array([[0, 1, 2]])),
            Surface(rising, np.array([[0, 1, 2], [3, 4, 5]])),
        ]
    )
    assert terrain.nearest(np.array([0.2, 0.2, 0.4]), 0, 1.0) == 1
    assert terrain.nearest(np.array([3.2, 0.2, 0.4]), 0, 1.0) == 2
    assert terrain.nearest(np.array([0.2, 0.2, 0.9]), 1, 1.0) == 0
    assert terrain.nearest(np.array([0.2, 0.2, 5.0]), 1, 1.0) == -1
