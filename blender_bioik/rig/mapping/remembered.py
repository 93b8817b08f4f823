"""Cache of the detected mappings of skeletons, which panels need on each redraw.

A character is identified by its bones' names, parents and positions, its meshes, and the clip that
it plays. Vertices and keyframes are not compared: they say too little about limbs for that.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable

import bpy

from ..anatomy.flesh import carried_meshes
from .detect import detect
from .mapping import Mapping
from .read import read_bones

# Maximum number of cached skeletons; the least recently used one is dropped first.
_MOST = 8

_Skeleton = tuple[Hashable, ...]
_known: dict[_Skeleton, Mapping] = {}


def detected_mapping(armature_object: bpy.types.Object) -> Mapping:
    """The detected mapping of an armature, without the user's assignments.

    Raises:
        RigError: It is not an armature or has no bones.
    """
    if armature_object is None or armature_object.type != "ARMATURE":
        return detect(read_bones(armature_object))
    skeleton = (*_skeleton(armature_object.data.bones), *_rest(armature_object))
    mapping = _known.pop(skeleton, None) or detect(read_bones(armature_object))
    _known[skeleton] = mapping
    if len(_known) > _MOST:
        del _known[next(iter(_known))]
    return mapping


def _skeleton(bones: bpy.types.ArmatureBones) -> _Skeleton:
    heads, tails = (array("f", bytes(12 * len(bones))) for _ in range(2))
    bones.foreach_get("head_local", heads)
    bones.foreach_get("tail_local", tails)
    parents = tuple(bone.parent.name if bone.parent else "" for bone in bones)
    return tuple(bones.keys()), parents, heads.tobytes(), tails.tobytes()


def _rest(armature_object: bpy.types.Object) -> _Skeleton:
    """What else the detection looks at: meshes, clip, and how the object stands."""
    meshes = tuple((mesh.name, len(mesh.data.vertices)) for mesh in carried_meshes(armature_object))
    data = armature_object.animation_data
    action = data.action if data is not None else None
    clip = (action.name, tuple(action.frame_range)) if action is not None else ()
    turn = armature_object.matrix_world.to_3x3().normalized()
    return meshes, clip, tuple(round(x, 1) for x in turn[2])
