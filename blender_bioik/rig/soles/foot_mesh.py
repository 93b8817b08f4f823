"""Vertices that feet carry, of skinned meshes and of meshes parented to bones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..clip.skeleton import Skeleton
from ..transforms import Floats
from .foot_bones import FootBones, below
from .tuning import SOLE_MESH


@dataclass(frozen=True, eq=False)
class Skin:
    """Vertices and the bones that deform them.

    Attributes:
        rest: Their places in the rest pose, in armature space; (n, 3).
        bones: Indices of bones in the skeleton; (b,).
        weights: Share that each bone has of a vertex; (n, b).
    """

    rest: Floats
    bones: NDArray[np.intp]
    weights: Floats

    def __len__(self) -> int:
        return len(self.rest)

    def some(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Skin:
        """Some of the vertices."""
        return Skin(self.rest[which], self.bones, self.weights[which])

    def posed(self, skeleton: Skeleton, poses: Floats) -> Floats:
        """Places (f, n, 3) in armature space for bone matrices (f, all bones, 4, 4)."""
        deform = poses[:, self.bones] @ skeleton.inverse_rest[self.bones]
        at_rest = np.concatenate([self.rest, np.ones((len(self.rest), 1))], axis=1)
        return np.asarray(
            np.einsum("nb,fbij,nj->fni", self.weights, deform[..., :3, :], at_rest, optimize=True)
        )


def mesh_skins(armature_object: bpy.types.Object, skeleton: Skeleton) -> list[Skin]:
    """All meshes that the armature deforms or its bones carry."""
    return [
        _skin(armature_object, skeleton, mesh)
        for mesh in bpy.data.objects
        if mesh.type == "MESH" and mesh.users_scene and _is_bound(mesh, armature_object)
    ]


def foot_skins(
    armature_object: bpy.types.Object, skeleton: Skeleton, feet: Sequence[FootBones]
) -> list[Skin]:
    """What each foot carries of all meshes: vertices of which its bones have more than half.

    Where no mesh follows a foot's own bones, they may be controls: then the bones count that begin
    at the same joints and deform a mesh.
    """
    skins = mesh_skins(armature_object, skeleton)
    found = []
    for foot in feet:
        own = _joined([_carried(skin, _own(skeleton, foot)) for skin in skins])
        if not len(own):
            deforming = _deforming(armature_object, skeleton, foot)
            own = _joined([_carried(skin, deforming) for skin in skins])
        found.append(own)
    return found


def _own(skeleton: Skeleton, foot: FootBones) -> set[int]:
    """The foot, its toe and all bones below them."""
    tops = [skeleton.index[bone] for bone in (foot.foot, foot.toe) if bone is not None]
    return {bone for top in tops for bone in (top, *below(skeleton, top))}


def _deforming(armature_object: bpy.types.Object, skeleton: Skeleton, foot: FootBones) -> set[int]:
    """Bones that deform meshes and begin where foot and toe do, and all bones below them."""
    heads = skeleton.rest[:, :3, 3]
    joints = heads[[skeleton.index[b] for b in (foot.foot, foot.toe) if b]]
    apart = np.linalg.norm(heads[:, None] - joints, axis=-1).min(axis=1)
    found: set[int] = set()
    for bone in np.flatnonzero(apart < SOLE_MESH.same_place * foot.leg):
        if armature_object.data.bones[skeleton.names[bone]].use_deform:
            found |= {int(bone), *below(skeleton, int(bone))}
    return found


def _carried(skin: Skin, bones: set[int]) -> Skin:
    """The vertices of which some bones have more than half."""
    own = skin.weights[:, np.isin(skin.bones, list(bones))].sum(axis=1)
    return skin.some(own > 0.5)


def _joined(skins: Sequence[Skin]) -> Skin:
    """All vertices of some skins, with the bones that any of them follows."""
    skins = [skin for skin in skins if len(skin)]
    bones = np.unique(np.concatenate([np.empty(0, np.intp), *(skin.bones for skin in skins)]))
    weights = [np.zeros((len(skin), len(bones))) for skin in skins]
    for skin, each in zip(skins, weights, strict=True):
        each[:, np.searchsorted(bones, skin.bones)] = skin.weights
    used = np.concatenate([np.zeros((0, len(bones))), *weights])
    kept = used.any(axis=0)
    rest = np.concatenate([np.empty((0, 3)), *(skin.rest for skin in skins)])
    return Skin(rest, bones[kept], used[:, kept])


def _is_bound(mesh: bpy.types.Object, armature_object: bpy.types.Object) -> bool:
    return _carrier(mesh, armature_object) is not None or any(
        modifier.type == "ARMATURE" and modifier.object == armature_object
        for modifier in mesh.modifiers
    )


def _carrier(mesh: bpy.types.Object, armature_object: bpy.types.Object) -> str | None:
    """The bone to which a mesh is parented, be it through other objects."""
    child: bpy.types.Object | None = mesh
    while child is not None:
        if child.parent == armature_object:
            return child.parent_bone if child.parent_type == "BONE" else None
        child = child.parent
    return None


def _skin(armature_object: bpy.types.Object, skeleton: Skeleton, mesh: bpy.types.Object) -> Skin:
    """All vertices of a mesh."""
    carrier = _carrier(mesh, armature_object)
    with _undeformed(mesh) as data:
        flat = np.empty(3 * len(data.vertices), np.float32)
        data.vertices.foreach_get("co", flat)
        to_armature = np.array(_rest_matrix(armature_object, mesh), float)
        rest = flat.reshape(-1, 3) @ to_armature[:3, :3].T + to_armature[:3, 3]
        if carrier is not None and carrier in skeleton.index:
            return Skin(rest, np.array([skeleton.index[carrier]]), np.ones((len(rest), 1)))
        deforming = {bone.name for bone in armature_object.data.bones if bone.use_deform}
        groups = {
            group.index: skeleton.index[group.name]
            for group in mesh.vertex_groups
            if group.name in deforming
        }
        bones = np.array(sorted(set(groups.values())), np.intp)
        column = {group: int(np.searchsorted(bones, bone)) for group, bone in groups.items()}
        weights = np.zeros((len(rest), len(bones)))
        for row, vertex in enumerate(data.vertices):
            for entry in vertex.groups:
                if entry.group in column:
                    weights[row, column[entry.group]] = entry.weight
    sums = weights.sum(axis=1, keepdims=True)
    return Skin(np.asarray(rest), bones, weights / np.where(sums > 0.0, sums, 1.0))


def _rest_matrix(armature_object: bpy.types.Object, thing: bpy.types.Object) -> Matrix:
    """From an object's space to that of the armature, in the rest pose."""
    if thing.parent is None:
        return armature_object.matrix_world.inverted_safe() @ thing.matrix_world
    own = thing.matrix_parent_inverse @ thing.matrix_basis
    if thing.parent != armature_object:
        return _rest_matrix(armature_object, thing.parent) @ own
    if thing.parent_type != "BONE":
        return own
    bone = armature_object.data.bones[thing.parent_bone]
    # Children of bones are relative to the tail.
    return bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0)) @ own


@contextmanager
def _undeformed(mesh: bpy.types.Object) -> Iterator[bpy.types.Mesh]:
    """The mesh without Armature modifiers, but with all others."""
    armatures = [m for m in mesh.modifiers if m.type == "ARMATURE" and m.show_viewport]
    if all(m.type == "ARMATURE" or not m.show_viewport for m in mesh.modifiers):
        yield mesh.data
        return
    try:
        for modifier in armatures:
            modifier.show_viewport = False
        evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
        try:
            yield evaluated.to_mesh()
        finally:
            evaluated.to_mesh_clear()
    finally:
        for modifier in armatures:
            modifier.show_viewport = True
