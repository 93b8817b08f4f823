"""Which meshes an armature carries, and whether skinning in bulk gives Blender's own vertices."""

from __future__ import annotations

from collections.abc import Collection

import bpy
import numpy as np

from ..clip.curve_only import is_animated, object_plain_reason
from ..clip.skeleton import Skeleton

# Modifiers that leave vertices where they are.
HARMLESS = {
    "UV_PROJECT",
    "UV_WARP",
    "VERTEX_WEIGHT_EDIT",
    "VERTEX_WEIGHT_MIX",
    "VERTEX_WEIGHT_PROXIMITY",
    "WEIGHTED_NORMAL",
    "NORMAL_EDIT",
    "DATA_TRANSFER",
    "TRIANGULATE",
}


def bound_meshes(
    scene: bpy.types.Scene, armature_object: bpy.types.Object
) -> list[bpy.types.Object]:
    """The meshes of an armature that are shown, in the order of their names."""
    found = [
        mesh
        for mesh in scene.objects
        if mesh.type == "MESH"
        and not mesh.hide_viewport
        and (carrier(mesh, armature_object) or armature_modifiers(mesh, armature_object))
    ]
    return sorted(found, key=lambda mesh: mesh.name)


def carrier(mesh: bpy.types.Object, armature_object: bpy.types.Object) -> str | None:
    """The bone to which a mesh is parented, be it through other objects; None if it is not."""
    for thing in _up_to(mesh, armature_object):
        if thing.parent == armature_object and thing.parent_type == "BONE":
            return str(thing.parent_bone) or None
    return None


def armature_modifiers(
    mesh: bpy.types.Object, armature_object: bpy.types.Object
) -> list[bpy.types.ArmatureModifier]:
    """The modifiers by which an armature deforms a mesh."""
    return [
        modifier
        for modifier in _shown(mesh)
        if modifier.type == "ARMATURE" and modifier.object == armature_object
    ]


def why_inexact(
    scene: bpy.types.Scene,
    mesh: bpy.types.Object,
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    carried: Collection[int],
) -> str:
    """Why a mesh is not simply carried by solved bones; empty if it is.

    Args:
        scene: The scene.
        mesh: The mesh.
        armature_object: The armature.
        skeleton: Its bones.
        carried: Indices of bones whose poses are known without evaluating the armature.
    """
    reason = _why_placed_otherwise(scene, mesh, armature_object) or _why_shaped_otherwise(mesh)
    if reason:
        return reason
    on_bone = carrier(mesh, armature_object)
    deforming = armature_modifiers(mesh, armature_object)
    others = [m for m in _shown(mesh) if m not in deforming and m.type not in HARMLESS]
    if others:
        return f'modifier "{others[0].name}"'
    if len(deforming) != (0 if on_bone else 1):
        return "several Armature modifiers"
    if not on_bone and not _is_linear(deforming[0]):
        return f'modifier "{deforming[0].name}"'
    used = [on_bone] if on_bone else [g.name for g in mesh.vertex_groups]
    for name in used:
        number = skeleton.index.get(name)
        if number is None:
            continue
        bone = armature_object.data.bones[name]
        if bone.bbone_segments > 1 and (bone.use_deform or on_bone):
            return f'bendy bone "{name}"'
        if number not in carried and (bone.use_deform or on_bone):
            return f'bone "{name}"'
    return ""


def carried_bones(
    armature_object: bpy.types.Object, skeleton: Skeleton, moved: Collection[int]
) -> set[int]:
    """Indices of bones whose poses follow from the channels of the moved bones.

    Other bones have constraints, or hang in such a bone.
    """
    found: set[int] = set()
    for number, name in enumerate(skeleton.names):
        parent = int(skeleton.parent[number])
        bone = armature_object.pose.bones[name]
        free = number in moved or all(
            constraint.mute or constraint.influence == 0.0 for constraint in bone.constraints
        )
        if free and (parent < 0 or parent in found):
            found.add(number)
    return found


def _shown(mesh: bpy.types.Object) -> list[bpy.types.Modifier]:
    return [modifier for modifier in mesh.modifiers if modifier.show_viewport]


def _is_linear(modifier: bpy.types.ArmatureModifier) -> bool:
    """Whether a modifier moves vertices by the weighted mean of the matrices of its bones."""
    return bool(
        modifier.use_vertex_groups
        and not modifier.use_bone_envelopes
        and not modifier.use_deform_preserve_volume
        and not modifier.use_multi_modifier
        and not modifier.vertex_group
    )


def _up_to(mesh: bpy.types.Object, armature_object: bpy.types.Object) -> list[bpy.types.Object]:
    """A mesh and the objects it is parented to, below the armature; all if it is not below it."""
    found, thing = [], mesh
    while thing is not None and thing != armature_object:
        found.append(thing)
        thing = thing.parent
    return found


def _why_placed_otherwise(
    scene: bpy.types.Scene, mesh: bpy.types.Object, armature_object: bpy.types.Object
) -> str:
    """Why a mesh object moves in another way than its armature."""
    line = _up_to(mesh, armature_object)
    if line[-1].parent != armature_object:
        still = (
            object_plain_reason(thing, scene) is None and not is_animated(thing)
            for thing in (mesh, armature_object)
        )
        return "" if all(still) else "it is no child of the armature"
    for thing in line:
        data = thing.animation_data
        if any(not constraint.mute for constraint in thing.constraints) or (
            data is not None and (data.action is not None or len(data.drivers) > 0)
        ):
            return f'object "{thing.name}" is animated'
    return ""


def _why_shaped_otherwise(mesh: bpy.types.Object) -> str:
    """Why a mesh has another shape than its vertices say."""
    keys = mesh.data.shape_keys
    if keys is None:
        return ""
    if keys.animation_data is not None and (
        keys.animation_data.action is not None or len(keys.animation_data.drivers)
    ):
        return "animated shape keys"
    if mesh.show_only_shape_key or not keys.use_relative:
        return "shape keys"
    if any(key.value != 0.0 and not key.mute for key in keys.key_blocks[1:]):
        return "shape keys"
    basis = np.empty(3 * len(mesh.data.vertices), np.float32)
    keys.reference_key.data.foreach_get("co", basis)
    own = np.empty_like(basis)
    mesh.data.vertices.foreach_get("co", own)
    return "" if np.array_equal(basis, own) else "shape keys"
