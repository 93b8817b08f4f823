"""The compiled query: the highest of a tree's triangles below ceilings, for many points at once."""

from __future__ import annotations

import math
from typing import Any

from ..solver.compiled import Floats, Ints, entry, kernel, pointer_to

# Heights this close, in metres, are the same; then the triangle of the lower number counts.
SAME = 1e-9


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
    """Raise height, slope (2 n,) and triangle (n,) to what a tree has below the ceilings.

    The first ten arguments are those of `Tree`. Height is -inf, and triangle -1, where nothing was
    found before.
    """
    rigid = len(matrices) > 0
    box, corner, vertex = pointer_to(boxes), pointer_to(corners), pointer_to(vertices)
    matrix, inverse = pointer_to(matrices), pointer_to(inverses)
    next_node, triangles = pointer_to(skip), pointer_to(leaf)
    for i in range(len(rows)):
        x, y, top = points[i, 0], points[i, 1], ceiling[i]
        row = rows[i]
        best, number, ground = height[i], triangle[i], -1
        first_box, first_vertex, m = row * box_stride, row * vertex_stride, row * 12
        node = 0
        while node < len(skip):
            b = first_box + 6 * node
            if rigid:
                met = _ray_meets(box, b, inverse, m, x, y, top, best - SAME)
            else:
                met = (
                    box[b] <= x <= box[b + 3]
                    and box[b + 1] <= y <= box[b + 4]
                    and box[b + 2] <= top
                    and box[b + 5] >= best - SAME
                )
            if not met:
                node = next_node[node]
                continue
            for t in range(triangles[2 * node], triangles[2 * node + 1]):
                here = _corners(corner, 3 * t, vertex, first_vertex, matrix, m, rigid)
                z = _height_at(here, x, y, margin)
                if not z <= top:  # also where it is NaN
                    continue
                if z > best + SAME or (z > best - SAME and numbers[t] < number):
                    best, number, ground = z, numbers[t], t
            node += 1
        if ground >= 0:
            here = _corners(corner, 3 * ground, vertex, first_vertex, matrix, m, rigid)
            height[i], triangle[i] = best, number
            slope[2 * i], slope[2 * i + 1] = _slope_of(here)


@kernel
def _ray_meets(
    box: Any,
    b: int,
    inverse: Floats,
    m: int,
    x: float,
    y: float,
    top: float,
    bottom: float,
) -> bool:
    """Whether the vertical through (x, y), between two heights, meets a box of a rigid body."""
    low, high = bottom, top
    for k in range(3):
        at = m + 4 * k
        start = inverse[at] * x + inverse[at + 1] * y + inverse[at + 3]
        rise = inverse[at + 2]
        if abs(rise) < 1e-12:
            if not box[b + k] <= start <= box[b + 3 + k]:
                return False
            continue
        one, other = (box[b + k] - start) / rise, (box[b + 3 + k] - start) / rise
        low, high = max(low, min(one, other)), min(high, max(one, other))
    return low <= high


@kernel
def _corners(
    corner: Ints, c: int, vertex: Floats, first: int, matrix: Floats, m: int, rigid: bool
) -> tuple[float, float, float, float, float, float, float, float, float]:
    """World places of a triangle's corners."""
    a, b, d = first + 3 * corner[c], first + 3 * corner[c + 1], first + 3 * corner[c + 2]
    ax, ay, az = vertex[a], vertex[a + 1], vertex[a + 2]
    bx, by, bz = vertex[b], vertex[b + 1], vertex[b + 2]
    cx, cy, cz = vertex[d], vertex[d + 1], vertex[d + 2]
    if rigid:
        ax, ay, az = _transformed(matrix, m, ax, ay, az)
        bx, by, bz = _transformed(matrix, m, bx, by, bz)
        cx, cy, cz = _transformed(matrix, m, cx, cy, cz)
    return ax, ay, az, bx, by, bz, cx, cy, cz


@kernel
def _transformed(
    matrix: Floats, m: int, x: float, y: float, z: float
) -> tuple[float, float, float]:
    return (
        matrix[m] * x + matrix[m + 1] * y + matrix[m + 2] * z + matrix[m + 3],
        matrix[m + 4] * x + matrix[m + 5] * y + matrix[m + 6] * z + matrix[m + 7],
        matrix[m + 8] * x + matrix[m + 9] * y + matrix[m + 10] * z + matrix[m + 11],
    )


@kernel
def _height_at(
    corners: tuple[float, float, float, float, float, float, float, float, float],
    x: float,
    y: float,
    margin: float,
) -> float:
    """Height of a triangle at (x, y); NaN if that is beside it, or if it is narrow in plan view."""
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
    corners: tuple[float, float, float, float, float, float, float, float, float],
) -> tuple[float, float]:
    ax, ay, az, bx, by, bz, cx, cy, cz = corners
    bx, by, bz, cx, cy, cz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    area = bx * cy - by * cx
    return (bz * cy - by * cz) / area, (bx * cz - bz * cx) / area
