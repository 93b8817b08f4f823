"""The frames to work on: the clip's own, the scene's, or others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import bpy

from ..blender import fcurves
from .results import own_strips, played_result, source_slot

# Data paths of numbers about a result, and of goals: they are no motion.
NO_MOTION = ('["bioik_', "bioik.")


def chosen_frames(
    settings: Any, scene: bpy.types.Scene, armature_object: bpy.types.Object
) -> tuple[int, int]:
    """First and last frame of a range, as an operator or an armature's settings have it."""
    if settings.range == "CUSTOM":
        return settings.frame_start, settings.frame_end
    if settings.range == "SCENE":
        return scene_frames(scene)
    return clip_frames(armature_object) or scene_frames(scene)


def scene_frames(scene: bpy.types.Scene) -> tuple[int, int]:
    """First and last frame of the scene, or of its preview range if that is enabled."""
    if scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_start, scene.frame_end


def clip_frames(armature_object: bpy.types.Object) -> tuple[int, int] | None:
    """First and last frame of an armature's source, also while its result plays.

    These are the frames of its action, or the range set for the action, and of its NLA strips. None
    if they are not known: without either, where a curve repeats, and where all keyframes are in one
    frame, which is a pose for any frame.
    """
    data = armature_object.animation_data
    if data is None:
        return None
    ranges = list(_strip_ranges(armature_object))
    action, container = _source(armature_object)
    if action is not None and action.use_frame_range:
        if action.use_cyclic:
            return None
        ranges.append((action.frame_start, action.frame_end))
    elif container is not None:
        curves = [curve for curve in container.fcurves if _is_motion(curve)]
        if any(map(_repeats, curves)):
            return None
        ranges += [tuple(curve.range()) for curve in curves]
    if not ranges:
        return None
    first, last = min(start for start, _ in ranges), max(end for _, end in ranges)
    return (math.floor(first), math.ceil(last)) if first < last else None


def _source(
    armature_object: bpy.types.Object,
) -> tuple[bpy.types.Action | None, bpy.types.ID | None]:
    """The action that is or was the source, and its F-curves."""
    result = played_result(armature_object)
    if result is None or result.source is None:
        data = armature_object.animation_data
        return data.action, fcurves.assigned_container(armature_object)
    slot = source_slot(armature_object, result)
    return result.source, fcurves.container_of(result.source, slot)


def _strip_ranges(armature_object: bpy.types.Object) -> Iterator[tuple[float, float]]:
    """Frames of the NLA strips that play, without those of a layer of ours."""
    result = played_result(armature_object)
    ours = {result.action, result.source} if result is not None else set()
    for track, strip in own_strips(armature_object.animation_data):
        if not (track.mute or strip.mute or strip.action in ours):
            yield strip.frame_start, strip.frame_end


def _is_motion(curve: bpy.types.FCurve) -> bool:
    return fcurves.acts(curve) and not curve.data_path.startswith(NO_MOTION)


def _repeats(curve: bpy.types.FCurve) -> bool:
    return any(modifier.type == "CYCLES" and not modifier.mute for modifier in curve.modifiers)
