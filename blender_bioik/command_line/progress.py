"""Progress of a bake in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..rig.reading import Progress


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A progress callback that draws a temporary line in a terminal, or None elsewhere."""
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // max(1, total)
        if percent != shown and sys.stderr.isatty():
            shown = percent
            print(f"\rBaking: {percent} %", end="", file=sys.stderr, flush=True)

    show(0, 1)  # on first use, the solver is compiled before there is any progress
    try:
        yield show
    finally:
        if shown >= 0:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
