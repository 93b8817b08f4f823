"""Showing armatures as animated while a clip is read, and suspending live solving.

Bakes and readers of clips use this. This module does not know live solving: `rig.live` adds its
sessions to `SHOWN_POSES`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol


class ShownPose(Protocol):
    """An armature that shows another pose than its animation has.

    Attributes:
        shows_source: Whether it shows its animation for a while; see `source_shown`.
    """

    shows_source: bool

    def show_source(self) -> None:
        """Show the pose of the animation."""

    def show_solved(self) -> None:
        """Show the other pose again."""


# Each returns the armatures that show another pose at present.
SHOWN_POSES: list[Callable[[], Iterable[ShownPose]]] = []

_lock = threading.Lock()
_waits = 0


def is_waiting() -> bool:
    """Whether live solving is suspended."""
    return _waits > 0


@contextmanager
def live_waits() -> Iterator[None]:
    """Temporarily suspend live solving. Does not access Blender; safe in any thread."""
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
    """Temporarily show all armatures in their animated poses.

    Nested use has no effect.
    """
    shown = [pose for poses in SHOWN_POSES for pose in poses()]
    if any(pose.shows_source for pose in shown):
        yield
        return
    with live_waits():
        for pose in shown:
            pose.show_source()
            pose.shows_source = True
        try:
            yield
        finally:
            for pose in shown:
                pose.shows_source = False
                pose.show_solved()
