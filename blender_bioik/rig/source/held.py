"""Values of bones' properties without keyframes, which are lost when another action plays."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..clip.curve_only import bone_path, rotation_property
from ..clip.skeleton import Skeleton
from ..controls.rig_controls import RigControls
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


def held_controls(
    armature_object: bpy.types.Object, skeleton: Skeleton, controls: RigControls | None
) -> dict[str, list[float]]:
    """The same of controls that get keyframes, and of switches."""
    if controls is None:
        return {}
    keyed = {path for path, _ in animated_channels(armature_object)}
    held = held_values(armature_object, skeleton, controls.written)
    for path in {switch.path for switch in controls.switches} - keyed:
        held[path] = [float(armature_object.path_resolve(path))]
    return held
