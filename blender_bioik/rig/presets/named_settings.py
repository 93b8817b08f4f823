"""Settings of an armature by name and as text, for the command line.

`feet.<name>` is a property of `Object.bioik.feet`, `solver.<name>` one of `Object.bioik.solver`; a
name alone is looked for in this order.
"""

from __future__ import annotations

import math
from typing import Any

import bpy

from ..errors import RigError

GROUPS = ("feet", "solver")
KINDS = {"BOOLEAN", "INT", "FLOAT", "ENUM"}
WORDS = {"true": True, "on": True, "yes": True, "1": True} | dict.fromkeys(
    ("false", "off", "no", "0"), False
)


def change_setting(armature_object: bpy.types.Object, key: str, text: str) -> None:
    """Set a setting from text; angles are in degrees.

    Raises:
        RigError: There is no such setting, or the value is invalid.
    """
    settings = setting_names(armature_object)
    names = [key] if key in settings else [f"{group}.{key}" for group in GROUPS]
    name = next((name for name in names if name in settings), None)
    if name is None:
        raise RigError(f'There is no setting "{key}": choose one of {", ".join(settings)}.')
    group, _, identifier = name.partition(".")
    owner = getattr(armature_object.bioik, group)
    setattr(owner, identifier, _value(owner.bl_rna.properties[identifier], name, text))


def setting_names(armature_object: bpy.types.Object) -> list[str]:
    """Names of all settings that can be given as text."""
    return [
        f"{group}.{setting.identifier}"
        for group in GROUPS
        for setting in getattr(armature_object.bioik, group).bl_rna.properties
        if setting.type in KINDS and not _is_of_lists(setting)
    ]


def _is_of_lists(setting: Any) -> bool:
    """Whether it is the active index of a list, which does not affect the motion."""
    return setting.identifier.startswith("active_")


def _value(setting: Any, name: str, text: str) -> Any:
    if setting.type == "BOOLEAN":
        if text.lower() not in WORDS:
            raise RigError(f'{name} must be true or false, not "{text}".')
        return WORDS[text.lower()]
    if setting.type == "ENUM":
        choices = [item.identifier for item in setting.enum_items]
        if text.upper() not in choices:
            raise RigError(f'{name} must be one of {", ".join(choices)}, not "{text}".')
        return text.upper()
    return _number(setting, name, text)


def _number(setting: Any, name: str, text: str) -> float:
    whole = setting.type == "INT"
    # Blender keeps angles in radians and shows them in degrees.
    unit = math.degrees(1.0) if setting.unit == "ROTATION" else 1.0
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        problem = (
            f'{name} must be a whole number, not "{text}".'
            if whole
            else f'{name} must be a number, not "{text}".'
        )
        raise RigError(problem) from None
    lowest, highest = setting.hard_min * unit, setting.hard_max * unit
    if not lowest <= number <= highest:
        raise RigError(f"{name} must be from {lowest:g} to {highest:g}, not {text}.")
    return number if whole else number / unit
