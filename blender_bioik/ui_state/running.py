"""The operation running in the window; there is only one at a time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from bpy.app.translations import pgettext_iface

from .browsed import Browsed

# Operations that take longer than this show their elapsed time.
LONG_SECONDS = 3


@dataclass
class Work:
    """A running operation.

    Attributes:
        label: Label of its button.
        state: Its current step, a template with `done` and `total`.
        done: Completed units of the step.
        total: Total units of the step.
        began: Start time, seconds of `time.perf_counter`.
    """

    label: str
    state: str
    done: int = 0
    total: int = 1
    began: float = field(default_factory=time.perf_counter)

    def text(self) -> str:
        """Its current step, in the user's language."""
        return pgettext_iface(self.state).format(done=self.done, total=self.total)

    def time_text(self) -> str:
        """The elapsed time; empty at first.

        A single step may take minutes: the seconds show that it is still running.
        """
        seconds = int(time.perf_counter() - self.began)
        return f"{seconds} s" if seconds >= LONG_SECONDS else ""

    def share(self) -> float:
        """Progress, 0 to 1."""
        return min(1.0, self.done / max(1, self.total))


_running: list[Work] = []


def begin(label: str, state: str) -> Work:
    """Register a started operation."""
    work = Work(label, state)
    _running[:] = [work]
    return work


def end() -> None:
    """Unregister the operation."""
    _running.clear()


def running_work() -> Work | None:
    """The running operation, if any."""
    return _running[0] if _running else None


def work_problem() -> str:
    """Why no other operation can start and how to fix it; empty if one can.

    Browsing solutions blocks others too: the pose restored afterwards must be the original one.
    """
    if _running:
        return "Another operation is running: wait for it, or press Esc to cancel it"
    return "" if Browsed.solutions is None else "Keep or restore the shown solution first"
