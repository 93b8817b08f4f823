"""Blender's operators on files, for programs: silent, and with errors of one sentence.

Blender and its add-ons tell the terminal what they read and write, errors with their tracebacks.
A command whose own lines are to be read by people and programs cannot have that in between.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import bpy

from .errors import RigError

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


def run_file_operator(operator: Callable[..., Any], path: Path, **options: Any) -> None:
    """Run an operator on a file.

    Raises:
        RigError: It failed; says why in one sentence.
    """
    try:
        with silenced(STDOUT, STDERR):
            operator(filepath=str(path), **options)
    except RuntimeError as error:
        raise RigError(f'"{path}": {_reason(error)}.') from error


def open_blend(path: Path) -> None:
    """Open a .blend file.

    Raises:
        RigError: It cannot be read.
    """
    run_file_operator(bpy.ops.wm.open_mainfile, path, load_ui=False)


def open_empty() -> None:
    """Begin a file with an empty scene; preferences and add-ons stay as they are."""
    with silenced(STDOUT, STDERR):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def save_blend(path: Path) -> None:
    """Save the open file under a name.

    Raises:
        RigError: It cannot be written.
    """
    run_file_operator(bpy.ops.wm.save_as_mainfile, path, check_existing=False)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    # What C has buffered would otherwise come out later, between our own lines.
    with suppress(OSError, AttributeError):
        (ctypes.cdll.ucrtbase if os.name == "nt" else ctypes.CDLL(None)).fflush(None)


def _reason(error: RuntimeError) -> str:
    """What an operator's error says, without its traceback and the kind of the error."""
    lines = [line for line in str(error).splitlines() if line and not line.startswith("Location:")]
    last = lines[-1] if lines else "the reason is not known"
    return re.sub(r"^(\w*(Error|Exception|Warning): )+", "", last).rstrip(".")
