"""Data of the extension on a scene: `Scene.bioik`."""

from typing import Any

import bpy
from bpy.props import PointerProperty


def _is_armature(_scene: Any, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE"


class BioIKScene(bpy.types.PropertyGroup):
    """The armature that is edited in a scene."""

    armature: PointerProperty(
        name="Armature",
        description="Armature shown in the sidebar regardless of the selection; if empty, the "
        "sidebar follows the selection",
        type=bpy.types.Object,
        poll=_is_armature,
    )


def register() -> None:
    """Add the property to scenes."""
    bpy.types.Scene.bioik = PointerProperty(
        name="Bio-IK", description="Bio-IK settings of the scene", type=BioIKScene
    )


def unregister() -> None:
    """Remove the property; its data stays in saved files."""
    del bpy.types.Scene.bioik
