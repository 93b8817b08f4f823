"""Read a BoneTable from an armature object: the only part of the mappings that touches Blender."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from ..anatomy.bones import BoneTable
from ..anatomy.flesh import read_flesh
from ..anatomy.motion import read_motion
from ..errors import RigError


def read_bones(armature_object: bpy.types.Object) -> BoneTable:
    """Names, parents and rest positions of an armature object's bones, in armature space.

    Raises:
        RigError: The object is not an armature or has no bones.
    """
    if armature_object is None or armature_object.type != "ARMATURE":
        name = "Nothing" if armature_object is None else f"'{armature_object.name}'"
        raise RigError(f"{name} is not an armature: select an armature.")
    bones = armature_object.data.bones
    if not len(bones):
        raise RigError(f'"{armature_object.name}" has no bones: add some first.')
    index = {bone.name: i for i, bone in enumerate(bones)}
    heads, tails = (np.empty(3 * len(bones), dtype=np.float32) for _ in range(2))
    bones.foreach_get("head_local", heads)
    bones.foreach_get("tail_local", tails)
    return BoneTable.build(
        index,
        [index[bone.parent.name] if bone.parent else -1 for bone in bones],
        heads.reshape(-1, 3),
        tails.reshape(-1, 3),
        read_flesh(armature_object, index),
        read_motion(armature_object, list(index)),
        armature_object.matrix_world.to_3x3().normalized().transposed() @ Vector((0.0, 0.0, 1.0)),
    )
