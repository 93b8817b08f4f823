"""Folder of the user's presets, apart from the bundled ones, which may be read-only."""

from __future__ import annotations

import os
from pathlib import Path

import bpy

from ..presets import Store

# A folder of presets in place of the user's own, such as a studio's.
FOLDER_VARIABLE = "BLENDER_BIOIK_PRESETS"
_ROOT = (__package__ or "").rpartition(".")[0]


def preset_store() -> Store:
    """The bundled and the user's presets; the folder is created on the first save.

    An extension has its own user folder, which updates do not touch. A plain package uses
    Blender's user presets, in a folder that Blender's own menus ignore.
    """
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Store(Path(chosen))
    if _ROOT.startswith("bl_ext."):
        return Store(Path(bpy.utils.extension_path_user(_ROOT, path="presets")))
    return Store(Path(bpy.utils.user_resource("SCRIPTS"), "presets", "bioik"))
