"""The demo character in Blender: armature and skinned mesh."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Vector

from . import body
from .skeleton import Bone, bones

NAME = "Walker"


def build(collection: bpy.types.Collection) -> bpy.types.Object:
    """Make the character in its rest pose and return its armature object.

    Args:
        collection: Where armature and mesh are linked to; it must belong to the current scene.
    """
    armature = bpy.data.objects.new(NAME, bpy.data.armatures.new(NAME))
    collection.objects.link(armature)
    add_bones(armature, bones())
    skin, weights = body.build_mesh(f"{NAME} body")
    mesh = bpy.data.objects.new(skin.name, skin)
    collection.objects.link(mesh)
    body.skin_to_bones(mesh, weights)
    mesh.parent = armature
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    return armature


def add_bones(armature: bpy.types.Object, rest_bones: Sequence[Bone]) -> None:
    """Give an armature object of the current scene these bones, parents first."""
    view_layer = bpy.context.view_layer
    view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit_bones = armature.data.edit_bones
    for bone in rest_bones:
        edit_bone = edit_bones.new(bone.name)
        edit_bone.head, edit_bone.tail = bone.head, bone.tail
        edit_bone.align_roll(Vector(bone.z_axis))
        if bone.parent:
            edit_bone.parent = edit_bones[bone.parent]
            edit_bone.use_connect = bone.connected
    bpy.ops.object.mode_set(mode="OBJECT")
