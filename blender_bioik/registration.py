"""What Blender gets when the extension is enabled, in order; taken away in the reverse order."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import bpy

from . import operators, overlay, panels, properties, translations, warm_up_note
from .command_line import blender_command
from .properties import rig as rig_property
from .properties import rig_check, scene
from .rig.live import live_handlers
from .rig.report import goal_errors
from .rig.watch import change_watch
from .ui_state import foot_search, shown_mapping

# Every class of properties, operators/ and panels/, in the order of registration: what a class
# refers to comes before it. Each of those packages has a tuple of this name to be added here.
CLASSES: tuple[type[Any], ...] = (
    *properties.CLASSES,
    *operators.CLASSES,
    *panels.CLASSES,
)

# Modules with a register() and unregister() of their own, for what is not a class: properties
# on Blender's types, handlers, timers, keymaps, commands. They come after the classes.
PARTS = (
    translations,
    rig_property,
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
)

_registered = ExitStack()


def register() -> None:
    """Register all of it, or, when something fails, nothing."""
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
