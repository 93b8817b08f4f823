"""Influence of goals over frames: constant, keyed, or decided by drivers and NLA strips."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ..blender import fcurves
from ..blender.scene_state import preserved_frame
from ..clip.sampling import evaluated_depsgraph
from ..reading import Reading
from ..transforms import Floats
from .keys import driven_channels
from .outputs import animated_channels


def sample_influence(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    goals: Sequence[bpy.types.PropertyGroup],
    frames: Floats,
) -> Reading[list[Floats]]:
    """Influence of each of an armature's goals in every frame, 0 to 1; arrays (f,)."""
    paths = [goal.path_from_id("influence") for goal in goals]
    driven = {path for path, _ in driven_channels(armature_object)} & set(paths)
    animated = {path for path, _ in animated_channels(armature_object)} & set(paths)
    if driven or (animated and _is_evaluated(scene, armature_object)):
        values = yield from _evaluated(scene, armature_object, paths, frames)
    else:
        container = fcurves.assigned_container(armature_object)
        curves = fcurves.sample_curves(container, frames, animated.__contains__)
        values = [
            curves.get((path, 0), np.full(len(frames), goal.influence))
            for path, goal in zip(paths, goals, strict=True)
        ]
    return [np.clip(of_goal, 0.0, 1.0) for of_goal in values]


def _is_evaluated(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> bool:
    """Whether the active action's F-curves are not all that decides about animated values."""
    tracks = armature_object.animation_data.nla_tracks
    remapped = scene.render.frame_map_old != scene.render.frame_map_new
    return remapped or any(not track.mute and len(track.strips) for track in tracks)


def _evaluated(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, paths: Sequence[str], frames: Floats
) -> Reading[list[Floats]]:
    values = np.empty((len(paths), len(frames)))
    with preserved_frame(scene, [armature_object]):
        for f, frame in enumerate(frames):
            yield f, len(frames)
            whole = int(np.floor(frame))
            scene.frame_set(whole, subframe=float(frame - whole))
            evaluated = armature_object.evaluated_get(evaluated_depsgraph(scene))
            values[:, f] = [evaluated.path_resolve(path) for path in paths]
    return list(values)
