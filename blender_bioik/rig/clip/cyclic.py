"""Whether an armature's action is marked as cyclic."""

from __future__ import annotations

import bpy

from ..blender import fcurves
from .curve_only import bone_path


def is_cyclic(armature_object: bpy.types.Object) -> bool:
    """Whether the action is marked as cyclic, or all moving F-curves of bones repeat."""
    data = armature_object.animation_data
    if data is None or data.action is None:
        return False
    if data.action.use_frame_range and data.action.use_cyclic:
        return True
    curves = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
    bones = tuple(bone_path(bone.name) for bone in armature_object.pose.bones)
    moving = [
        curve
        for (path, _), curve in curves.items()
        if path.startswith(bones) and len(curve.keyframe_points) > 1
    ]
    return bool(moving) and all(_repeats(curve) for curve in moving)


def _repeats(curve: bpy.types.FCurve) -> bool:
    return any(modifier.type == "CYCLES" and not modifier.mute for modifier in curve.modifiers)
