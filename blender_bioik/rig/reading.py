"""Long reading operations, in steps.

Functions that read the scene frame by frame are generators: before each frame they yield how many
are read and how many there are, and finally return the data. Callers that can wait drain them;
a window runs a few steps at a time and stays responsive. If it is ended early, by `close` or by an
error thrown in, it leaves the scene as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sized
from typing import TypeVar

from .errors import Cancelled

T = TypeVar("T")
Reading = Generator[tuple[int, int], None, T]
Progress = Callable[[int, int], None]
Cancel = Callable[[], bool]

# Progress steps of each part of an operation.
STEPS = 100


def all_read(frames: Sized) -> tuple[int, int]:
    """Progress that a reading yields between steps after the last frame."""
    return len(frames), len(frames)


def drained(
    reading: Reading[T], progress: Progress | None = None, cancelled: Cancel | None = None
) -> T:
    """The result of a reading, run in one go.

    Args:
        reading: The reading.
        progress: Called with the number of frames read and of all frames, after each.
        cancelled: Called before each frame.

    Raises:
        Cancelled: `cancelled` returned true.
    """
    while True:
        try:
            done, total = next(reading)
        except StopIteration as end:
            found: T = end.value
            return found
        try:
            if done and progress is not None:
                progress(done, total)
            if done < total and cancelled is not None and cancelled():
                raise Cancelled
        except BaseException:
            reading.close()
            raise


def parts_of(progress: Progress | None, count: int) -> list[Progress | None]:
    """Progress callbacks for consecutive parts of an operation."""
    if progress is None:
        return [None] * count

    def part(number: int) -> Progress:
        def tell(done: int, total: int) -> None:
            progress(number * STEPS + STEPS * done // max(total, 1), count * STEPS)

        return tell

    return [part(number) for number in range(count)]
