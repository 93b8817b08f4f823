"""The warm-up inside Blender: begun after the start, watched by a timer, noted in the status bar.

Nothing here waits. The kernels are compiled by another process (`warm_up`), so drawing, saving and
quitting go on as ever; a timer is no modal operator, which would hold back Blender's auto-save.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface as iface_

from . import warm_up
from .kernel_cache import CACHE_VARIABLE

NOTE = "bioik_note"
"""Name of the window manager's property that holds what a panel should tell, or nothing."""

_DELAY_S = 2.0  # lets Blender open its window first
_POLL_S = 0.5
_SHOW_S = 10.0  # how long the status bar tells how it ended


class _Watch:
    """Begins the compilation, follows it and says how it ended."""

    def __init__(self) -> None:
        self.status = ""
        self._compiling: warm_up.Compiling | None = None
        self._ended = False

    def step(self) -> float | None:
        """Do what is next without waiting; returns the seconds until the next step."""
        if self._ended:
            self._show(status="")
            return None
        if self._compiling is None:
            self._compiling = warm_up.start(__package__ or "", _folder())
            self._say("Bio-IK is compiling its solver (first use only)")
            return _POLL_S
        outcome = self._compiling.outcome()
        if outcome is None:
            return _POLL_S
        self._ended = True
        self._tell(outcome)
        return _SHOW_S

    def has_ended(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self._ended

    def stop(self) -> None:
        """End the compilation and take back what was said."""
        if self._compiling is not None:
            self._compiling.stop()
            for manager in bpy.data.window_managers:
                manager.property_unset(NOTE)

    def _tell(self, outcome: warm_up.Outcome) -> None:
        """Say once how it ended; what stays true for the session stays in the note."""
        if not outcome.reason:
            self._say("")
            self._show(status="Bio-IK is ready")
        elif not outcome.numba:
            told = iface_("Bio-IK works, but solves much more slowly: {}")
            self._say(told.format(outcome.reason))
        else:
            told = iface_("Bio-IK will compile its solver on the first solve: {}")
            self._say(told.format(outcome.reason))
        print(self.status, flush=True)

    def _say(self, note: str) -> None:
        self._show(status=note)
        for manager in bpy.data.window_managers:
            setattr(manager, NOTE, note)

    def _show(self, status: str) -> None:
        self.status = status
        # The status bar belongs to no screen that could be told to redraw, but a renamed data-block
        # makes it redraw: so one gets the name that it has.
        for manager in bpy.data.window_managers:
            manager.name = manager.name


_watch = _Watch()


def register() -> None:
    """Add the note, and warm up unless that has been done or nobody is there to wait for it."""
    global _watch  # noqa: PLW0603, Blender's timers and headers want functions of the module
    _watch = _Watch()
    note = bpy.props.StringProperty(name="Bio-IK Note", options={"SKIP_SAVE"})
    setattr(bpy.types.WindowManager, NOTE, note)
    folder = _folder()
    if not bpy.app.background and not (folder and warm_up.is_complete(folder)):
        bpy.types.STATUSBAR_HT_header.append(_draw_status)
        bpy.app.timers.register(_step, first_interval=_DELAY_S, persistent=True)


def unregister() -> None:
    """Stop compiling and take timer, note and status away."""
    if bpy.app.timers.is_registered(_step):
        bpy.app.timers.unregister(_step)
    _watch.stop()
    if not bpy.app.background:
        bpy.types.STATUSBAR_HT_header.remove(_draw_status)
    delattr(bpy.types.WindowManager, NOTE)


def is_compiling() -> bool:
    """Whether the kernels are being compiled, or soon will be: a solve would wait for that."""
    return bpy.app.timers.is_registered(_step) and not _watch.has_ended()


def _step() -> float | None:
    return _watch.step()


def _draw_status(header: Any, _context: bpy.types.Context) -> None:
    if _watch.status:
        header.layout.label(text=_watch.status, icon="INFO")


def _folder() -> Path | None:
    """Where the extension keeps its kernels, None if the solver decides that."""
    folder = os.environ.get(CACHE_VARIABLE)
    return Path(folder) if folder else None
