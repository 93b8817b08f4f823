"""Heights under points, against a search through all triangles in plain numpy.

Tests of: terrain_query, terrain_tree, terrain_facing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import blender_bioik
from blender_bioik.motion.feet import Floats, Ints
from blender_bioik.motion.ground.terrain import GroundHits, Surface, Terrain

from ...builders.motion.grounds import hills

SQUARE = np.array([[0, 1, 2], [0, 2, 3]])


def square(z: float = 0.0, size: float = 1.0, x: float = 0.0, y: float = 0.0) -> Floats:
    return np.array(
        [
            [x - size, y - size, z],
            [x + size, y - size, z],
            [x + size, y + size, z],
            [x - size, y + size, z],
        ]
    )


def at(*places: tuple[float, float]) -> Floats:
    return np.array([(x, y, 0.0) for x, y in places])


def below(
    terrain: Terrain,
    points: Floats,
    rows: Ints | int = 0,
    ceiling: Floats | float = np.inf,
) -> GroundHits:
    count = len(points)
    return terrain.below(
        points, np.broadcast_to(rows, count), np.broadcast_to(np.asarray(ceiling, float), count)
    )


def turn(angle: float, axis: str = "z", move: tuple[float, float, float] = (0, 0, 0)) -> Floats:
    matrix = np.eye(4)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i], matrix[i, j] = np.sin(angle), -np.sin(angle)
    matrix[:3, 3] = move
    return matrix


def searched(corners: Floats, point: Floats, ceiling: float, beside: float) -> list[float]:
    """Heights, not above a ceiling, of all triangles (t, 3, 3) that the point is on.

    Args:
        corners: Places of the triangles' corners.
        point: Where to look; only x and y count.
        ceiling: Above which there is nothing.
        beside: How far outside a triangle counts as on it (or, negative, how far inside it as off).
    """
    a, b, c = np.moveaxis(corners, 1, 0)
    (bx, by, bz), (cx, cy, cz), (x, y) = (b - a).T, (c - a).T, (point[:2] - a[:, :2]).T
    area = bx * cy - by * cx
    wide = np.abs(area) > 1e-5
    area = np.where(wide, area, 1.0)
    v, w = (x * cy - y * cx) / area, (bx * y - by * x) / area
    z = a[:, 2] + v * bz + w * cz
    on = wide & (np.minimum(np.minimum(v, w), 1 - v - w) >= -beside) & (z <= ceiling)
    heights: list[float] = z[on].tolist()
    return heights


def assert_same_as_searched(hit: float, corners: Floats, point: Floats, ceiling: float) -> None:
    sure = searched(corners, point, ceiling, -1e-4)
    possible = searched(corners, point, ceiling + 1e-6, 1e-4)
    if np.isnan(hit):
        assert not sure
    else:
        assert hit >= max(sure, default=-np.inf) - 1e-6
        assert min(abs(hit - z) for z in possible) < 1e-3
        assert hit <= ceiling


# Places on a coarse lattice: points on edges and corners, walls and doubled triangles are common.
seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
counts = st.integers(1, 40)


def lattice(random: np.random.Generator, *shape: int) -> Floats:
    return random.integers(-20, 21, shape) / 10


@given(seeds, counts)
def test_any_triangles_are_found_as_by_searching_all(
    random: np.random.Generator, count: int
) -> None:
    corners, points = lattice(random, count, 3, 3), lattice(random, 12, 3)
    terrain = Terrain([Surface(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))])

    hits = below(terrain, points, 0, points[:, 2])

    for point, hit in zip(points, hits.height, strict=True):
        assert_same_as_searched(hit, corners, point, point[2])


@given(seeds, counts, st.floats(-3, 3), st.floats(-3, 3), st.integers(1, 3))
def test_rigid_bodies_are_found_as_by_searching_all(
    random: np.random.Generator, count: int, angle: float, other: float, scale: int
) -> None:
    corners, points = lattice(random, count, 3, 3), lattice(random, 12, 3)
    matrices = np.stack([np.eye(4), turn(angle, "x", (0.1, 0.2, 0.3)) @ turn(other)])
    matrices[1, :3, :3] *= scale
    triangles = np.arange(3 * count).reshape(-1, 3)
    terrain = Terrain([Surface(corners.reshape(-1, 3), triangles, matrices)])
    moved = corners @ matrices[1, :3, :3].T + matrices[1, :3, 3]

    hits = below(terrain, points, 1, points[:, 2])

    for point, hit in zip(points, hits.height, strict=True):
        assert_same_as_searched(hit, moved, point, point[2])


@given(seeds, counts)
def test_deforming_surfaces_are_found_as_by_searching_all(
    random: np.random.Generator, count: int
) -> None:
    frames, points = lattice(random, 3, count, 3, 3), lattice(random, 12, 3)
    terrain = Terrain([Surface(frames.reshape(3, -1, 3), np.arange(3 * count).reshape(-1, 3))])
    rows = np.arange(12) % 3

    hits = below(terrain, points, rows, points[:, 2])

    for point, row, hit in zip(points, rows, hits.height, strict=True):
        assert_same_as_searched(hit, frames[row], point, point[2])


def test_heights_slopes_and_numbers_on_hills() -> None:
    surface = hills(60)
    terrain = Terrain([surface])
    points = np.random.default_rng(1).uniform(-1.99, 1.99, (2000, 3))

    hits = below(terrain, points)

    corners = surface.vertices[surface.triangles[hits.triangle]]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    offset = points[:, :2] - corners[:, 0, :2]
    assert hits.slope == pytest.approx(-normal[:, :2] / normal[:, 2:], abs=1e-12)
    assert hits.height == pytest.approx(
        corners[:, 0, 2] + (hits.slope * offset).sum(axis=1), abs=1e-12
    )
    truth = 0.3 * np.sin(2 * points[:, 0]) * np.cos(3 * points[:, 1])
    assert np.abs(hits.height - truth).max() < 0.01
    assert terrain.lowest == surface.vertices[:, 2].min()
    assert terrain.highest == surface.vertices[:, 2].max()


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("far", [0.0, 777.7])
def test_there_are_no_cracks_along_edges_and_corners(angle: float, far: float) -> None:
    surface = hills(20)
    vertices = surface.vertices @ turn(angle)[:3, :3].T + (far, -far, 0.0)
    terrain = Terrain([Surface(vertices, surface.triangles)])
    corners = vertices[surface.triangles]
    inner = np.abs(surface.vertices[surface.triangles][..., :2]).max(axis=(1, 2)) < 1.99
    share = np.random.default_rng(2).uniform(0, 1, (int(inner.sum()), 1))

    for i, j in ((0, 1), (1, 2), (2, 0)):
        on_edge = corners[inner, i] * (1 - share) + corners[inner, j] * share
        for points in (on_edge, corners[inner, i]):
            hits = below(terrain, points)
            assert (hits.triangle >= 0).all()
            # Beside the edge, the margin counts the steeper of two triangles.
            assert hits.height == pytest.approx(points[:, 2], abs=1e-4 if far else 1e-6)


def test_objects_put_side_by_side_leave_no_crack() -> None:
    left, right = square(x=-1.0), square(x=1.0)
    left[:, 0] -= 4e-7  # what 32-bit numbers leave
    terrain = Terrain([Surface(left, SQUARE), Surface(right, SQUARE)])

    hits = below(terrain, at((-4e-7, 0.3), (-2e-7, 0.3), (0.0, 0.3)))

    assert hits.height.tolist() == [0.0, 0.0, 0.0]


def test_on_a_shared_edge_the_lower_number_counts() -> None:
    points = at((0.0, 0.0), (0.5, 0.5), (-0.3, -0.3))
    for triangles in (SQUARE, SQUARE[::-1], SQUARE[:, ::-1]):
        terrain = Terrain([Surface(square(), triangles)])

        assert below(terrain, points).triangle.tolist() == [0, 0, 0]


def test_of_surfaces_at_the_same_height_the_first_counts() -> None:
    moving = Surface(square(), SQUARE, np.eye(4)[None])
    still, other = Surface(square(), SQUARE), Surface(square()[[1, 0, 3, 2]], SQUARE)

    for surfaces in ([still, moving], [moving, still], [other, still], [moving, other, still]):
        assert (below(Terrain(surfaces), at((0.3, 0.1), (0.1, 0.3))).triangle < 2).all()


def test_just_beside_an_outer_edge_is_on_it() -> None:
    points = at((1 + 3e-7, 0.1), (-1 - 3e-7, 0.1), (0.1, 1 + 3e-7), (0.1, -1 - 3e-7))
    small = np.diag([0.01, 0.01, 0.01, 1.0])
    for surface in (
        Surface(square(), SQUARE),
        Surface(square()[None], SQUARE),
        Surface(square() * 100, SQUARE, small[None]),
    ):
        terrain = Terrain([surface])

        assert (below(terrain, points).triangle >= 0).all()
        assert (below(terrain, points * 1.00001).triangle < 0).all()


@pytest.mark.parametrize("size", [0.001, 1.0, 1000.0])
def test_the_margin_is_in_proportion_to_the_ground(size: float) -> None:
    terrain = Terrain([Surface(square() * size, SQUARE)])

    hits = below(terrain, size * at((1 + 3e-7, 0.1), (1 + 1e-6, 0.1)))

    assert (hits.triangle >= 0).tolist() == [True, False]


def test_under_an_overhang_the_ceiling_decides() -> None:
    floors = [Surface(square(z), SQUARE) for z in (0.0, 2.0, 4.0)]
    terrain = Terrain(floors)
    point = at((0.2, 0.1))

    heights = [below(terrain, point, ceiling=top).height[0] for top in (9.0, 4.0, 3.9, 2.0, 0.5)]

    assert heights == [4.0, 4.0, 2.0, 2.0, 0.0]
    assert np.isnan(below(terrain, point, ceiling=-0.1).height[0])
    assert below(terrain, point, ceiling=3.0).triangle[0] in (2, 3)


def test_over_holes_and_outside_there_is_nothing() -> None:
    surface = hills(4)
    gone = np.abs(surface.vertices[surface.triangles].mean(axis=1)[:, :2]).max(axis=1) > 1.0
    terrain = Terrain([Surface(surface.vertices, surface.triangles[gone])])

    hits = below(terrain, at((0.1, 0.2), (1.5, 0.2), (3.0, 0.0), (np.nan, 0.0), (np.inf, 0.0)))

    assert (hits.triangle >= 0).tolist() == [False, True, False, False, False]
    assert np.isfinite(hits.height).tolist() == [False, True, False, False, False]
    assert np.isfinite(hits.slope).all(axis=1).tolist() == [False, True, False, False, False]


def test_walls_and_needles_are_no_ground_and_both_sides_are() -> None:
    wall = np.array([[0.0, -1, 0], [0, 1, 0], [0, 0, 5.0]])
    needle = np.array([[-1.0, 0.5, 3], [1, 0.5, 3], [0, 0.5 + 1e-8, 3]])
    point = np.array([[0.0, 0.0, 1.0]] * 3)
    one = np.array([[0, 1, 2]])
    floor = Surface(square(), SQUARE[:, ::-1])  # faces down
    terrain = Terrain([*(Surface(part, one) for part in (wall, needle, point)), floor])

    assert below(terrain, at((0.0, 0.0), (0.0, 0.5))).height.tolist() == [0.0, 0.0]


def test_just_beside_a_steep_triangle_heights_stay_on_it() -> None:
    steep = np.array([[0.0, -1, 0], [0.0, 1, 0], [1e-4, 0, 2.0]])
    terrain = Terrain([Surface(steep, np.array([[0, 1, 2]]))])

    assert below(terrain, at((-6e-7, 0.0))).height[0] == 0.0


def test_a_dense_rock_on_a_wide_plain() -> None:
    rock = hills(40, size=0.2, height=0.05)
    terrain = Terrain([Surface(square(-0.1, 5000.0), SQUARE), rock])

    hits = below(terrain, at((0.05, 0.06), (1000.0, 2000.0)))

    assert hits.triangle[0] >= 2
    assert hits.height[1] == pytest.approx(-0.1)


def cube(flipped: bool) -> Surface:
    """A closed cube from (0, 0, 0) to (1, 1, 1), with normals that point outwards or inwards."""
    places = np.array([(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])
    sides = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    faces = np.array([(3, 2, 1, 0), (4, 5, 6, 7), *sides])
    triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    return Surface(places.astype(float), triangles[:, ::-1] if flipped else triangles)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_the_upper_side_faces_up_and_the_underside_does_not(flipped: bool, turned: bool) -> None:
    surface, rows = cube(flipped), np.zeros(2, int)
    if turned:  # upside down in its second row
        matrices = np.tile(np.diag([1.0, -1.0, -1.0, 1.0]), (2, 1, 1))
        matrices[0] = np.eye(4)
        surface, rows = Surface(surface.vertices, surface.triangles, matrices), np.ones(2, int)
    terrain = Terrain([surface])
    middle = [0.4, -0.3 if turned else 0.3, 0.0]
    lower = -1.0 if turned else 0.0
    hits = terrain.below(np.array([middle, middle]), rows, np.array([lower + 2.0, lower + 0.5]))
    np.testing.assert_allclose(hits.height, [lower + 1.0, lower])
    assert terrain.faces_up(hits.triangle, rows).tolist() == [True, False]


@pytest.mark.parametrize("flipped", [False, True])
def test_a_sheet_has_its_upper_side_up(flipped: bool) -> None:
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [1.0, 1.0, 0.2], [0.0, 1.0, 0.1]])
    terrain = Terrain([Surface(corners, SQUARE[:, ::-1] if flipped else SQUARE)])
    assert terrain.faces_up(np.array([0, 1]), np.zeros(2, int)).all()


def test_nothing_at_all() -> None:
    terrain = Terrain([])

    assert np.isnan([terrain.lowest, terrain.highest]).all()
    assert below(terrain, at((0.0, 0.0))).triangle.tolist() == [-1]
    assert below(Terrain([hills(2)]), np.empty((0, 3))).height.shape == (0,)


# Moving ground.


def lift(rows: int = 5) -> Surface:
    """A platform that rises by 1 m and drives by 2 m from frame to frame."""
    matrices = np.stack([turn(0.0, move=(2.0 * row, 0.0, float(row))) for row in range(rows)])
    return Surface(square(), SQUARE, matrices)


def test_a_platform_is_where_it_is_in_each_row() -> None:
    terrain = Terrain([Surface(square(-1.0, 50.0), SQUARE), lift()])
    points = at(*((2.0 * row, 0.3) for row in range(5)))

    with_it = below(terrain, points, np.arange(5))
    too_early = below(terrain, points, np.maximum(np.arange(5) - 2, 0))

    assert with_it.height.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert terrain.moves(with_it.triangle).all()
    assert too_early.height.tolist() == [0.0, -1.0, -1.0, -1.0, -1.0]
    assert terrain.moves(too_early.triangle).tolist() == [True] + 4 * [False]
    assert (terrain.lowest, terrain.highest) == (-1.0, 4.0)


def test_rows_in_which_the_ground_is_missing() -> None:
    rigid, wave = lift(3), np.stack([square(), square(1.0), square(2.0)])
    assert rigid.matrices is not None
    rigid.matrices[1] = wave[1] = np.nan

    for surface in (rigid, Surface(wave, SQUARE)):
        terrain = Terrain([surface])
        hits = below(terrain, at((0.9, 0.3), (2.0, 0.3), (0.9, 0.3)), np.array([0, 1, 0]))
        gone = terrain.follow(np.array([0]), at((0, 0)), np.array([0]), np.array([1]))

        assert hits.height[[0, 2]].tolist() == [0.0, 0.0]
        assert hits.triangle[1] == -1
        assert np.isnan(gone).all()
        assert (terrain.lowest, terrain.highest) == (0.0, 2.0)


def test_points_follow_a_turning_body() -> None:
    angles = np.linspace(0, 2, 6)
    matrices = np.stack([turn(a, "x", (a, 0, 1)) @ turn(a) for a in angles])
    matrices[:, :3, :3] *= 2.0
    terrain = Terrain([Surface(square(5.0), SQUARE), Surface(square(), SQUARE, matrices)])
    local = np.array([[0.3, -0.2, 0.0, 1.0], [0.5, 0.1, 0.2, 1.0]])
    before, after = np.array([1, 4]), np.array([5, 0])
    start = np.einsum("kij,kj->ki", matrices[before], local)[:, :3]

    found = terrain.follow(np.array([2, 3]), start, before, after)

    expected = np.einsum("kij,kj->ki", matrices[after], local)[:, :3]
    assert found == pytest.approx(expected, abs=1e-12)


def test_points_follow_a_deforming_surface() -> None:
    vertices = np.stack([square(), square(1.0), square(0.0, 2.0)])
    vertices[1, 2, 2] = 3.0
    terrain = Terrain([Surface(vertices, SQUARE)])
    inside = np.array([0.2, 0.3, 0.5]) @ vertices[:, SQUARE[0]]
    above = np.array([[0.1, -0.4, 0.25]])

    found = terrain.follow(np.zeros(2, int), inside[[0, 0]], np.zeros(2, int), np.array([1, 2]))
    lifted = terrain.follow(np.zeros(1, int), above, np.zeros(1, int), np.array([2]))

    assert found == pytest.approx(inside[1:], abs=1e-12)
    assert lifted == pytest.approx(np.array([[0.2, -0.8, 0.25]]), abs=1e-12)  # keeps its distance


def test_what_deforms_may_move_too_and_come_in_32_bits() -> None:
    shapes = np.stack([square(), square(0.5)])
    matrices = np.stack([np.eye(4), turn(0.4, move=(5.0, 0.0, 1.0))])
    moved = Terrain([Surface(shapes.astype(np.float32), SQUARE, matrices)])

    hits = below(moved, at((0.2, 0.1), (5.2, 0.1)), np.array([0, 1]))
    found = moved.follow(hits.triangle[:1], at((0.2, 0.0)), np.array([0]), np.array([1]))

    assert hits.height == pytest.approx(np.array([0.0, 1.5]))
    assert found[0] == pytest.approx((matrices[1] @ (0.2, 0.0, 0.5, 1.0))[:3])


def test_points_follow_the_triangles_that_a_region_leaves() -> None:
    vertices = np.concatenate([square(x=-9.0), square()])
    triangles = np.concatenate([SQUARE, SQUARE + 4])
    terrain = Terrain([Surface(np.stack([vertices, vertices + 1.0]), triangles)], square()[::2, :2])
    hits = below(terrain, at((0.3, -0.2), (-9.0, 0.0)))

    found = terrain.follow(hits.triangle[:1], at((0.3, -0.2)), np.array([0]), np.array([1]))

    assert hits.triangle.tolist() == [2, -1]
    assert found[0] == pytest.approx([1.3, 0.8, 1.0])


@pytest.mark.parametrize("deforms", [False, True])
def test_ground_that_moves_on_does_not_come_back(deforms: bool) -> None:
    way = np.array([0.0, 0.2, 0.0, 0.2, 0.4])  # there and back, then on

    def lifted(ways: Floats) -> Terrain:
        if deforms:
            return Terrain([Surface(np.stack([square(z) for z in ways]), SQUARE)])
        matrices = np.stack([turn(0.0, move=(0.0, 0.0, z)) for z in ways])
        return Terrain([Surface(square(), SQUARE, matrices), Surface(square(1.0), SQUARE)])

    assert lifted(way[:3]).comes_back(2, 1e-3)
    assert not lifted(way[:2]).comes_back(1, 1e-3)
    assert not lifted(way).comes_back(4, 1e-3)
    assert lifted(way).comes_back(4, 0.5)
    assert Terrain([Surface(square(), SQUARE)]).comes_back(7, 0.0)


def test_points_on_still_ground_stay() -> None:
    terrain = Terrain([Surface(square(), SQUARE), lift()])
    point = np.array([[0.1, 0.2, 0.0]])

    found = terrain.follow(np.array([1]), point, np.array([0]), np.array([3]))

    assert found.tolist() == point.tolist()
    assert terrain.moves(np.array([0, 1, 2, 3])).tolist() == [False, False, True, True]


def test_a_region_leaves_out_surfaces_that_are_never_in_it() -> None:
    region = np.array([[3.5, -1.0], [4.5, 1.0]])
    wave = np.stack([square(), square(1.0, x=4.0), square(2.0)])
    away = Surface(square(7.0, x=100.0), SQUARE, np.stack([np.eye(4)] * 3))
    terrain = Terrain([hills(8, size=6.0), lift(3), Surface(wave, SQUARE), away], np.array(region))

    inside = below(terrain, at((4.0, 0.2)), np.array([0, 1, 2])[:1])
    outside = below(terrain, at((-5.0, 0.2)))

    assert inside.triangle[0] >= 0
    assert outside.triangle[0] == -1
    assert below(terrain, at((100.0, 0.0))).triangle[0] == -1
    on_wave = below(terrain, at((4.0, 0.2)), 1)
    assert terrain.moves(on_wave.triangle).all()
    assert on_wave.triangle[0] >= 8 * 8 * 2 + 2  # numbers are those of all triangles


# Refusals.


@pytest.mark.parametrize(
    ("surfaces", "words"),
    [
        ([Surface(np.zeros((4, 2)), SQUARE)], "vertices are"),
        ([Surface(square(), np.array([[0, 1]]))], "triangles are"),
        ([Surface(square(), np.array([[0, 1, 4]]))], "from 0 to 3"),
        ([Surface(square(np.nan), SQUARE)], "finite"),
        ([Surface(square(), SQUARE, np.eye(4))], "matrices"),
        ([Surface(np.stack([square()] * 2), SQUARE, np.eye(4)[None])], "2 rows of vertices"),
        ([lift(3), lift(4)], "different numbers of frames"),
    ],
)
def test_wrong_surfaces_are_refused(surfaces: list[Surface], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Terrain(surfaces)


def test_wrong_queries_are_refused() -> None:
    terrain = Terrain([lift(3)])

    with pytest.raises(ValueError, match="rows 0 to 2"):
        below(terrain, at((0.0, 0.0)), 3)
    with pytest.raises(ValueError, match="do not match"):
        terrain.below(at((0.0, 0.0)), np.array([0, 1]), np.zeros(1))
    with pytest.raises(ValueError, match="numbered from 0 to 1"):
        terrain.moves(np.array([-1]))


# Without numba, and without Blender.

QUERIES = """
import sys, warnings
sys.modules["bpy"] = sys.modules["mathutils"] = None
warnings.simplefilter("ignore")
import numpy as np
from blender_bioik.motion.ground.terrain import Surface, Terrain
random = np.random.default_rng(3)
triangles = np.arange(90).reshape(-1, 3)
still = Surface(random.uniform(-1, 1, (90, 3)), triangles)
matrices = np.stack([np.eye(4)] * 4)
matrices[:, :3, :3] += random.uniform(-0.5, 0.5, (4, 3, 3))
rigid = Surface(random.uniform(-1, 1, (90, 3)), triangles, matrices)
soft = Surface(random.uniform(-1, 1, (4, 90, 3)), triangles)
points = random.uniform(-1, 1, (60, 3))
hits = Terrain([still, rigid, soft]).below(points, np.arange(60) % 4, points[:, 2])
print(hits.triangle.tolist(), hits.height.round(9).tolist(), hits.slope.round(6).tolist())
"""


def test_without_numba_and_blender_hits_are_the_same() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-P", "-c", QUERIES],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
            env=os.environ
            | {"PYTHONPATH": str(Path(blender_bioik.__file__).parents[1])}
            | environment,
        ).stdout
        for environment in ({}, {"BLENDER_BIOIK_NO_NUMBA": "1"})
    ]

    assert printed[0] == printed[1]
    assert printed[0].count("nan") < printed[0].count("0.")
