"""The work that goes on in the window; there is only one at a time."""

from __future__ import annotations

from dataclasses import dataclass

from bpy.app.translations import pgettext_iface


@dataclass
class Work:
    """Work that goes on.

    Attributes:
        label: What it is, as its button says.
        state: What it does now, with room for `done` and `total`.
        done: How much of that is done.
        total: How much there is.
    """

    label: str
    state: str
    done: int = 0
    total: int = 1

    def text(self) -> str:
        """What it does now, in the user's language."""
        return pgettext_iface(self.state).format(done=self.done, total=self.total)

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
    """Why nothing else can be begun, with the way out; nothing if it can."""
    return "Wait for the running work, or press Esc to cancel it" if _running else ""
