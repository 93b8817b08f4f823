"""Solving beside Blender's main thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

# From a problem, `progress` and `cancelled` to a solution.
Solve = Callable[..., Any]
# How long to wait for a cancelled solving to end.
GRACE_SECONDS = 0.1


class Solving:
    """A problem being solved in a thread of its own."""

    def __init__(self, problem: Any, solve: Solve) -> None:
        """Begin.

        Args:
            problem: What was read.
            solve: Makes a solution of it; called with `progress` and `cancelled`, touches nothing
                of Blender.
        """
        self.problem = problem
        self.done, self.total = 0, 1
        self._solve = solve
        self._stop = threading.Event()
        self._outcome: Any = None
        self._thread = threading.Thread(target=self._run, name="bioik solving", daemon=True)
        self._thread.start()

    def is_running(self) -> bool:
        """Whether it goes on."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Stop it. It ends within a frame or a step, but not while the solver is being compiled.

        Nobody has to wait for that: it touches nothing of Blender, and its result is forgotten.
        """
        self._stop.set()
        self._thread.join(GRACE_SECONDS)

    def solution(self) -> Any:
        """What was found; raises what went wrong."""
        self._thread.join()
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        return self._outcome

    def _run(self) -> None:
        try:
            self._outcome = self._solve(
                self.problem, progress=self._note, cancelled=self._stop.is_set
            )
        except BaseException as error:
            self._outcome = error

    def _note(self, done: int, total: int) -> None:
        self.done, self.total = done, max(1, total)
