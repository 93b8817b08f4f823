"""Silencing output of Blender and add-ons between a command's own lines.

Blender and its add-ons print messages about files, and errors with their
tracebacks; some of them from C, which bypasses `sys.stdout`.
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
    """Discard the output of this process to file descriptors, from C as well as from Python."""
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
    # Buffered output of C would otherwise appear later, between our own lines.
    with suppress(OSError, AttributeError):
        (ctypes.cdll.ucrtbase if os.name == "nt" else ctypes.CDLL(None)).fflush(None)
