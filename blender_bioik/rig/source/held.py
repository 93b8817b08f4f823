"""Values of bones' properties without keyframes, which are lost when another action plays."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..clip.curve_only import bone_path, rotation_property
from ..clip.skeleton import Skeleton
from ..joints.moving_bones import chain
from ..keys.outputs import animated_channels


def source_bones(skeleton: Skeleton, moving: Sequence[str]) -> tuple[str, ...]:
    """Bones whose source affects a solve: those that move, and their parents."""
    return tuple(dict.fromkeys(bone for name in moving for bone in chain(skeleton, name)))


def held_values(
    armature_object: bpy.types.Object, skeleton: Skeleton, moving: Sequence[str]
) -> dict[str, list[float]]:
    """Current values of these bones' properties without keyframes, by data path."""
    keyed = {path for path, _ in animated_channels(armature_object)}
    held = {}
    for name in source_bones(skeleton, moving):
        bone = armature_object.pose.bones[name]
        for part in ("location", "scale", rotation_property(bone.rotation_mode)):
            path = f"{bone_path(name)}.{part}"
            if path not in keyed:
                held[path] = [float(value) for value in getattr(bone, part)]
    return held
