"""Watching which frames have changed since the last bake, to show them on a button.

Once a second, and only for armatures whose bake can be updated in part: if settings or inputs of
the bake were edited, and not again since the last check, the frames are compared (`quick_changes`).
The result is kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ..blender.ground_items import ground_items
from ..errors import RigError
from ..record.bake_record import rebake_problem, stored_inputs
from ..source_shown import is_waiting

# Time between checks, seconds.
INTERVAL = 1.0


class Change(NamedTuple):
    """Known changes since an armature's bake.

    Attributes:
        first: First frame that has changed, None if none has.
        last: Last one.
    """

    first: int | None
    last: int | None


class _Seen(NamedTuple):
    """State of an armature at a check: its bake, its settings, and edits of its inputs."""

    inputs: str
    settings: str
    touches: int


class _State:
    touches: dict[int, int] = {}  # noqa: RUF012 (one for the whole session)
    seen: dict[int, _Seen] = {}  # noqa: RUF012
    compared: dict[int, _Seen] = {}  # noqa: RUF012
    changes: dict[int, Change | None] = {}  # noqa: RUF012


def known_change(armature_object: bpy.types.Object) -> Change | None:
    """Known changes since an armature's bake; None if they require reading the scene."""
    return _State.changes.get(armature_object.session_uid)


def look(scene: bpy.types.Scene) -> bool:
    """Check the scene's armatures; returns whether the known changes are different."""
    before = dict(_State.changes)
    for armature_object in _watched(scene):
        uid = armature_object.session_uid
        now = _seen(armature_object)
        settled = _State.seen.get(uid) == now
        _State.seen[uid] = now
        if _State.compared.get(uid) == now:
            continue
        # While something is dragged nothing is compared, and nothing is known.
        _State.changes[uid] = _compared(scene, armature_object) if settled else None
        if settled:
            _State.compared[uid] = now
    return _State.changes != before


def forget() -> None:
    """Clear all results: in another file the same numbers are other objects."""
    for known in (_State.touches, _State.seen, _State.compared, _State.changes):
        known.clear()


def register() -> None:
    """Start watching."""
    bpy.app.handlers.depsgraph_update_post.append(_after_update)
    bpy.app.handlers.load_post.append(_another_file)
    bpy.app.timers.register(_tick, first_interval=INTERVAL, persistent=True)


def unregister() -> None:
    """Stop watching."""
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    bpy.app.handlers.load_post.remove(_another_file)
    bpy.app.handlers.depsgraph_update_post.remove(_after_update)
    forget()


def _tick() -> float:
    scene = bpy.context.scene
    if scene is not None and not is_waiting() and look(scene):
        for window in bpy.context.window_manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()
    return INTERVAL


@persistent
def _after_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if not _State.seen or is_waiting():
        return
    for update in depsgraph.updates:
        # For other data, Blender only reports that it was accessed.
        moved = update.is_updated_transform or update.is_updated_geometry
        if moved or isinstance(update.id, bpy.types.Action):
            uid = update.id.original.session_uid
            _State.touches[uid] = _State.touches.get(uid, 0) + 1


@persistent
def _another_file(*_: Any) -> None:
    forget()


def _watched(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    for object_ in scene.objects:
        if object_.type == "ARMATURE" and object_.bioik.baked.inputs:
            yield object_


def _compared(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> Change | None:
    inputs = stored_inputs(armature_object)
    if inputs is None or rebake_problem(armature_object):
        return None
    if inputs.feet and any(_State.touches.get(uid) for uid in _grounds(armature_object)):
        return None
    from .quick_changes import quick_inputs

    try:
        now = quick_inputs(scene, armature_object, inputs)
    except RigError:
        return None
    if now is None:
        return None
    rows = np.flatnonzero(inputs.changed(now))
    if not len(rows):
        # The ground may have changed before watching started.
        return None if inputs.feet else Change(None, None)
    return Change(round(inputs.frames[rows[0]]), round(inputs.frames[rows[-1]]))


def _seen(armature_object: bpy.types.Object) -> _Seen:
    rig = armature_object.bioik
    groups = [rig.solver, rig.feet, *rig.goals, *rig.feet.contacts]
    settings = repr([_values(group) for group in groups])
    touches = sum(_State.touches.get(uid, 0) for uid in _about(armature_object))
    return _Seen(rig.baked.inputs, settings, touches)


def _values(group: Any) -> list[Any]:
    return [
        tuple(value) if getattr(prop, "is_array", False) else value
        for prop in group.bl_rna.properties
        if prop.type in {"BOOLEAN", "INT", "FLOAT", "ENUM"}
        for value in [getattr(group, prop.identifier)]
    ]


def _about(armature_object: bpy.types.Object) -> set[int]:
    """Numbers of all that an armature's bake may be made from."""
    rig = armature_object.bioik
    objects = [armature_object, *(goal.target for goal in rig.goals if goal.target is not None)]
    found = {rig.baked.source, rig.baked.result, armature_object.data}
    while objects:
        object_ = objects.pop()
        found.add(object_)
        if object_.animation_data is not None:
            found.add(object_.animation_data.action)
        if object_.parent is not None and object_.parent not in found:
            objects.append(object_.parent)
    own = {data.session_uid for data in found if data is not None}
    return own | _grounds(armature_object)


def _grounds(armature_object: bpy.types.Object) -> set[int]:
    """Numbers of the ground's objects and of their meshes."""
    found: set[int] = set()
    for ground in ground_items(armature_object):
        members = [ground.object] if ground.object is not None else []
        members += ground.collection.all_objects if ground.collection is not None else []
        for object_ in members:
            found.add(object_.session_uid)
            if object_.data is not None:
                found.add(object_.data.session_uid)
    return found
