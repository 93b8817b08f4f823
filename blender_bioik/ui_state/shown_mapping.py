"""What is detected of the armature that is shown, looked at again when Blender says it has changed.

Drawing asks at every redraw; comparing all bones each time would be a tenth of its cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from bpy.app.handlers import persistent

if TYPE_CHECKING:
    from ..rig.mapping.mapping import Mapping


class Summary(NamedTuple):
    """What is said about a rig in a few words.

    Attributes:
        family: The naming family that was recognised.
        found: How many parts of a body have bones.
        known: Of how many.
    """

    family: str
    found: int
    known: int


# By the armature's data; the second with the choices that were made by hand.
_shown: dict[int, Mapping] = {}
_summaries: dict[int, tuple[list[tuple[str, str]], Summary]] = {}


def shown_mapping(armature: bpy.types.Object) -> Mapping:
    """Which bones of an armature are which parts of a body, without what its user has chosen.

    As it was when Blender last evaluated the scene, which it does before it draws.

    Raises:
        RigError: It has no bones.
    """
    uid = armature.data.session_uid
    if uid not in _shown:
        from ..rig.mapping.remembered import detected_mapping

        _shown[uid] = detected_mapping(armature)
    return _shown[uid]


def shown_summary(armature: bpy.types.Object) -> Summary:
    """What there is to say about an armature, with what its user has chosen.

    Raises:
        RigError: It has no bones, or a bone that was chosen does not exist.
    """
    uid = armature.data.session_uid
    chosen = [(slot.name, slot.bone) for slot in armature.bioik.slots]
    if uid not in _summaries or _summaries[uid][0] != chosen:
        _summaries[uid] = chosen, _summary(armature)
    return _summaries[uid][1]


def _summary(armature: bpy.types.Object) -> Summary:
    from ..rig.mapping.chosen import with_chosen
    from ..rig.mapping.parts import found_parts

    mapping = with_chosen(shown_mapping(armature), armature)
    return Summary(mapping.family, *found_parts(mapping))


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
    _forget()


@persistent
def _after_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.id_type_updated("ARMATURE"):
        _forget()


@persistent
def _another_state(*_: Any) -> None:
    _forget()


def _forget() -> None:
    _shown.clear()
    _summaries.clear()
