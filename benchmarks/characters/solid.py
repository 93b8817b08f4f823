"""How deep points are in grounds: planes and hills, stairs, boxes and rungs.

A point is in a ground if the first thing above it is the upper side of a face: it is below a
surface that one stands on. What is under a box or a rung is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UP = Vector((0.0, 0.0, 1.0))
# A ray exactly onto the edge between two faces may miss both.
NUDGE = 1.3e-5, 1.7e-5


class Solid:
    """Grounds that do not move."""

    def __init__(self, grounds: Sequence[bpy.types.Object]) -> None:
        self._tree, self.top = _tree(grounds)

    def depths(self, points: Floats) -> Floats:
        """How deep each point (..., 3) is in the ground; 0 outside.

        The way out is the shortest one: a toe in a riser is as deep as it is behind its face.
        """
        flat = points.reshape(-1, 3)
        found = np.zeros(len(flat))
        for index in np.flatnonzero(flat[:, 2] < self.top):
            found[index] = self._depth(Vector(flat[index]))
        return found.reshape(points.shape[:-1])

    def height(self, point: Floats, start: float) -> float:
        """Height of the ground below a start over a point; NaN without ground."""
        hit = self._tree.ray_cast(Vector((point[0] + NUDGE[0], point[1] + NUDGE[1], start)), -UP)[0]
        return float("nan") if hit is None else float(hit.z)

    def gap(self, points: Floats, start: float) -> float:
        """Least height of points (n, 3) over the ground below them; infinite without ground."""
        heights = [point[2] - self.height(point, point[2] + start) for point in points]
        return float(np.nanmin([*heights, np.inf]))

    def distance(self, points: Floats) -> float:
        """Distance of the nearest of points (n, 3) from a surface."""
        return min(float(self._tree.find_nearest(Vector(point))[3]) for point in points)

    def _depth(self, point: Vector) -> float:
        above = point + Vector((*NUDGE, 0.0))
        hit, normal, _, distance = self._tree.ray_cast(above, UP)
        if hit is None or normal.z <= 0.0:
            return 0.0
        nearest = self._tree.find_nearest(point)[3]
        return float(min(distance, nearest))


def _tree(grounds: Sequence[bpy.types.Object]) -> tuple[BVHTree, float]:
    """Triangles of all grounds; those that lie as sheets have their upper side up."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    corners: list[Vector] = []
    triangles: list[tuple[int, ...]] = []
    for ground in grounds:
        evaluated = ground.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        mesh.calc_loop_triangles()
        place: Matrix = evaluated.matrix_world
        first = len(corners)
        corners += [place @ vertex.co for vertex in mesh.vertices]
        triangles += [tuple(first + i for i in each.vertices) for each in mesh.loop_triangles]
        evaluated.to_mesh_clear()
    tree = BVHTree.FromPolygons(corners, triangles, all_triangles=True)
    return tree, max(corner.z for corner in corners)
