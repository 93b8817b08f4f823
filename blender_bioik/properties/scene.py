"""Data of the extension on a scene: `Scene.bioik`."""

from typing import Any

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty

from .feet import BioIKGround


def _is_armature(_scene: Any, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE"


class BioIKScene(bpy.types.PropertyGroup):
    """The armature that is edited in a scene, and the ground of its characters."""

    armature: PointerProperty(
        name="Armature",
        description="Armature shown in the sidebar regardless of the selection; if empty, the "
        "sidebar follows the selection",
        type=bpy.types.Object,
        poll=_is_armature,
    )
    grounds: CollectionProperty(
        name="Ground of the Scene",
        description="Objects and collections that characters without a ground of their own walk on",
        type=BioIKGround,
    )
    active_ground: IntProperty(
        name="Active Ground", description="Active item in the list of grounds"
    )


def register() -> None:
    """Add the property to scenes."""
    bpy.types.Scene.bioik = PointerProperty(
        name="Bio-IK", description="Bio-IK settings of the scene", type=BioIKScene
    )


def unregister() -> None:
    """Remove the property; its data stays in saved files."""
    del bpy.types.Scene.bioik
