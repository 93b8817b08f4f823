"""The surface of an object that hands go to, as it is evaluated now; world space, metres."""

from __future__ import annotations

from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

# Faces so much further away than the nearest one are as near, as a share of the object's size.
AS_NEAR = 1e-4


class Spot(NamedTuple):
    """A place on a surface.

    Attributes:
        point: Where it is.
        normal: Out of the surface, of length one.
    """

    point: Vector
    normal: Vector


class Surface:
    """The faces of an object; objects without faces are a point."""

    def __init__(self, context: bpy.types.Context, thing: bpy.types.Object) -> None:
        """Of an object as it is evaluated in the current frame."""
        self.thing = thing
        places, faces = _faces(context, thing)
        self._closed = _is_closed(faces)
        self._places, self._faces = places, faces
        self._tree = BVHTree.FromPolygons(places, faces) if faces else None
        corners = np.array(places) if faces else np.array([thing.matrix_world.translation])
        self.lowest, self.highest = Vector(corners.min(axis=0)), Vector(corners.max(axis=0))

    @property
    def size(self) -> float:
        """Its diagonal."""
        return float((self.highest - self.lowest).length)

    @property
    def middle(self) -> Vector:
        """The middle of its box."""
        return (self.lowest + self.highest) / 2.0

    def nearest(self, place: Vector, room: float = 0.0) -> Spot:
        """The spot that is nearest to a place and, on its face, away from edges by some room."""
        if self._tree is None:
            point = self.middle
            return Spot(point, (place - point).normalized() or Vector((0.0, 0.0, 1.0)))
        point, _, face, away = self._tree.find_nearest(place)
        way = place - point
        near = self._tree.find_nearest_range(place, away + AS_NEAR * self.size)
        if near and way.length > 0.0:  # at an edge, the face that faces the place
            point, _, face, _ = max(near, key=lambda found: abs(found[1].dot(way)))
        normal = self._normal(face, way)
        corners = [Vector(self._places[corner]) for corner in self._faces[face]]
        inwards = sum(corners, Vector()) / len(corners) - point
        inwards -= inwards.dot(normal) * normal
        if inwards.length > 0.0:
            point = point + inwards.normalized() * min(room, inwards.length)
        return Spot(point, normal)

    def from_outside(self, way: Vector) -> Spot | None:
        """Where something that comes from outside along a way to the middle touches it first."""
        if self._tree is None:
            return None
        start = self.middle - way.normalized() * (self.size + 1.0)
        point, _, face, _ = self._tree.ray_cast(start, way.normalized())
        return None if point is None else Spot(point, self._normal(face, -way))

    def _normal(self, face: int, towards: Vector) -> Vector:
        """The normal of a face; of open surfaces such as a plane, on the side of something."""
        corners = [Vector(self._places[corner]) for corner in self._faces[face]]
        normal = _area_normal(corners)
        return -normal if not self._closed and normal.dot(towards) < 0.0 else normal


def _faces(
    context: bpy.types.Context, thing: bpy.types.Object
) -> tuple[list[Vector], list[tuple[int, ...]]]:
    """Vertices in the world, and faces with outward normals, of an evaluated object."""
    if thing.type not in {"MESH", "CURVE", "SURFACE", "FONT", "META"}:
        return [], []
    evaluated = thing.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        if mesh is None:
            return [], []
        world: Matrix = evaluated.matrix_world
        mirrored = world.to_3x3().determinant() < 0.0
        faces = [tuple(face.vertices) for face in mesh.polygons]
        return (
            [world @ vertex.co for vertex in mesh.vertices],
            [face[::-1] for face in faces] if mirrored else faces,
        )
    finally:
        evaluated.to_mesh_clear()


def _is_closed(faces: list[tuple[int, ...]]) -> bool:
    """Whether every edge has two faces."""
    counts: dict[tuple[int, int], int] = {}
    for face in faces:
        for one, other in zip(face, (*face[1:], face[0]), strict=True):
            edge = (min(one, other), max(one, other))
            counts[edge] = counts.get(edge, 0) + 1
    return bool(counts) and set(counts.values()) == {2}


def _area_normal(corners: list[Vector]) -> Vector:
    """The normal of a face with any number of corners."""
    total = Vector()
    for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
        total += one.cross(other)
    return total.normalized() if total.length > 0.0 else Vector((0.0, 0.0, 1.0))
