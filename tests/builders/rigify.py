"""Rigs of Rigify."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import bpy


def add_metarig(kind: str = "human") -> bpy.types.Object:
    """A metarig, with Rigify enabled; active."""
    bpy.ops.preferences.addon_enable(module="rigify")
    importlib.import_module("rigify").register_rig_parameters()
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    metarig: bpy.types.Object = bpy.context.object
    return metarig


def generated_human(path: Path) -> bpy.types.Object:
    """The rig of the human metarig, from a file that is made if it is not there yet."""
    if not path.exists():
        generate(add_metarig())
        own = path.with_stem(f"{path.stem}-{os.getpid()}")
        bpy.ops.wm.save_as_mainfile(filepath=str(own))
        own.replace(path)  # at once: other processes look for it, too
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return next(o for o in bpy.data.objects if o.type == "ARMATURE" and "rig_id" in o.data)


def generate(metarig: bpy.types.Object) -> bpy.types.Object:
    """The rig that Rigify makes of a metarig; active."""
    bpy.ops.pose.rigify_generate()
    return next(o for o in bpy.data.objects if o.type == "ARMATURE" and o is not metarig)
