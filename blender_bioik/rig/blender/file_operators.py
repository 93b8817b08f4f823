"""Blender's operators on files, for programs: silent, and with errors of one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from ..errors import RigError
from .silence import STDERR, STDOUT, silenced


def run_file_operator(operator: Callable[..., Any], path: Path, **options: Any) -> None:
    """Run an operator on a file.

    Raises:
        RigError: It failed; gives the reason in one sentence.
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


def _reason(error: RuntimeError) -> str:
    """The message of an operator's error, without its traceback and type."""
    lines = [line for line in str(error).splitlines() if line and not line.startswith("Location:")]
    last = lines[-1] if lines else "the reason is not known"
    return re.sub(r"^(\w*(Error|Exception|Warning): )+", "", last).rstrip(".")
