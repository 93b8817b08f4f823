"""Registration of the extension, in order; unregistered in reverse order."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import bpy

from . import keymap, operators, overlay, panels, properties, translations, warm_up_note
from .command_line import blender_command
from .properties import result as result_property
from .properties import rig as rig_property
from .properties import rig_check, scene
from .rig.live import live_handlers
from .rig.report import goal_errors
from .rig.watch import change_watch
from .ui_state import foot_search, shown_mapping

# Classes of properties, operators and panels, in order of registration: the classes that a class
# refers to come before it. Each of these packages has its own tuple.
CLASSES: tuple[type[Any], ...] = (
    *properties.CLASSES,
    *operators.CLASSES,
    *panels.CLASSES,
)

# Modules with register() and unregister(), for everything other than classes: properties
# on Blender's types, handlers, timers, keymaps, commands. They come after the classes.
PARTS = (
    translations,
    rig_property,
    result_property,
    scene,
    rig_check,
    goal_errors,
    live_handlers,
    change_watch,
    foot_search,
    shown_mapping,
    overlay,
    warm_up_note,
    blender_command,
    keymap,
)

_registered = ExitStack()


def register() -> None:
    """Register everything, or nothing if an error occurs."""
    with ExitStack() as done:
        for cls in CLASSES:
            bpy.utils.register_class(cls)
            done.callback(bpy.utils.unregister_class, cls)
        for part in PARTS:
            part.register()
            done.callback(part.unregister)
        _registered.push(done.pop_all())


def unregister() -> None:
    """Undo what `register` did, last first."""
    _registered.close()
