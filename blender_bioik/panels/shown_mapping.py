"""What is detected of the armature that is shown, looked at again when Blender says it has changed.

Drawing asks at every redraw; comparing all bones each time would be a tenth of its cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

if TYPE_CHECKING:
    from ..rig.mapping.mapping import Mapping

# By the armature's data.
_shown: dict[int, Mapping] = {}


def shown_mapping(armature: bpy.types.Object) -> Mapping:
    """Which bones of an armature are which parts of a body, without what its user has chosen.

    As it was when Blender last evaluated the scene, which it does before it draws.

    Raises:
        RigError: It has no bones.
    """
    from ..rig.mapping.remembered import detected_mapping

    uid = armature.data.session_uid
    if uid not in _shown:
        _shown[uid] = detected_mapping(armature)
    return _shown[uid]


def register() -> None:
    """Have changes noticed."""
    handlers = bpy.app.handlers
    handlers.depsgraph_update_post.append(_after_update)
    for changes in (handlers.undo_post, handlers.redo_post, handlers.load_post):
        changes.append(_another_state)


def unregister() -> None:
    """Leave that."""
    handlers = bpy.app.handlers
    for changes in (handlers.load_post, handlers.redo_post, handlers.undo_post):
        changes.remove(_another_state)
    handlers.depsgraph_update_post.remove(_after_update)
    _shown.clear()


@persistent
def _after_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.id_type_updated("ARMATURE"):
        _shown.clear()


@persistent
def _another_state(*_: Any) -> None:
    _shown.clear()
