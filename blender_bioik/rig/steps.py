"""The steps of long operations: read, solve, pose controls, write.

Scripts and the command line run them at once. An operator in a window runs reading and posing in
small portions, and solving in a separate thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .reading import Cancel, Progress, Reading, drained


class Steps(NamedTuple):
    """The steps of an operation.

    Attributes:
        reading: Reads the scene and returns a problem. Changes nothing, even if ended early.
        solve: From a problem, `progress` and `cancelled` to a solution; touches nothing of Blender.
            None where there is nothing to solve.
        write: From problem and solution to the report. Writes everything, or raises.
        pose: From problem and solution to a solution that can be written, for rigs whose controls
            have to be posed by evaluating the scene. Changes nothing, even if ended early.
    """

    reading: Reading[Any]
    solve: Callable[..., Any] | None
    write: Callable[[Any, Any], Any]
    pose: Callable[[Any, Any], Reading[Any]] | None = None


def done(steps: Steps, progress: Progress | None = None, cancelled: Cancel | None = None) -> Any:
    """Do all steps at once.

    Args:
        steps: The steps.
        progress: Called with the work done and the total work of solving.
        cancelled: Called regularly; once it returns true, nothing is written.

    Returns:
        The return value of writing.

    Raises:
        RigError: It cannot be done; says why.
        Cancelled: `cancelled` returned true.
    """
    problem = drained(steps.reading, cancelled=cancelled)
    solution = None
    if steps.solve is not None:
        solution = steps.solve(problem, progress=progress, cancelled=cancelled)
    if steps.pose is not None:
        solution = drained(steps.pose(problem, solution), cancelled=cancelled)
    return steps.write(problem, solution)
