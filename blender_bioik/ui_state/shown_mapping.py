"""The detected mapping of the shown armature, updated when Blender reports a change.

Panels use it on every redraw; comparing all bones each time would take a tenth of the drawing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from bpy.app.handlers import persistent

from ..properties.feet import SIZES
from ..rig.errors import RigError

if TYPE_CHECKING:
    from ..rig.mapping.mapping import Mapping


class Summary(NamedTuple):
    """Summary of a rig's mapping.

    Attributes:
        family: The naming family that was recognised.
        found: Number of body parts with bones.
        known: Number of body parts in total.
        problem: Why its legs have to be confirmed; empty if they are sure enough.
    """

    family: str
    found: int
    known: int
    problem: str


# By armature data; the second includes the bones assigned by hand.
_shown: dict[int, Mapping] = {}
_summaries: dict[int, tuple[list[tuple[str, str]], Summary]] = {}


def shown_mapping(armature: bpy.types.Object) -> Mapping:
    """The detected mapping of an armature, without the bones assigned by hand.

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
    """Summary of an armature, including the bones assigned by hand.

    Raises:
        RigError: It has no bones, or an assigned bone does not exist.
    """
    uid = armature.data.session_uid
    chosen = [(slot.name, slot.bone) for slot in armature.bioik.slots]
    if uid not in _summaries or _summaries[uid][0] != chosen:
        _summaries[uid] = chosen, _summary(armature)
    return _summaries[uid][1]


def shown_size(armature: bpy.types.Object) -> float:
    """Size of a character relative to one of 1.6 m, by its legs in the rest pose; 1 without."""
    import numpy as np

    from ..rig.mapping.chosen import with_chosen
    from ..rig.soles.soles import size_of_legs

    try:
        legs = with_chosen(shown_mapping(armature), armature).legs
    except RigError:
        return 1.0
    bones = armature.data.bones
    chains = [
        [tuple(bones[name].head_local) for name in leg.bones if name in bones]
        for leg in legs
        if leg.foot
    ]
    unit = float(np.cbrt(abs(armature.matrix_world.to_3x3().determinant())))
    return size_of_legs(chains) * unit if chains else 1.0


def _summary(armature: bpy.types.Object) -> Summary:
    from ..rig.mapping.chosen import with_chosen
    from ..rig.mapping.guess import guess_problem
    from ..rig.mapping.parts import found_parts

    mapping = with_chosen(shown_mapping(armature), armature)
    return Summary(mapping.family, *found_parts(mapping), guess_problem(mapping))


def register() -> None:
    """Add the handlers that notice changes, and offer the size of characters."""
    SIZES.append(shown_size)
    handlers = bpy.app.handlers
    handlers.depsgraph_update_post.append(_after_update)
    for changes in (handlers.undo_post, handlers.redo_post, handlers.load_post):
        changes.append(_another_state)


def unregister() -> None:
    """Remove both."""
    SIZES.remove(shown_size)
    handlers = bpy.app.handlers
    for changes in (handlers.load_post, handlers.redo_post, handlers.undo_post):
        changes.remove(_another_state)
    handlers.depsgraph_update_post.remove(_after_update)
    _forget()


@persistent
def _after_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.id_type_updated("ARMATURE") or depsgraph.id_type_updated("ACTION"):
        _forget()


@persistent
def _another_state(*_: Any) -> None:
    _forget()


def _forget() -> None:
    _shown.clear()
    _summaries.clear()
