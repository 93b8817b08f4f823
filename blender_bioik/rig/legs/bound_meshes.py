"""The meshes that an armature moves, in its rest pose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from mathutils import Matrix


def bound_meshes(armature_object: bpy.types.Object) -> list[bpy.types.Object]:
    """Meshes of the armature, in the order of their names."""

    def is_bound(mesh: bpy.types.Object) -> bool:
        return is_on_bone(mesh, armature_object) or any(
            modifier.type == "ARMATURE" and modifier.object == armature_object
            for modifier in mesh.modifiers
        )

    meshes = (o for o in bpy.data.objects if o.type == "MESH" and o.users_scene)
    return [mesh for mesh in meshes if is_bound(mesh)]


def is_on_bone(mesh: bpy.types.Object, armature_object: bpy.types.Object) -> bool:
    """Whether a mesh is parented to a bone of the armature."""
    return mesh.parent == armature_object and mesh.parent_type == "BONE"


def rest_matrix(armature_object: bpy.types.Object, mesh: bpy.types.Object) -> Matrix:
    """From a mesh's space to that of the armature, in the rest pose."""
    if mesh.parent != armature_object:
        return armature_object.matrix_world.inverted_safe() @ mesh.matrix_world
    own = mesh.matrix_parent_inverse @ mesh.matrix_basis
    if not is_on_bone(mesh, armature_object):
        return own
    bone = armature_object.data.bones[mesh.parent_bone]
    # Children of bones are relative to the tail.
    return bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0)) @ own


@contextmanager
def rest_mesh(mesh: bpy.types.Object) -> Iterator[bpy.types.Mesh]:
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
