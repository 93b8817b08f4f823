"""The armatures of a scene, found without visiting all of its objects on every redraw."""

from __future__ import annotations

from typing import Any

import bpy

# Names of the file's armature objects, and the state of the file's armatures when these were
# found. Names, not objects: references to objects do not survive undo or loading files.
_Key = tuple[tuple[int, int], ...]
_Name = tuple[str, str | None]
_found: tuple[_Key, tuple[_Name, ...]] = ((), ())


def scene_armatures(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Armature objects of the view layer, hidden ones included."""
    return [found for found in _file_armatures() if is_in_view_layer(context, found)]


def is_in_view_layer(context: bpy.types.Context, wanted: bpy.types.Object) -> bool:
    """Whether an object is in the view layer, not deleted or in an excluded collection."""
    layer = context.view_layer
    # The first test is fast even in scenes with thousands of objects.
    return wanted.visible_get(view_layer=layer) or wanted in layer.objects.values()


def _file_armatures() -> list[bpy.types.Object]:
    """All armature objects of the file; searched again only when the users of armatures change."""
    global _found  # noqa: PLW0603, remembered for the next redraw
    key = tuple((data.session_uid, data.users) for data in bpy.data.armatures)
    objects: list[Any] = [bpy.data.objects.get(name) for name in _found[1]]
    if key != _found[0] or None in objects:
        objects = [found for found in bpy.data.objects if found.type == "ARMATURE"]
        _found = (key, tuple(_name(found) for found in objects))
    return objects


def _name(found: bpy.types.Object) -> _Name:
    return found.name, found.library.filepath if found.library else None
