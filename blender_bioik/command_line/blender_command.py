"""`blender --command bioik ...`, where the extension is enabled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from .answer import answered
from .parser import parsed

COMMAND = "bioik"

_handle: Any = None


def register() -> None:
    """Register the command."""
    global _handle  # noqa: PLW0603, Blender wants it back when the command is taken away
    _handle = bpy.utils.register_cli_command(COMMAND, _run_in_blender)


def unregister() -> None:
    """Unregister the command."""
    bpy.utils.unregister_cli_command(_handle)


def _run_in_blender(words: Sequence[str]) -> int:
    name = f"blender --command {COMMAND}"
    arguments = parsed(words, name)
    return arguments if isinstance(arguments, int) else answered(arguments, name)
