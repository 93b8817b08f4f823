"""Restoring the scene after reading, which changes only the frame and data that depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from . import fcurves

TRANSFORM_PROPERTIES = {
    "location": 3,
    "rotation_quaternion": 4,
    "rotation_euler": 3,
    "rotation_axis_angle": 4,
    "scale": 3,
}
# Whether a bone is selected moved from the armature to the object with Blender 5.0.
SELECT_ON_POSE_BONE = bpy.app.version >= (5, 0, 0)


def frames_per_second(scene: bpy.types.Scene) -> float:
    """The scene's frame rate."""
    return float(scene.render.fps / scene.render.fps_base)


@contextmanager
def preserved_frame(
    scene: bpy.types.Scene, armature_objects: Iterable[bpy.types.Object] = ()
) -> Iterator[None]:
    """Restore the current frame afterwards, with changes made there without keyframes.

    Of the scene's animated objects that is what a change of frame would take: transforms, poses and
    other animated properties of theirs. Of armatures that are named, transforms and poses are
    restored whatever changed them.
    """
    frame, subframe = scene.frame_current, scene.frame_subframe
    animated = [object_ for object_ in scene.objects if object_.animation_data]
    poses = [
        (object_, _transforms(object_), _bone_transforms(object_), _animated_values(object_))
        for object_ in dict.fromkeys([*animated, *armature_objects])
    ]
    try:
        yield
    finally:
        if (scene.frame_current, scene.frame_subframe) != (frame, subframe):
            scene.frame_set(frame, subframe=subframe)
        for rig, own, bones, others in poses:
            _restore_transforms(rig, own)
            _restore_bone_transforms(rig, bones)
            _restore_values(rig, others)


def selected_bones(rig: bpy.types.Object) -> set[str]:
    """Names of an armature's selected bones."""
    return {bone.name for bone in _selectable(rig) if bone.select}


def _selectable(rig: bpy.types.Object) -> Any:
    return rig.pose.bones if SELECT_ON_POSE_BONE else rig.data.bones


def _transforms(object_: bpy.types.Object) -> dict[str, tuple[float, ...]]:
    return {name: tuple(getattr(object_, name)) for name in TRANSFORM_PROPERTIES}


def _restore_transforms(object_: bpy.types.Object, values: dict[str, tuple[float, ...]]) -> None:
    for name, value in values.items():
        if tuple(getattr(object_, name)) != value:
            setattr(object_, name, value)


def _bone_transforms(rig: bpy.types.Object) -> dict[str, NDArray[np.float32]]:
    count = len(rig.pose.bones) if rig.pose else 0
    values = {
        name: np.empty(size * count, np.float32) for name, size in TRANSFORM_PROPERTIES.items()
    }
    for name, column in values.items() if count else ():
        rig.pose.bones.foreach_get(name, column)
    return values


def _restore_bone_transforms(rig: bpy.types.Object, values: dict[str, NDArray[np.float32]]) -> None:
    current = _bone_transforms(rig)
    if not rig.pose or all(np.array_equal(current[name], values[name]) for name in values):
        return
    for name, column in values.items():
        rig.pose.bones.foreach_set(name, column)
    # Only the pose is re-evaluated: animation would overwrite the user's changes without keyframes.
    rig.update_tag(refresh={"DATA"})


def _animated_values(object_: bpy.types.Object) -> dict[str, Any]:
    """Values of the object's animated properties other than transforms, by data path."""
    data = object_.animation_data
    if data is None:
        return {}
    containers = [fcurves.assigned_container(object_)]
    containers += [
        fcurves.strip_container(strip) for track in data.nla_tracks for strip in track.strips
    ]
    paths = {
        curve.data_path
        for container in containers
        if container is not None
        for curve in container.fcurves
        if curve.data_path.rpartition(".")[2] not in TRANSFORM_PROPERTIES
    }
    values = {}
    for path in paths:
        with suppress(ValueError):  # it leads to nothing
            values[path] = _plain_value(object_.path_resolve(path))
    return values


def _restore_values(object_: bpy.types.Object, values: dict[str, Any]) -> None:
    for path, value in values.items():
        if _plain_value(object_.path_resolve(path)) == value:
            continue
        if path.endswith("]") and not path.endswith('"]'):
            continue  # an element of an array, which is there as a whole too
        set_property(object_, path, value)


def set_property(object_: bpy.types.Object, path: str, value: Any) -> None:
    """Set the property of an object that a data path leads to, custom ones too."""
    start = path.rfind('["') if path.endswith('"]') else path.rfind(".")
    owner = object_.path_resolve(path[:start]) if start > 0 else object_
    if path.endswith('"]'):
        owner[path[start + 2 : -2]] = value
    else:
        setattr(owner, path[start + 1 :], value)


def _plain_value(value: Any) -> Any:
    """A number, a word or a tuple of them, which no longer belongs to Blender."""
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
