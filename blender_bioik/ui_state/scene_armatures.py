"""The armatures of a scene, found without looking at all of its objects in every redraw."""

from __future__ import annotations

from typing import Any

import bpy

# Names of the file's armature objects, and what the file's armatures were like when these were
# found. Names, not objects: undo and other files leave no object behind that can be held on to.
_Key = tuple[tuple[int, int], ...]
_Name = tuple[str, str | None]
_found: tuple[_Key, tuple[_Name, ...]] = ((), ())


def scene_armatures(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Armature objects of the view layer, hidden ones included."""
    return [found for found in _file_armatures() if is_in_view_layer(context, found)]


def is_in_view_layer(context: bpy.types.Context, wanted: bpy.types.Object) -> bool:
    """Whether an object is there to be worked on, and not deleted or in an excluded collection."""
    layer = context.view_layer
    # The first answer is quick, in scenes of thousands of objects too.
    return wanted.visible_get(view_layer=layer) or wanted in layer.objects.values()


def _file_armatures() -> list[bpy.types.Object]:
    """All armature objects of the file; looked for only when an armature has other users."""
    global _found  # noqa: PLW0603, remembered for the next redraw
    key = tuple((data.session_uid, data.users) for data in bpy.data.armatures)
    objects: list[Any] = [bpy.data.objects.get(name) for name in _found[1]]
    if key != _found[0] or None in objects:
        objects = [found for found in bpy.data.objects if found.type == "ARMATURE"]
        _found = (key, tuple(_name(found) for found in objects))
    return objects


def _name(found: bpy.types.Object) -> _Name:
    return found.name, found.library.filepath if found.library else None
