"""Feet and other parts offered for a contact, from the armature's mapping."""

from __future__ import annotations

import bpy

from ..properties.contact import FOOT_NAMES
from ..rig.errors import RigError
from ..rig.mapping.chosen import rig_mapping


def register() -> None:
    """Offer the feet in the search field of contacts."""
    FOOT_NAMES.append(foot_names)


def unregister() -> None:
    """Offer none."""
    FOOT_NAMES.remove(foot_names)


def foot_names(armature: bpy.types.Object) -> list[str]:
    """Names of the legs with a foot, and of other parts of the body; empty if there are no legs."""
    # Imported here, to keep Blender's startup fast.
    from ..rig.rests.resting_parts import part_names

    try:
        legs = leg_names(armature)
        return [*legs, *part_names(armature)] if legs else []
    except RigError:
        return []


def leg_names(armature: bpy.types.Object) -> list[str]:
    """Names of the legs with a foot, such as leg.L; empty if there are no legs."""
    try:
        legs = rig_mapping(armature).legs
    except RigError:
        return []
    return [leg.name for leg in legs if leg.foot]
