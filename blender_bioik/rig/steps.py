"""The steps of long operations: read, solve, pose controls, write.

Scripts and the command line run them at once. An operator in a window runs reading and posing in
small portions, and solving in a separate thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from .errors import RigError
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


@dataclass
class Part:
    """One of several works that are done together.

    Attributes:
        name: What it is about.
        make: Makes its steps.
        steps: The steps.
        read: The problem that was read.
        value: The solution, then the report.
        problem: Why it cannot be done; empty if it can.
    """

    name: str
    make: Callable[[], Steps]
    steps: Steps | None = None
    read: Any = None
    value: Any = None
    problem: str = ""


def together(parts: Sequence[Part]) -> Steps:
    """The steps of several works as one: all are read, all are solved, and only then written.

    What cannot be done is left out, and says why; an error is raised if that is all of it. Ended
    early, nothing has been changed. Writing returns the parts.
    """
    return Steps(_reading_all(parts), _solve_all, _write_all, _pose_all)


def _reading_all(parts: Sequence[Part]) -> Reading[Sequence[Part]]:
    for number, part in enumerate(parts):
        try:
            part.steps = part.make()
            part.read = yield from _share_of(part.steps.reading, number, len(parts))
        except RigError as error:
            part.problem = str(error)
    _refuse_all_failed(parts)
    return parts


def _solve_all(
    parts: Sequence[Part], progress: Progress | None = None, cancelled: Cancel | None = None
) -> Sequence[Part]:
    for number, part in enumerate(parts):
        if part.problem or part.steps is None or part.steps.solve is None:
            continue
        noted = partial(_noted, progress, number, len(parts)) if progress is not None else None
        try:
            part.value = part.steps.solve(part.read, progress=noted, cancelled=cancelled)
        except RigError as error:
            part.problem = str(error)
    _refuse_all_failed(parts)
    return parts


def _pose_all(parts: Sequence[Part], _solved: Any) -> Reading[Sequence[Part]]:
    for number, part in enumerate(parts):
        if part.problem or part.steps is None or part.steps.pose is None:
            continue
        posing = part.steps.pose(part.read, part.value)
        try:
            part.value = yield from _share_of(posing, number, len(parts))
        except RigError as error:
            part.problem = str(error)
    return parts


def _write_all(parts: Sequence[Part], _solved: Any) -> Sequence[Part]:
    for part in parts:
        if part.problem or part.steps is None:
            continue
        try:
            part.value = part.steps.write(part.read, part.value)
        except RigError as error:
            part.problem = str(error)
    _refuse_all_failed(parts)
    return parts


def _share_of(reading: Reading[Any], number: int, count: int) -> Reading[Any]:
    """A reading whose progress is that of one of several."""
    while True:
        try:
            done, total = next(reading)
        except StopIteration as end:
            return end.value
        try:
            yield number * total + done, count * total
        except BaseException:
            reading.close()
            raise


def _noted(progress: Progress, number: int, count: int, done: int, total: int) -> None:
    progress(number * total + done, count * total)


def _refuse_all_failed(parts: Sequence[Part]) -> None:
    if all(part.problem for part in parts):
        raise RigError(parts[0].problem)
