"""The work that goes on in the window; there is only one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpy.app.translations import pgettext_iface

if TYPE_CHECKING:
    from ..rig.solutions import Solutions


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


class Browsed:
    """The poses that are being looked through, if any.

    The panel shows them, and its buttons and the keys of the running operator choose among the
    same.
    """

    solutions: Solutions | None = None


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


def browsed_solutions() -> Solutions | None:
    """The poses that are being looked through, None if none are."""
    return Browsed.solutions


def work_problem() -> str:
    """Why nothing else can be begun, with the way out; nothing if it can.

    Poses that are looked through hinder too: what is restored after them must be what was there.
    """
    if _running:
        return "Wait for the running work, or press Esc to cancel it"
    return "" if Browsed.solutions is None else "Keep or restore the pose that is shown first"
