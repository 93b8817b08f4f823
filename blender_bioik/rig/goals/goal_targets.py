"""Targets of goals: positions at which the present pose meets them, and new empties there."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...goal_types import GoalType
from ..clip.bone_frames import orthonormal

# How far away a target to look at is, in lengths of the bone that looks: far enough that the
# bone's own movement does not turn it much.
AWAY = 5.0


def new_target(context: bpy.types.Context, name: str, place: Matrix) -> bpy.types.Object:
    """An empty at a place in the world, in the active collection if that can be changed."""
    target = bpy.data.objects.new(name, None)
    target.empty_display_type = "ARROWS"
    target.empty_display_size = 0.1
    target.matrix_world = place
    link(context, target)
    return target


def link(context: bpy.types.Context, made: bpy.types.Object) -> None:
    """Put an object into the active collection, or the scene's own if that cannot be changed."""
    collection = context.collection
    editable = collection.library is None and collection.override_library is None
    (collection if editable else context.scene.collection).objects.link(made)


def target_place(armature: bpy.types.Object, bone: bpy.types.PoseBone, kind: GoalType) -> Matrix:
    """Where a bone's goal needs its target so that the present pose meets it; world space."""
    return Matrix.Translation(_point(armature, bone, kind)) @ bone_rotation(armature, bone)


def bone_rotation(armature: bpy.types.Object, bone: bpy.types.PoseBone) -> Matrix:
    """How a bone is turned in the world, without scale; 4 x 4."""
    world = np.array(armature.matrix_world @ bone.matrix)
    return Matrix(orthonormal(world[:3, :3]).tolist()).to_4x4()


def _point(armature: bpy.types.Object, bone: bpy.types.PoseBone, kind: GoalType) -> Vector:
    world = armature.matrix_world
    head, tail = world @ bone.head, world @ bone.tail
    if kind.target_at == "AHEAD":
        return head + AWAY * (tail - head)
    if kind.target_at == "BEND" and bone.parent is not None:
        return head + 2.0 * (tail - head).length * _bend(world @ bone.parent.head, head, tail)
    return head


def _bend(above: Vector, joint: Vector, below: Vector) -> Vector:
    """Direction in which a knee or elbow points; forward, as Blender sees it, if it is straight."""
    along = (below - above).normalized()
    aside = (joint - above) - (joint - above).dot(along) * along
    return aside.normalized() if aside.length > 1e-4 else Vector((0.0, -1.0, 0.0))
