"""The mapping of an armature: detected, with the user's assignments."""

from __future__ import annotations

import bpy

from .mapping import Mapping
from .remembered import detected_mapping


def rig_mapping(armature_object: bpy.types.Object) -> Mapping:
    """Which bones of an armature are which parts of a body.

    Raises:
        RigError: It is no armature, or a slot or bone that was chosen does not exist.
    """
    return with_chosen(detected_mapping(armature_object), armature_object)


def with_chosen(detected: Mapping, armature_object: bpy.types.Object) -> Mapping:
    """The detected mapping with the user's assignments.

    Raises:
        RigError: An assigned slot or bone does not exist.
    """
    chosen = chosen_bones(armature_object)
    return detected.with_overrides(chosen) if chosen else detected


def chosen_bones(armature_object: bpy.types.Object) -> dict[str, list[str]]:
    """The user's choices: by slot, bones in their order, or an empty name for none."""
    chosen: dict[str, list[str]] = {}
    for slot in armature_object.bioik.slots:
        chosen.setdefault(slot.name, []).append(slot.bone)
    return chosen
