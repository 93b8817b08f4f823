"""The command line without a window: `python -m blender_bioik ...`.

Blender is imported after parsing the arguments, so that help and argument errors come
immediately, even without bpy.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .command_line.answer import answered
from .command_line.parser import NOTHING_BAKED, parsed
from .rig.blender.silence import STDOUT, silenced


def main(words: Sequence[str]) -> int:
    """Run `python -m blender_bioik` with these arguments; returns the exit code."""
    name = "python -m blender_bioik"
    arguments = parsed(words, name)
    if isinstance(arguments, int):
        return arguments
    try:
        with silenced(STDOUT):
            import bpy  # noqa: F401
    except ImportError as error:
        print(f"{name}: needs Blender's Python module, pip install bpy ({error})", file=sys.stderr)
        return NOTHING_BAKED
    from . import register as register_extension
    from . import unregister as unregister_extension

    register_extension()
    try:
        return answered(arguments, name)
    finally:
        unregister_extension()
