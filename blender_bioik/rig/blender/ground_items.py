"""The ground that an armature stands on: its own list, or that of the scene."""

from __future__ import annotations

from typing import Any

import bpy


def ground_items(armature_object: bpy.types.Object, scene: bpy.types.Scene | None = None) -> Any:
    """An armature's list of grounds or, if it stands on the scene's ground, the scene's."""
    scene = scene or bpy.context.scene
    if shares_ground(armature_object, scene):
        return scene.bioik.grounds
    return armature_object.bioik.feet.grounds


def shares_ground(armature_object: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether an armature stands on the scene's ground: there is one, and none of its own."""
    own = armature_object.bioik.feet.grounds
    return len(scene.bioik.grounds) > 0 and not any(g.object or g.collection for g in own)
