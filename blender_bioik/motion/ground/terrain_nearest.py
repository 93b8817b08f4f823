"""The compiled query: how far points are from the nearest of a tree's triangles."""

from __future__ import annotations

import math
from typing import Any

from ...solver.kernels.compiled import Floats, Ints, entry, kernel, pointer_to
from .terrain_query import Corners, transformed, triangle_at

Vector = tuple[float, float, float]


@entry
def nearest_within(
    boxes: Any,
    skip: Ints,
    leaf: Ints,
    corners: Ints,
    numbers: Ints,
    vertices: Floats,
    matrices: Floats,
    inverses: Floats,
    box_stride: int,
    vertex_stride: int,
    points: Floats,
    rows: Ints,
    distance: Floats,
) -> None:
    """Reduce distances (n,) of points (n, 3) where a triangle of a tree is nearer.

    The first ten arguments are those of `Tree`.
    """
    rigid = len(matrices) > 0
    nodes = len(skip)
    box, corner, vertex = pointer_to(boxes), pointer_to(corners), pointer_to(vertices)
    matrix, inverse = pointer_to(matrices), pointer_to(inverses)
    next_node, triangles = pointer_to(skip), pointer_to(leaf)
    for i in range(len(rows)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        row, best = rows[i], distance[i]
        first_box, first_vertex, m = row * box_stride, row * vertex_stride, row * 12
        inside, stretch = (x, y, z), 1.0
        if rigid:
            inside = transformed(inverse, m, x, y, z)
            stretch = _stretch(inverse, m)
        node = 0
        while node < nodes:
            if not _box_distance(box, first_box + 6 * node, inside) < best * stretch:
                node = next_node[node]
                continue
            for t in range(triangles[2 * node], triangles[2 * node + 1]):
                here = triangle_at(corner, 3 * t, vertex, first_vertex, matrix, m, rigid)
                best = min(best, _triangle_distance(here, (x, y, z)))
            node += 1
        distance[i] = best


@kernel
def _stretch(matrix: Floats, m: int) -> float:
    """A bound of how much longer a matrix makes vectors."""
    total = 0.0
    for row in range(3):
        for column in range(3):
            total += matrix[m + 4 * row + column] ** 2
    return math.sqrt(total)


@kernel
def _box_distance(box: Any, b: int, point: Vector) -> float:
    """Distance of a point from a box, 0 inside; NaN if the box is not there."""
    x, y, z = point
    dx = max(box[b] - x, x - box[b + 3], 0.0)
    dy = max(box[b + 1] - y, y - box[b + 4], 0.0)
    dz = max(box[b + 2] - z, z - box[b + 5], 0.0)
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def _triangle_distance(corners: Corners, point: Vector) -> float:
    """Distance of a point from a triangle; infinite if the triangle is not there."""
    ax, ay, az, bx, by, bz, cx, cy, cz = corners
    x, y, z = point
    px, py, pz = x - ax, y - ay, z - az
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx**2 + vy**2 + vz**2
    pu, pv = px * ux + py * uy + pz * uz, px * vx + py * vy + pz * vz
    area = uu * vv - uv * uv
    if area > 0.0:
        s, t = (vv * pu - uv * pv) / area, (uu * pv - uv * pu) / area
        if s >= 0.0 and t >= 0.0 and s + t <= 1.0:
            dx, dy, dz = px - s * ux - t * vx, py - s * uy - t * vy, pz - s * uz - t * vz
            return math.sqrt(dx * dx + dy * dy + dz * dz)
    nearest = min(
        _edge_distance((px, py, pz), (ux, uy, uz)),
        _edge_distance((px, py, pz), (vx, vy, vz)),
        _edge_distance((px - ux, py - uy, pz - uz), (vx - ux, vy - uy, vz - uz)),
    )
    return nearest if nearest >= 0.0 else math.inf  # not where it is NaN


@kernel
def _edge_distance(point: Vector, edge: Vector) -> float:
    """Distance of a point from an edge, both relative to the edge's first end."""
    x, y, z = point
    ex, ey, ez = edge
    square = ex * ex + ey * ey + ez * ez
    share = (x * ex + y * ey + z * ez) / square if square > 0.0 else 0.0
    share = min(max(share, 0.0), 1.0)
    dx, dy, dz = x - share * ex, y - share * ey, z - share * ez
    return math.sqrt(dx * dx + dy * dy + dz * dz)
