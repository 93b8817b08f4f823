"""The warm-up inside Blender: started after startup, polled by a timer, shown in the status bar.

Nothing here blocks. The kernels are compiled by another process (`warm_up`), so drawing, saving
and quitting still work; a modal operator instead of a timer would suspend Blender's auto-save.
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
"""Window manager property with a note for the panel, or an empty string."""

_DELAY_S = 2.0  # lets Blender open its window first
_POLL_S = 0.5
_SHOW_S = 10.0  # how long the status bar shows the result


class _Watch:
    """Starts the compilation, polls it and reports its result."""

    def __init__(self) -> None:
        self.status = ""
        self._compiling: warm_up.Compiling | None = None
        self._ended = False

    def step(self) -> float | None:
        """Run the next step without blocking; returns the seconds until the following one."""
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
        """Whether it has ended."""
        return self._ended

    def stop(self) -> None:
        """Stop the compilation and clear the note."""
        if self._compiling is not None:
            self._compiling.stop()
            for manager in bpy.data.window_managers:
                manager.property_unset(NOTE)

    def _tell(self, outcome: warm_up.Outcome) -> None:
        """Report the result once; problems that persist stay in the note."""
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
        # The status bar has no screen area to tag for redraw, but renaming a data-block
        # redraws it, even with its current name.
        for manager in bpy.data.window_managers:
            manager.name = manager.name


_watch = _Watch()


def register() -> None:
    """Add the note, and warm up unless it is already done or Blender runs in the background."""
    global _watch  # noqa: PLW0603, Blender's timers and headers want functions of the module
    _watch = _Watch()
    note = bpy.props.StringProperty(name="Bio-IK Note", options={"SKIP_SAVE"})
    setattr(bpy.types.WindowManager, NOTE, note)
    folder = _folder()
    if not bpy.app.background and not (folder and warm_up.is_complete(folder)):
        bpy.types.STATUSBAR_HT_header.append(_draw_status)
        bpy.app.timers.register(_step, first_interval=_DELAY_S, persistent=True)


def unregister() -> None:
    """Stop compiling, and remove timer, note and status."""
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
    """The extension's kernel folder, None if the solver chooses it."""
    folder = os.environ.get(CACHE_VARIABLE)
    return Path(folder) if folder else None
