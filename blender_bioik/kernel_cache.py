"""Where the compiled kernels are kept: in the extension's user folder, if it is an extension."""

from __future__ import annotations

import contextlib
import os

import bpy

CACHE_VARIABLE = "BLENDER_BIOIK_CACHE"
_ROOT = __package__ or ""


def register() -> None:
    """Tell the solver the folder, before it is imported.

    The folder of an extension itself is emptied by updates and may be read-only; this one is not,
    and Blender removes it when the extension is uninstalled. As a plain package, the solver keeps
    its own choice; a folder chosen by whoever started Blender is respected.
    """
    if _ROOT.startswith("bl_ext.") and CACHE_VARIABLE not in os.environ:
        # A folder that cannot be made is no reason to fail: the solver then chooses another.
        with contextlib.suppress(OSError):
            os.environ[CACHE_VARIABLE] = bpy.utils.extension_path_user(
                _ROOT, path="kernels", create=True
            )


def unregister() -> None:
    """Forget the folder, if it was this extension's choice."""
    if not _ROOT.startswith("bl_ext."):
        return
    if os.environ.get(CACHE_VARIABLE) == bpy.utils.extension_path_user(_ROOT, path="kernels"):
        del os.environ[CACHE_VARIABLE]
