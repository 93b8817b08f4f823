"""Folder of the compiled kernels: the extension's user folder, if it is an extension."""

from __future__ import annotations

import contextlib
import os

import bpy

CACHE_VARIABLE = "BLENDER_BIOIK_CACHE"
_ROOT = __package__ or ""


def register() -> None:
    """Set the folder for the solver, before it is imported.

    The folder of the extension itself is replaced by updates and may be read-only; this one is not,
    and Blender removes it when the extension is uninstalled. As a plain package, the solver keeps
    its own choice; a folder set in the environment is respected.
    """
    if _ROOT.startswith("bl_ext.") and CACHE_VARIABLE not in os.environ:
        # If the folder cannot be created, the solver chooses another one.
        with contextlib.suppress(OSError):
            os.environ[CACHE_VARIABLE] = bpy.utils.extension_path_user(
                _ROOT, path="kernels", create=True
            )


def unregister() -> None:
    """Unset the folder, if this extension has set it."""
    if not _ROOT.startswith("bl_ext."):
        return
    if os.environ.get(CACHE_VARIABLE) == bpy.utils.extension_path_user(_ROOT, path="kernels"):
        del os.environ[CACHE_VARIABLE]
