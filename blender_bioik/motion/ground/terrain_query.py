"""The compiled query: the highest of a tree's triangles below ceilings, for many points at once."""

from __future__ import annotations

import math
from typing import Any

from ...solver.kernels.compiled import Floats, Ints, entry, kernel, pointer_to

# Heights this close, in metres, are the same; then the triangle of the lower number counts.
SAME = 1e-9
Ray = tuple[float, float, float, float, float, float]
Corners = tuple[float, float, float, float, float, float, float, float, float]


@entry
def highest_below(
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
    ceiling: Floats,
    margin: float,
    height: Floats,
    slope: Floats,
    triangle: Ints,
) -> None:
    """Update height, slope (2 n,) and triangle (n,) with a tree's triangles below the ceilings.

    The first ten arguments are those of `Tree`. Height is -inf, and triangle -1, where there is no
    ground so far.
    """
    rigid = len(matrices) > 0
    nodes = len(skip)
    box, corner, vertex = pointer_to(boxes), pointer_to(corners), pointer_to(vertices)
    matrix, inverse = pointer_to(matrices), pointer_to(inverses)
    next_node, triangles = pointer_to(skip), pointer_to(leaf)
    for i in range(len(rows)):
        x, y, top = points[i, 0], points[i, 1], ceiling[i]
        row = rows[i]
        best, number, ground = height[i], triangle[i], -1
        first_box, first_vertex, m = row * box_stride, row * vertex_stride, row * 12
        ray = _ray(inverse, m, x, y, rigid)
        node = 0
        while node < nodes:
            b = first_box + 6 * node
            if rigid:
                met = _ray_meets(box, b, ray, top, best - SAME)
            else:
                # One branch instead of six: which of them fails is hard to predict.
                met = (
                    (box[b] <= x)
                    & (x <= box[b + 3])
                    & (box[b + 1] <= y)
                    & (y <= box[b + 4])
                    & (box[b + 2] <= top)
                    & (box[b + 5] >= best - SAME)
                )
            if not met:
                node = next_node[node]
                continue
            for t in range(triangles[2 * node], triangles[2 * node + 1]):
                here = triangle_at(corner, 3 * t, vertex, first_vertex, matrix, m, rigid)
                z = _height_at(here, x, y, margin)
                if not z <= top:  # also where it is NaN
                    continue
                if z > best + SAME or (z > best - SAME and numbers[t] < number):
                    best, number, ground = z, numbers[t], t
            node += 1
        if ground >= 0:
            here = triangle_at(corner, 3 * ground, vertex, first_vertex, matrix, m, rigid)
            height[i], triangle[i] = best, number
            slope[2 * i], slope[2 * i + 1] = _slope_of(here)


@kernel
def _ray(inverse: Floats, m: int, x: float, y: float, rigid: bool) -> Ray:
    """Place at height 0 of the vertical through (x, y), and its change per metre of height."""
    if not rigid:
        return x, y, 0.0, 0.0, 0.0, 1.0
    return (
        inverse[m] * x + inverse[m + 1] * y + inverse[m + 3],
        inverse[m + 4] * x + inverse[m + 5] * y + inverse[m + 7],
        inverse[m + 8] * x + inverse[m + 9] * y + inverse[m + 11],
        inverse[m + 2],
        inverse[m + 6],
        inverse[m + 10],
    )


@kernel
def _ray_meets(box: Any, b: int, ray: Ray, top: float, bottom: float) -> bool:
    """Whether a ray meets a box of a rigid body between two heights."""
    x, y, z, dx, dy, dz = ray
    low, high = _within(box[b], box[b + 3], x, dx, bottom, top)
    low, high = _within(box[b + 1], box[b + 4], y, dy, low, high)
    low, high = _within(box[b + 2], box[b + 5], z, dz, low, high)
    return low <= high


@kernel
def _within(
    start: float, stop: float, at: float, rise: float, low: float, high: float
) -> tuple[float, float]:
    """The part of a range of heights in which a ray is between two planes."""
    if abs(rise) < 1e-12:  # it never crosses them
        return (low, high) if start <= at <= stop else (math.inf, -math.inf)
    one, other = (start - at) / rise, (stop - at) / rise
    return max(low, min(one, other)), min(high, max(one, other))


@kernel
def triangle_at(
    corner: Ints, c: int, vertex: Floats, first: int, matrix: Floats, m: int, rigid: bool
) -> Corners:
    """World places of a triangle's corners."""
    a, b, d = first + 3 * corner[c], first + 3 * corner[c + 1], first + 3 * corner[c + 2]
    ax, ay, az = vertex[a], vertex[a + 1], vertex[a + 2]
    bx, by, bz = vertex[b], vertex[b + 1], vertex[b + 2]
    cx, cy, cz = vertex[d], vertex[d + 1], vertex[d + 2]
    if rigid:
        ax, ay, az = transformed(matrix, m, ax, ay, az)
        bx, by, bz = transformed(matrix, m, bx, by, bz)
        cx, cy, cz = transformed(matrix, m, cx, cy, cz)
    return ax, ay, az, bx, by, bz, cx, cy, cz


@kernel
def transformed(matrix: Floats, m: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A point moved by the first three rows of a matrix."""
    return (
        matrix[m] * x + matrix[m + 1] * y + matrix[m + 2] * z + matrix[m + 3],
        matrix[m + 4] * x + matrix[m + 5] * y + matrix[m + 6] * z + matrix[m + 7],
        matrix[m + 8] * x + matrix[m + 9] * y + matrix[m + 10] * z + matrix[m + 11],
    )


@kernel
def _height_at(
    corners: Corners,
    x: float,
    y: float,
    margin: float,
) -> float:
    """Height of a triangle at (x, y); NaN if outside of it, or if it is narrow in plan view."""
    ax, ay, az, bx, by, bz, cx, cy, cz = corners
    # At sharp corners the margins of the edges reach far beyond the triangle.
    if not (
        min(ax, bx, cx) - margin <= x <= max(ax, bx, cx) + margin
        and min(ay, by, cy) - margin <= y <= max(ay, by, cy) + margin
    ):
        return math.nan
    ax, ay, bx, by, cx, cy = ax - x, ay - y, bx - x, by - y, cx - x, cy - y
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    side = 1.0 if area > 0.0 else -1.0
    of_a, of_b, of_c = (
        side * (bx * cy - by * cx),
        side * (cx * ay - cy * ax),
        side * (ax * by - ay * bx),
    )
    edge_a = (cx - bx) ** 2 + (cy - by) ** 2
    edge_b = (ax - cx) ** 2 + (ay - cy) ** 2
    edge_c = (bx - ax) ** 2 + (by - ay) ** 2
    near = margin * margin
    if area * area <= near * max(edge_a, edge_b, edge_c):
        return math.nan
    if (
        (of_a < 0.0 and of_a * of_a > near * edge_a)
        or (of_b < 0.0 and of_b * of_b > near * edge_b)
        or (of_c < 0.0 and of_c * of_c > near * edge_c)
    ):
        return math.nan
    z = (of_a * az + of_b * bz + of_c * cz) / (of_a + of_b + of_c)
    return min(max(z, min(az, bz, cz)), max(az, bz, cz))


@kernel
def _slope_of(
    corners: Corners,
) -> tuple[float, float]:
    ax, ay, az, bx, by, bz, cx, cy, cz = corners
    bx, by, bz, cx, cy, cz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    area = bx * cy - by * cx
    return (bz * cy - by * cz) / area, (bx * cz - bz * cx) / area
