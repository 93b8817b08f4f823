"""Rays onto the grounds of a scene, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# A ray exactly onto the edge between two faces may miss both.
_NUDGES = (Vector((0.0, 0.0, 0.0)), Vector((1.3e-5, 1.7e-5, 0.0)))


class GroundRays:
    """Heights of evaluated grounds that may move but not deform, over frames."""

    def __init__(
        self, scene: bpy.types.Scene, grounds: Sequence[bpy.types.Object], frames: Sequence[int]
    ) -> None:
        self._trees = [_tree(ground) for ground in grounds]
        self._places: list[list[Matrix]] = []
        for frame in frames:
            scene.frame_set(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            self._places.append(
                [ground.evaluated_get(depsgraph).matrix_world.copy() for ground in grounds]
            )

    def heights(self, points: Floats, tops: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Height of the ground below points, and the index of the ground it belongs to.

        Args:
            points: (feet, f, k, 3).
            tops: (feet, f) heights from which to look down.

        Returns:
            (feet, f, k) heights, NaN without ground, and indices, -1 without ground.
        """
        heights = np.full(points.shape[:3], np.nan)
        below = np.full(points.shape[:3], -1)
        for foot, row in np.ndindex(points.shape[:2]):
            tops_of = np.maximum(tops[foot, row], points[foot, row, :, 2] + 0.05)
            from_above = np.column_stack([points[foot, row, :, :2], tops_of]).tolist()
            found, own = heights[foot, row], below[foot, row]
            for index, tree in enumerate(self._trees):
                cast = _caster(tree, self._places[row][index])
                for point, top in enumerate(from_above):
                    height = cast(Vector(top))
                    if height is not None and not height <= found[point]:
                        found[point], own[point] = height, index
        return heights, below

    def way_out(self, row: int, point: Floats) -> float:
        """Shortest way from a point (3,) to the surface of any ground in a row."""
        ways = [np.inf]
        for tree, place in zip(self._trees, self._places[row], strict=True):
            hit = tree.find_nearest(place.inverted() @ Vector(point))[0]
            if hit is not None:
                ways.append((place @ hit - Vector(point)).length)
        return float(min(ways))

    def at_rest(self, path: Floats, index: int, rows: slice) -> Floats:
        """A path (rows, 3) as it is to one who stands on a ground, in world axes."""
        if index < 0:
            return path
        places = [np.array(each[index]) for each in self._places[rows]]
        middle = places[len(places) // 2]
        homogeneous = np.concatenate([path, np.ones((len(path), 1))], axis=1)
        local = np.linalg.solve(np.array(places), homogeneous[..., None])
        return np.asarray((middle @ local)[:, :3, 0], float)


def _tree(ground: bpy.types.Object) -> BVHTree:
    evaluated = ground.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    corners = [vertex.co.copy() for vertex in mesh.vertices]
    triangles = [tuple(triangle.vertices) for triangle in mesh.loop_triangles]
    evaluated.to_mesh_clear()
    return BVHTree.FromPolygons(corners, triangles, all_triangles=True)


def _caster(tree: BVHTree, place: Matrix) -> Callable[[Vector], float | None]:
    """Heights of a ground that is somewhere, below points; None beside it."""
    inverse = place.inverted()
    down = (inverse.to_3x3() @ Vector((0.0, 0.0, -1.0))).normalized()

    def cast(top: Vector) -> float | None:
        for nudge in _NUDGES:
            hit = tree.ray_cast(inverse @ (top + nudge), down)[0]
            if hit is not None:
                return float((place @ hit).z)
        return None

    return cast
