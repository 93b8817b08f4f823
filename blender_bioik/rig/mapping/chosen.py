"""The mapping of an armature: what is detected, and what its user has chosen instead."""

from __future__ import annotations

import bpy

from .detect import detect
from .mapping import Mapping
from .read import read_bones


def rig_mapping(armature_object: bpy.types.Object) -> Mapping:
    """Which bones of an armature are which parts of a body.

    Raises:
        RigError: It is no armature, or a slot or bone that was chosen does not exist.
    """
    chosen: dict[str, list[str]] = {}
    for slot in armature_object.bioik.slots:
        chosen.setdefault(slot.name, []).append(slot.bone)
    detected = detect(read_bones(armature_object))
    return detected.with_overrides(chosen) if chosen else detected
