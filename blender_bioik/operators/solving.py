"""The solving of a bake beside Blender's main thread."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..rig.bake import BakePlan

# How long to wait for a cancelled solving to end.
GRACE_SECONDS = 0.5


class Solving:
    """A bake being solved in a thread of its own."""

    def __init__(self, plan: BakePlan) -> None:
        self.plan = plan
        self.done, self.total = 0, max(1, len(plan.clip.frames))
        self.seconds = 0.0
        self._stop = threading.Event()
        self._outcome: Any = None
        self._thread = threading.Thread(target=self._run, name="Bio-IK bake", daemon=True)
        self._thread.start()

    def is_running(self) -> bool:
        """Whether it goes on."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Stop it. It ends within a frame; while the solver is still being compiled it ends later.

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
        from ..rig.bake import solve_bake

        started = time.perf_counter()
        try:
            self._outcome = solve_bake(self.plan, progress=self._note, cancelled=self._stop.is_set)
        except BaseException as error:
            self._outcome = error
        self.seconds = time.perf_counter() - started

    def _note(self, done: int, total: int) -> None:
        self.done, self.total = done, max(1, total)
