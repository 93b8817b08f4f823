"""How good a baked motion is, measured on the poses that Blender evaluates from its keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Quality:
    """Errors over all frames, and how jerky the motion is.

    Attributes:
        position_mm: Mean and largest distance of the feet from their targets.
        orientation_deg: Mean and largest angle between the feet and their targets.
        look_deg: Mean and largest angle between where the head looks and what it shall look at.
        jerk: Mean and largest jerk of knees, ankles and the top of the head, in m/s³.
    """

    position_mm: tuple[float, float]
    orientation_deg: tuple[float, float]
    look_deg: tuple[float, float]
    jerk: tuple[float, float]


def measure(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    feet: dict[str, bpy.types.Object],
    knees: Sequence[str],
    head: str,
    gaze: bpy.types.Object,
    frames: int,
) -> Quality:
    """Measure the motion that an armature has now, by letting Blender evaluate every frame."""
    bones = [*feet, *knees, head]
    poses = world_matrices(scene, armature, bones, frames, [*feet.values(), gaze])
    pose, targets = poses[:, : len(bones)], poses[:, len(bones) :]
    wanted = targets[:, : len(feet)]
    places = pose[:, : len(feet)]
    apart = np.linalg.norm(places[..., :3, 3] - wanted[..., :3, 3], axis=-1)
    skull = pose[:, -1]
    to_gaze = targets[:, -1, :3, 3] - skull[:, :3, 3]
    top = skull[:, :3, 3] + armature.data.bones[head].length * skull[:, :3, 1]
    points = np.concatenate([pose[:, :-1, :3, 3], top[:, None]], axis=1)
    rate = scene.render.fps / scene.render.fps_base
    jerk = np.linalg.norm(np.diff(points, n=3, axis=0), axis=-1) * rate**3
    return Quality(
        position_mm=_mean_and_worst(1000.0 * apart),
        orientation_deg=_mean_and_worst(_turned_deg(places, wanted)),
        look_deg=_mean_and_worst(_between_deg(skull[:, :3, 2], to_gaze)),
        jerk=_mean_and_worst(jerk),
    )


def world_matrices(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    bones: Sequence[str],
    frames: int,
    objects: Sequence[bpy.types.Object] = (),
) -> Floats:
    """Evaluated world matrices (f, k, 4, 4) of bones and then objects in frames 1 to `frames`."""
    found = np.empty((frames, len(bones) + len(objects), 4, 4))
    for row in range(frames):
        scene.frame_set(row + 1)
        depsgraph = scene.view_layers[0].depsgraph
        rig = armature.evaluated_get(depsgraph)
        world = np.array(rig.matrix_world)
        for k, bone in enumerate(bones):
            found[row, k] = world @ np.array(rig.pose.bones[bone].matrix)
        for k, thing in enumerate(objects, len(bones)):
            found[row, k] = np.array(thing.evaluated_get(depsgraph).matrix_world)
    scene.frame_set(1)
    return found


def _turned_deg(first: Floats, second: Floats) -> Floats:
    """Angles between rotations; by the chord, which keeps its digits where angles are small."""
    chord = np.linalg.norm(first[..., :3, :3] - second[..., :3, :3], axis=(-2, -1))
    return np.degrees(2.0 * np.arcsin(np.minimum(chord / np.sqrt(8.0), 1.0)))


def _between_deg(first: Floats, second: Floats) -> Floats:
    across = np.linalg.norm(np.cross(first, second), axis=-1)
    return np.degrees(np.arctan2(across, np.sum(first * second, axis=-1)))


def _mean_and_worst(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.max())
