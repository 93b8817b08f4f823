"""Keeping what others print out of a command's own lines.

Blender and its add-ons tell the terminal what they load, read and write, and errors with their
tracebacks; some of it comes from C, which knows nothing of `sys.stdout`.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

STDOUT, STDERR = 1, 2


@contextmanager
def silenced(*outputs: int) -> Iterator[None]:
    """Lose what this process writes to file descriptors, from C as well as from Python."""
    _flush()
    with ExitStack() as undo:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        undo.callback(os.close, nowhere)
        for output in outputs:
            kept = os.dup(output)
            undo.callback(os.close, kept)
            undo.callback(os.dup2, kept, output)
            os.dup2(nowhere, output)
        undo.callback(_flush)
        yield


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    # What C has buffered would otherwise come out later, between our own lines.
    with suppress(OSError, AttributeError):
        (ctypes.cdll.ucrtbase if os.name == "nt" else ctypes.CDLL(None)).fflush(None)
