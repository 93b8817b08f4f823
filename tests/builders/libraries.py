"""Library files, and data linked from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from blender_bioik.rig.blender import fcurves

from .files import new_file


def save_as_library(path: Path) -> Path:
    """Save the file, and open an empty one."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    new_file()
    return path


def load(path: Path, kind: str, name: str, *, link: bool = True) -> Any:
    """A data-block of a library, linked or appended."""
    with bpy.data.libraries.load(str(path), link=link) as (_, wanted):
        setattr(wanted, kind, [name])
    return getattr(wanted, kind)[0]


def link_object(path: Path, name: str) -> bpy.types.Object:
    """An object of a library, in the scene; active."""
    linked: bpy.types.Object = load(path, "objects", name)
    bpy.context.scene.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    return linked


def put_in_collection(*members: bpy.types.Object) -> bpy.types.Collection:
    """Move objects of the scene into a collection "Character"."""
    collection = bpy.data.collections.new("Character")
    bpy.context.scene.collection.children.link(collection)
    for member in members:
        collection.objects.link(member)
        bpy.context.scene.collection.objects.unlink(member)
    return collection


def link_own_action(rig: bpy.types.Object, path: Path) -> bpy.types.Action:
    """Let an armature play its action from a library."""
    action = rig.animation_data.action
    bpy.data.libraries.write(str(path), {action}, fake_user=True)
    linked: bpy.types.Action = load(path, "actions", action.name)
    slot = next(iter(linked.slots), None) if fcurves.LAYERED_ACTIONS else None
    fcurves.assign_action(rig, linked, slot)
    return linked
