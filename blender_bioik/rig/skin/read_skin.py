"""Reading the skin of an armature: all meshes that it carries as one, in its rest pose."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain

import bpy
import numpy as np
from numpy.typing import NDArray

from ...motion.feet import Ints
from ...motion.measure.skin import Skin
from ..clip.skeleton import Skeleton
from ..transforms import Floats
from .bound_meshes import bound_meshes, carried_bones, carrier, why_inexact

# Blender leaves vertices alone whose weights sum up to less.
LEAST_WEIGHT = 1e-4


@dataclass(frozen=True, eq=False)
class ReadSkin:
    """The skin of an armature.

    Attributes:
        skin: The skin.
        names: Names of the meshes.
        inexact: Meshes that have to be evaluated by Blender, with the reasons.
        bare: Whether there is no mesh and the ends of bones stand for it.
    """

    skin: Skin
    names: tuple[str, ...]
    inexact: dict[str, str]
    bare: bool = False


def read_skin(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    moved: Collection[int] = (),
) -> ReadSkin | None:
    """Read the meshes that an armature carries; None if there are none.

    Args:
        scene: The scene whose meshes count.
        armature_object: The armature.
        skeleton: Its bones.
        moved: Indices of bones whose channels determine their poses, whatever their constraints.
    """
    meshes = bound_meshes(scene, armature_object)
    carried = carried_bones(armature_object, skeleton, moved)
    read = [_read_mesh(mesh, armature_object, skeleton) for mesh in meshes]
    if not sum(len(places) for places, *_ in read):
        return None
    inexact = {
        mesh.name: reason
        for mesh in meshes
        if (reason := why_inexact(scene, mesh, armature_object, skeleton, carried))
    }
    starts = np.cumsum([0, *(len(places) for places, *_ in read)])
    vertex, bone, weights = (
        np.concatenate([np.asarray(mesh[1 + k]) for mesh in read]) for k in range(3)
    )
    counts = [len(mesh[1]) for mesh in read]
    vertex = vertex + np.repeat(starts[:-1], counts)
    edges = np.concatenate([mesh[4] + start for mesh, start in zip(read, starts, strict=False)])
    skin = Skin(
        np.concatenate([mesh[0] for mesh in read]),
        weights,
        vertex,
        bone,
        edges,
        np.repeat(np.arange(len(meshes)), np.diff(starts)),
    )
    return ReadSkin(skin, tuple(mesh.name for mesh in meshes), inexact)


def _read_mesh(
    mesh: bpy.types.Object, armature_object: bpy.types.Object, skeleton: Skeleton
) -> tuple[Floats, Ints, Ints, Floats, Ints]:
    """Places, the vertex, bone and weight of each of its weights, and edges of a mesh."""
    data = mesh.data
    flat = np.empty(3 * len(data.vertices), np.float32)
    data.vertices.foreach_get("co", flat)
    to_armature = rest_matrix(armature_object, mesh)
    places = flat.reshape(-1, 3).astype(float) @ to_armature[:3, :3].T + to_armature[:3, 3]
    edges = np.empty(2 * len(data.edges), np.int32)
    data.edges.foreach_get("vertices", edges)
    count, alone = len(places), len(skeleton)
    if (on_bone := carrier(mesh, armature_object)) is not None:
        number = skeleton.index.get(on_bone, alone)
        vertex, bone, weight = np.arange(count), np.full(count, number), np.ones(count)
    else:
        vertex, bone, weight = _weights(data, _deforming(mesh, armature_object, skeleton))
        total = np.bincount(vertex, weight, minlength=count)
        held = total > LEAST_WEIGHT
        kept = held[vertex]
        vertex, bone, weight = vertex[kept], bone[kept], weight[kept] / total[vertex[kept]]
        free = np.flatnonzero(~held)
        vertex = np.concatenate([vertex, free])
        bone = np.concatenate([bone, np.full(len(free), alone)])
        weight = np.concatenate([weight, np.ones(len(free))])
        order = np.argsort(vertex, kind="stable")
        vertex, bone, weight = vertex[order], bone[order], weight[order]
    return places, vertex, bone, weight, edges.reshape(-1, 2).astype(np.int64)


def _deforming(
    mesh: bpy.types.Object, armature_object: bpy.types.Object, skeleton: Skeleton
) -> Mapping[int, int]:
    """The bone of each vertex group that deforms a mesh."""
    bones = armature_object.data.bones
    return {
        group.index: skeleton.index[group.name]
        for group in mesh.vertex_groups
        if group.name in skeleton.index and bones[group.name].use_deform
    }


def _weights(
    data: bpy.types.Mesh, bones: Mapping[int, int]
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """The vertex, bone and weight of all weights above zero of some groups."""
    counts = [len(vertex.groups) for vertex in data.vertices]
    entries = list(chain.from_iterable(vertex.groups for vertex in data.vertices))
    group = np.array([entry.group for entry in entries], np.int64)
    weight = np.array([entry.weight for entry in entries], float)
    of_group = np.full(max([0, *group, *bones]) + 1, -1)
    for number, bone in bones.items():
        of_group[number] = bone
    found = of_group[group] if len(group) else group
    kept = (found >= 0) & (weight > 0.0)
    return np.repeat(np.arange(len(counts)), counts)[kept], found[kept], weight[kept]


def rest_matrix(armature_object: bpy.types.Object, thing: bpy.types.Object) -> Floats:
    """From an object's space to that of the armature, in the rest pose; (4, 4)."""
    if thing.parent is None:
        to_armature = armature_object.matrix_world.inverted_safe()
        return np.array(to_armature @ thing.matrix_world, float)
    own = np.array(thing.matrix_parent_inverse @ thing.matrix_basis, float)
    if thing.parent != armature_object:
        return np.asarray(rest_matrix(armature_object, thing.parent) @ own)
    bone = armature_object.data.bones.get(thing.parent_bone)
    if thing.parent_type != "BONE" or bone is None:
        return own
    # Children of bones are relative to the tail.
    tail = np.eye(4)
    tail[1, 3] = bone.length
    return np.asarray(np.array(bone.matrix_local, float) @ tail @ own)
