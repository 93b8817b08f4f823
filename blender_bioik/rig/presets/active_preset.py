"""Which presets an armature has, by its settings and goals; fast enough for drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import bpy

from ...presets import Preset
from ...presets.fields import FEET, SOLVER, Field, is_angle

# Blender stores numbers in single precision.
SAME = 1e-5


def is_active(armature: bpy.types.Object, preset: Preset) -> bool:
    """Whether all settings of a preset are set, and all of its goals are there and enabled."""
    rig = armature.bioik
    if not _are_set(rig.feet, preset.feet, FEET) or not _are_set(rig.solver, preset.solver, SOLVER):
        return False
    there = {(goal.type, _plain(goal.name)) for goal in rig.goals if goal.enabled}
    return all((goal.type, goal.values.get("name", "")) in there for goal in preset.goals)


def _are_set(owner: Any, values: Mapping[str, Any], fields: Mapping[str, Field]) -> bool:
    return all(_is_set(owner, name, value, fields[name]) for name, value in values.items())


def _is_set(owner: Any, name: str, value: Any, known: Field) -> bool:
    if value is None:
        return not owner.is_property_set(name)
    now = getattr(owner, name)
    if isinstance(value, float):
        wanted = math.radians(value) if is_angle(known) else value
        return math.isclose(now, wanted, rel_tol=SAME, abs_tol=SAME)
    return bool(now == value)


def _plain(name: str) -> str:
    """A goal's name without the number that Blender adds to a second one."""
    stem, dot, number = name.rpartition(".")
    return stem if dot and number.isdigit() else name
