"""Where the user's presets are kept: never beside the bundled ones, which may be read-only."""

from __future__ import annotations

import os
from pathlib import Path

import bpy

from ..presets import Store

# A folder of presets in place of the user's own, such as a studio's.
FOLDER_VARIABLE = "BLENDER_BIOIK_PRESETS"
_ROOT = (__package__ or "").rpartition(".")[0]


def preset_store() -> Store:
    """The bundled presets and the user's; the folder is made when something is kept in it.

    An extension has a folder of its own, which updates leave alone. As a plain package, presets
    are where Blender has those of its user, in a folder that its own menus do not look into.
    """
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Store(Path(chosen))
    if _ROOT.startswith("bl_ext."):
        return Store(Path(bpy.utils.extension_path_user(_ROOT, path="presets")))
    return Store(Path(bpy.utils.user_resource("SCRIPTS"), "presets", "bioik"))
