"""Properties that switch limbs between IK and FK."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import bpy

from .posed_by import Rigging, influence_path


class Switch(NamedTuple):
    """A property that decides how much a bone follows its IK chain.

    Attributes:
        path: Its data path on the armature.
        influence: Data path of the influence that it has to bring to zero.
    """

    path: str
    influence: str


def read_switches(
    armature_object: bpy.types.Object, rigging: Rigging, bones: Sequence[str]
) -> list[Switch]:
    """The switches of bones that copy an IK chain or FK controls, one for each property."""
    found: dict[str, Switch] = {}
    for bone in bones:
        for copy in rigging.copies[bone]:
            if not copy.counts or not rigging.moves_by_ik(copy.source):
                continue
            influence = influence_path(bone, copy.constraint)
            path = _driving_property(armature_object, influence) or influence
            found.setdefault(path, Switch(path, influence))
    return list(found.values())


def _driving_property(armature_object: bpy.types.Object, influence: str) -> str:
    """The armature's property that drives an influence; empty if there is none."""
    data = armature_object.animation_data
    for curve in data.drivers if data else ():
        if curve.data_path != influence or curve.mute:
            continue
        for variable in curve.driver.variables:
            for target in variable.targets:
                if variable.type == "SINGLE_PROP" and target.id == armature_object:
                    return str(target.data_path)
    return ""
