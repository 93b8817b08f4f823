"""Types of goals that other add-ons add: in Blender's properties while they are there.

.blend files keep the number of a goal's type. Where its add-on is missing, an item without a name
stands in for it, so that the goal can be shown, and is itself again once the add-on is enabled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...goal_types import BUILT_IN, GoalSetting, GoalType, goal_types, registry
from ..goal import BioIKGoal
from .settings import blender_property, type_property

# What Blender has now.
_kinds: list[GoalType] = list(BUILT_IN)
_settings: dict[str, GoalSetting] = {}


def register() -> None:
    """Follow the types that are added and removed from now on."""
    registry.LISTENERS.append(update)
    for handlers in _handlers():
        handlers.append(_after_reading)
    update()


def unregister() -> None:
    """Leave that; classes that are registered again have the built-in types."""
    for handlers in _handlers():
        handlers.remove(_after_reading)
    registry.LISTENERS.remove(update)
    if bpy.app.timers.is_registered(update):
        bpy.app.timers.unregister(update)
    for name in _settings:
        delattr(BioIKGoal, name)
    _settings.clear()
    _kinds[:] = BUILT_IN


def update() -> None:
    """Give Blender the types there are now, and stand-ins for those that goals lack."""
    if not hasattr(bpy.data, "objects"):  # while Blender enables add-ons; once more afterwards
        bpy.app.timers.register(update, first_interval=0.0)
    known = goal_types()
    numbers = {kind.stored_number for kind in known}
    missing = sorted(set(_stored_numbers()) - numbers)
    kinds = [*known, *(registry.stand_in(number) for number in missing)]
    if kinds != _kinds:
        BioIKGoal.type = type_property(kinds)
        _kinds[:] = kinds
    wanted = _added_settings(known)
    for name in [name for name in _settings if _settings[name] != wanted.get(name)]:
        delattr(BioIKGoal, name)
        del _settings[name]
    for name in [name for name in wanted if name not in _settings]:
        setattr(BioIKGoal, name, blender_property(wanted[name]))
        _settings[name] = wanted[name]


def _added_settings(kinds: tuple[GoalType, ...]) -> dict[str, GoalSetting]:
    """Settings that goals do not have by themselves, by name."""
    settings = {setting.name: setting for kind in kinds for setting in kind.settings}
    return {name: s for name, s in settings.items() if name not in BioIKGoal.__annotations__}


def _stored_numbers() -> Iterator[int]:
    """Numbers of the types of all goals; reading `type` would complain of unknown ones."""
    for object_ in getattr(bpy.data, "objects", ()):
        for goal in object_.bioik.goals if object_.type == "ARMATURE" else ():
            stored = _stored(goal)
            if stored is not None and "type" in stored:
                yield int(stored["type"])


def _stored(goal: BioIKGoal) -> Any:
    """The goal's values as they are in the file; since 5.0 they are not its custom properties."""
    values = getattr(goal, "bl_system_properties_get", None)
    return goal if values is None else values()


def _handlers() -> list[list[Any]]:
    """Handlers that run after goals have come from a file."""
    handlers = bpy.app.handlers
    found = [handlers.load_post]
    if hasattr(handlers, "blend_import_post"):  # since 4.3
        found.append(handlers.blend_import_post)
    return found


@persistent
def _after_reading(*_: Any) -> None:
    update()
