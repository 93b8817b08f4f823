"""Unsupported parts of a rig: by bone and constraint, with the reason."""

from __future__ import annotations

import zlib

import bpy

from ..joints.limits import Unsupported, read_limits
from .constraint_goals import constraint_goals


def find_unsupported(armature_object: bpy.types.Object) -> list[Unsupported]:
    """Unsupported limits, and constraints that cannot become goals; by bone."""
    bones = [bone.name for bone in armature_object.pose.bones]
    found = [*read_limits(armature_object, bones).unsupported]
    found += constraint_goals(armature_object)[1]
    place = {bone: number for number, bone in enumerate(bones)}
    return sorted(dict.fromkeys(found), key=lambda missing: place[missing.bone])


def constraints_mark(armature_object: bpy.types.Object) -> str:
    """A digest of the rig's constraints, which changes when they are added, removed or moved.

    It is fast enough to compute on each redraw, so it does not include all of their settings.
    """
    data = armature_object.animation_data
    parts = [data.action.name if data and data.action else ""]
    for bone in armature_object.pose.bones:
        parts += [
            f"{bone.name}/{constraint.name}/{constraint.type}/{constraint.mute}/"
            f"{constraint.owner_space}"
            for constraint in bone.constraints
        ]
    return f"{zlib.crc32('|'.join(parts).encode()):08x}"
