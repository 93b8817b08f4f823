"""Names of goals. A library override identifies a goal by its name, so names are unique.

Blender stores what was changed on an override by the names of a collection's items: the values of
goals that share a name, or of one that was renamed there, would be lost with the next saving.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

if TYPE_CHECKING:
    from .goal import BioIKGoal


def keep_name(goal: BioIKGoal, _context: bpy.types.Context) -> None:
    """After a goal was renamed: number a name that is taken; a library's goal keeps its name."""
    goals = goal.id_data.bioik.goals
    names = {other.name for other in goals}
    of_library = [name for name in _library_names(goal.id_data) if name not in names]
    wanted = of_library[0] if of_library else goal.name
    wanted = unique_name(wanted, [other.name for other in goals if other != goal])
    if wanted != goal.name:
        goal.name = wanted


def goal_label(goal: BioIKGoal) -> str:
    """Name of a goal in lists and reports; the bone first, because lists are narrow."""
    return goal.name or f"{goal.bone} {goal.kind.label}".strip()


def name_goals(armature_object: bpy.types.Object) -> None:
    """Give unnamed goals the label that reports use."""
    for goal in armature_object.bioik.goals:
        if not goal.name:
            goal.name = goal_label(goal)


def unique_name(name: str, taken: Collection[str]) -> str:
    """The name, with a numeric suffix if it is taken, as in Blender."""
    if not name or name not in taken:
        return name
    stem = re.sub(r"\.\d{3,}$", "", name)
    number = 1
    while f"{stem}.{number:03}" in taken:
        number += 1
    return f"{stem}.{number:03}"


def register() -> None:
    """Name goals before a file is saved."""
    bpy.app.handlers.save_pre.append(_before_saving)


def unregister() -> None:
    """Remove the handlers."""
    bpy.app.handlers.save_pre.remove(_before_saving)


@persistent
def _before_saving(*_: Any) -> None:
    for object_ in bpy.data.objects:
        if object_.library is None and object_.type == "ARMATURE":
            name_goals(object_)


def _library_names(object_: bpy.types.Object) -> list[str]:
    """Names of the goals that an override has from its library."""
    override = object_.override_library
    if override is None or override.reference is None:
        return []
    return [goal.name for goal in override.reference.bioik.goals if goal.name]
