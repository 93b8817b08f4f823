"""Blender's properties for what types of goals declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
)

from ...goal_types import GoalSetting, GoalType
from ...translations import OWN

OVERRIDE = {"LIBRARY_OVERRIDABLE"}
_NUMBER: dict[str, dict[str, str]] = {
    "": {},
    "LENGTH": {"subtype": "DISTANCE", "unit": "LENGTH"},
    "ANGLE": {"subtype": "ANGLE", "unit": "ROTATION"},
    "FACTOR": {"subtype": "FACTOR"},
}
_VECTOR: dict[str, dict[str, str]] = {
    "": {"subtype": "XYZ"},
    "LENGTH": {"subtype": "XYZ_LENGTH", "unit": "LENGTH"},
    "ANGLE": {"subtype": "EULER", "unit": "ROTATION"},
    "FACTOR": {"subtype": "XYZ"},
    "DIRECTION": {"subtype": "XYZ"},
}


def blender_property(setting: GoalSetting) -> Any:
    """The property of a setting, to be registered."""
    common: dict[str, Any] = {
        "name": setting.label,
        "description": setting.description,
        "default": setting.default,
        "override": OVERRIDE,
    }
    if setting.own_word:
        common["translation_context"] = OWN
    limits = {
        "min": setting.lowest,
        "max": setting.highest,
        "soft_min": setting.soft_lowest,
        "soft_max": setting.soft_highest,
    }
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    if isinstance(setting.default, bool):
        return BoolProperty(**common)
    if isinstance(setting.default, str):
        return EnumProperty(items=setting.items, **common)
    if isinstance(setting.default, int):
        return IntProperty(**limits, **common)
    if isinstance(setting.default, tuple):
        return FloatVectorProperty(**_VECTOR[setting.quantity], **limits, **common)
    return FloatProperty(**_NUMBER[setting.quantity], **limits, **common)


def type_property(kinds: Iterable[GoalType]) -> Any:
    """The property with a goal's type, to be registered."""
    return EnumProperty(
        name="Type",
        description="What the goal asks of the pose",
        items=type_items(kinds),
        override=OVERRIDE,
    )


def type_items(kinds: Iterable[GoalType]) -> list[tuple[str, str, str, str, int]]:
    """Items of a menu of types; .blend files keep the number."""
    return [
        (kind.identifier, kind.label, kind.description, kind.icon, kind.stored_number)
        for kind in kinds
    ]
