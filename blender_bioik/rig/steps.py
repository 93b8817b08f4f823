"""The three steps of all that takes long: read, solve, write.

Scripts and the command line do them at once. An operator in a window does the first a little at a
time, and the second in a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .reading import Cancel, Progress, Reading, drained


class Steps(NamedTuple):
    """The steps of some work.

    Attributes:
        reading: Reads the scene and returns a problem. Changes nothing, also when it is ended
            early.
        solve: From a problem, `progress` and `cancelled` to a solution; touches nothing of Blender.
            None where there is nothing to solve.
        write: From problem and solution to what was done. Writes all, or raises.
    """

    reading: Reading[Any]
    solve: Callable[..., Any] | None
    write: Callable[[Any, Any], Any]


def done(steps: Steps, progress: Progress | None = None, cancelled: Cancel | None = None) -> Any:
    """Do all steps at once.

    Args:
        steps: The steps.
        progress: Called with the work done and all work of solving.
        cancelled: Asked now and then; once it returns true nothing is written.

    Returns:
        What writing returns.

    Raises:
        RigError: Something stands in the way.
        Cancelled: `cancelled` returned true.
    """
    problem = drained(steps.reading, cancelled=cancelled)
    solution = None
    if steps.solve is not None:
        solution = steps.solve(problem, progress=progress, cancelled=cancelled)
    return steps.write(problem, solution)
