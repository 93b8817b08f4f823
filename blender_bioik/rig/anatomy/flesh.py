"""The flesh of bones: the outermost points of what each carries in the rest pose."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import bpy
import numpy as np
from numpy.typing import NDArray

from ..skin.bound_meshes import armature_modifiers, carrier
from ..skin.read_skin import rest_matrix

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Vertices read of a mesh; more would not move its outermost points by much.
_MOST = 6000
# The axes, and the diagonals between them: (26, 3).
DIRECTIONS = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]


def carried_meshes(armature_object: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that an armature deforms or carries, wherever they are shown."""
    return [
        thing
        for thing in bpy.data.objects
        if thing.type == "MESH"
        and (carrier(thing, armature_object) or armature_modifiers(thing, armature_object))
    ]


def read_flesh(armature_object: bpy.types.Object, index: Mapping[str, int]) -> Floats:
    """Outermost points of each bone's vertices in armature space; (n, 26, 3), NaN without any.

    Args:
        armature_object: The armature.
        index: Number of each of its bones.
    """
    places, bones = [np.empty((0, 3))], [np.empty(0, np.int64)]
    for mesh in carried_meshes(armature_object):
        own, of_bone = _read_mesh(mesh, armature_object, index)
        places.append(own)
        bones.append(of_bone)
    return outermost(np.concatenate(places), np.concatenate(bones), len(index))


def outermost(places: Floats, bones: Ints, count: int) -> Floats:
    """For each of `count` bones its points that are furthest in each direction; (n, 26, 3)."""
    found = np.full((count, len(DIRECTIONS), 3), np.nan)
    for bone in np.unique(bones):
        own = places[bones == bone]
        found[bone] = own[np.argmax(own @ DIRECTIONS.T, axis=0)]
    return found


def _read_mesh(
    mesh: bpy.types.Object, armature_object: bpy.types.Object, index: Mapping[str, int]
) -> tuple[Floats, Ints]:
    """Places of some of a mesh's vertices, and the bone that has most of each."""
    flat = np.empty(3 * len(mesh.data.vertices), np.float32)
    mesh.data.vertices.foreach_get("co", flat)
    chosen = range(0, len(flat) // 3, 1 + len(flat) // 3 // _MOST)
    on_bone = carrier(mesh, armature_object)
    if on_bone is not None:
        owner = np.full(len(chosen), index.get(on_bone, -1))
    else:
        owner = np.array(_owners(mesh, armature_object, index, chosen), np.int64)
    matrix = rest_matrix(armature_object, mesh)
    places = flat.reshape(-1, 3)[list(chosen)].astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    return places[owner >= 0], owner[owner >= 0]


def _owners(
    mesh: bpy.types.Object,
    armature_object: bpy.types.Object,
    index: Mapping[str, int],
    vertices: range,
) -> list[int]:
    """The bone with most of each vertex, -1 if none has any."""
    bones = armature_object.data.bones
    of_group = {
        group.index: index[group.name]
        for group in mesh.vertex_groups
        if group.name in index and bones[group.name].use_deform
    }
    every = mesh.data.vertices
    found = []
    for number in vertices:
        weights = [
            (entry.weight, of_group[entry.group])
            for entry in every[number].groups
            if entry.group in of_group
        ]
        weight, bone = max(weights, default=(0.0, -1))
        found.append(bone if weight > 0.0 else -1)
    return found
