"""The size of a character, and whether it is that of a person or an animal."""

from __future__ import annotations

import math

import bpy
import numpy as np

from ...findings import Finding
from ..transforms import Floats

# Metres: from a mouse to the largest dinosaurs. Outside, a file's unit is likely to be wrong.
SMALLEST, LARGEST = 0.05, 30.0
PERSON = 1.6


def character_size(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> float:
    """The longest side of the box around a character's joints in its rest pose, metres."""
    bones = armature_object.data.bones
    heads = np.empty(3 * len(bones), np.float32)
    bones.foreach_get("head_local", heads)
    world = np.array(armature_object.matrix_world, float)[:3, :3]
    places: Floats = heads.reshape(-1, 3) @ world.T
    if not len(places):
        return 0.0
    return float(np.ptp(places, axis=0).max()) * scene.unit_settings.scale_length


def unusual_size(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> list[Finding]:
    """What there is to know about a character much smaller or larger than people and animals."""
    size = character_size(scene, armature_object)
    if size == 0.0 or SMALLEST <= size <= LARGEST:
        return []
    factor = 10.0 ** -round(math.log10(size / PERSON))
    shown = f"{1e3 * size:.3g} mm" if size < SMALLEST else f"{size:.4g} m"
    return [
        Finding(
            f'"{armature_object.name}" is {shown} in size, unlike any person or animal: scale it '
            f"and the ground by {factor:g} if its unit is wrong",
            "size",
        )
    ]
