"""Solving in a background thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

# Takes a problem, `progress` and `cancelled`, and returns a solution.
Solve = Callable[..., Any]
# How long to wait for a cancelled solving to end.
GRACE_SECONDS = 0.1


class Solving:
    """A problem being solved in a background thread."""

    def __init__(self, problem: Any, solve: Solve) -> None:
        """Begin.

        Args:
            problem: The problem to solve.
            solve: Returns its solution; called with `progress` and `cancelled`, and does not access
                Blender.
        """
        self.problem = problem
        self.done, self.total = 0, 1
        self._solve = solve
        self._stop = threading.Event()
        self._outcome: Any = None
        self._thread = threading.Thread(target=self._run, name="bioik solving", daemon=True)
        self._thread.start()

    def is_running(self) -> bool:
        """Whether it is still running."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Stop it. It ends within a frame or a step, but not while the solver is being compiled.

        There is no need to wait for that: it does not access Blender, and its result is discarded.
        """
        self._stop.set()
        self._thread.join(GRACE_SECONDS)

    def solution(self) -> Any:
        """The solution; raises the error if solving failed."""
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
