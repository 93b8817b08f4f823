"""Which armatures are solved live, and when all of them have to wait.

Bakes and readers of clips use this to see armatures as they are animated. It knows nothing of how
poses are solved, so everything in `rig` can import it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from .live.live import LiveSession

# By the session numbers of armature objects, which outlast undo and renaming.
SESSIONS: dict[int, LiveSession] = {}

_lock = threading.Lock()
_waits = 0


def live_session(armature: bpy.types.Object | None) -> LiveSession | None:
    """The live solving of an armature, None if it is not solved live."""
    return SESSIONS.get(armature.session_uid) if armature is not None else None


def is_waiting() -> bool:
    """Whether live solving has to wait."""
    return _waits > 0


@contextmanager
def live_waits() -> Iterator[None]:
    """Let live solving wait meanwhile. Touches nothing of Blender; any thread may use it."""
    global _waits  # noqa: PLW0603 (one number for the whole session, as there is one solver)
    with _lock:
        _waits += 1
    try:
        yield
    finally:
        with _lock:
            _waits -= 1


@contextmanager
def source_shown() -> Iterator[None]:
    """Let armatures that are solved live show the pose that they are animated with meanwhile.

    Inside of another one it does nothing.
    """
    if any(session.shows_source for session in SESSIONS.values()):
        yield
        return
    sessions = list(SESSIONS.values())
    with live_waits():
        for session in sessions:
            session.show_source()
            session.shows_source = True
        try:
            yield
        finally:
            for session in sessions:
                session.shows_source = False
                session.show_solved()
