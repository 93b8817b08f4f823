"""The work that goes on in the window; there is only one at a time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from bpy.app.translations import pgettext_iface

from .browsed import Browsed

# Work that takes longer than this tells for how long it has gone on.
LONG_SECONDS = 3


@dataclass
class Work:
    """Work that goes on.

    Attributes:
        label: What it is, as its button says.
        state: What it does now, with room for `done` and `total`.
        done: How much of that is done.
        total: How much there is.
        began: When it began, seconds of `time.perf_counter`.
    """

    label: str
    state: str
    done: int = 0
    total: int = 1
    began: float = field(default_factory=time.perf_counter)

    def text(self) -> str:
        """What it does now, in the user's language."""
        return pgettext_iface(self.state).format(done=self.done, total=self.total)

    def time_text(self) -> str:
        """For how long it has gone on; nothing at first.

        A single step may take minutes: the seconds tell that it is alive.
        """
        seconds = int(time.perf_counter() - self.began)
        return f"{seconds} s" if seconds >= LONG_SECONDS else ""

    def share(self) -> float:
        """How much is done, 0 to 1."""
        return min(1.0, self.done / max(1, self.total))


_running: list[Work] = []


def begin(label: str, state: str) -> Work:
    """Note that some work has begun."""
    work = Work(label, state)
    _running[:] = [work]
    return work


def end() -> None:
    """Note that it has ended."""
    _running.clear()


def running_work() -> Work | None:
    """The work that goes on, if any does."""
    return _running[0] if _running else None


def work_problem() -> str:
    """Why nothing else can be begun, with the way out; nothing if it can.

    Poses that are looked through hinder too: what is restored after them must be what was there.
    """
    if _running:
        return "Another operation is running: wait for it, or press Esc to cancel it"
    return "" if Browsed.solutions is None else "Keep or restore the shown solution first"
