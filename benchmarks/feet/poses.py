"""Poses of a clip as Blender evaluates them, and how they move.

World space, metres; rows are frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import bpy
import numpy as np
from numpy.typing import NDArray

from benchmarks.feet.clips import Clip, Foot

Floats = NDArray[np.float64]

HEEL, BALL, TIP = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Poses:
    """Evaluated world matrices (f, b, 4, 4) of all bones, by row and bone."""

    names: tuple[str, ...]
    matrices: Floats
    lengths: Floats
    fps: float

    def of(self, bone: str) -> Floats:
        """World matrices (f, 4, 4) of a bone."""
        return self.matrices[:, self.names.index(bone)]

    def heads(self, bone: str) -> Floats:
        """Places (f, 3) of a bone's head."""
        return self.of(bone)[:, :3, 3]

    def rotations(self, bone: str) -> Floats:
        """Axes (f, 3, 3) of a bone, without its scale."""
        axes = self.of(bone)[:, :3, :3]
        return axes / np.linalg.norm(axes, axis=1, keepdims=True)

    def joints(self) -> Floats:
        """Places (f, b + 1 or more, 3) of all heads, and of the tails that no head is at."""
        heads = self.matrices[:, :, :3, 3]
        tails = heads + self.lengths[:, None] * self.matrices[:, :, :3, 1]
        apart = np.linalg.norm(tails[0, :, None] - heads[0, None], axis=-1).min(axis=1)
        return np.concatenate([heads, tails[:, apart > 1e-4]], axis=1)


class Animated(Protocol):
    """An armature that moves between two frames."""

    @property
    def armature(self) -> bpy.types.Object:
        """The object."""

    @property
    def first(self) -> int:
        """First frame."""

    @property
    def last(self) -> int:
        """Last frame."""


def sample(scene: bpy.types.Scene, clip: Animated) -> Poses:
    """Let Blender evaluate every frame of a clip as the armature plays it now."""
    armature = clip.armature
    count = len(armature.pose.bones)
    frames = range(clip.first, clip.last + 1)
    found = np.empty((len(frames), count, 4, 4))
    flat = np.empty(16 * count, np.float32)
    for row, frame in enumerate(frames):
        scene.frame_set(frame)
        rig = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        rig.pose.bones.foreach_get("matrix", flat)
        pose = flat.reshape(count, 4, 4).transpose(0, 2, 1).astype(float)
        found[row] = np.array(rig.matrix_world) @ pose
    lengths = np.array([bone.length for bone in armature.data.bones])
    fps = scene.render.fps / scene.render.fps_base
    return Poses(tuple(armature.pose.bones.keys()), found, lengths, fps)


def sole_points(clip: Clip, poses: Poses) -> Floats:
    """Places (feet, f, 3 points, 3) of heels, balls and tips."""
    feet = []
    for foot in clip.feet:
        paths = [
            poses.of(point.bone)[:, :3, :3] @ point.at + poses.heads(point.bone)
            for point in foot.points
        ]
        feet.append(np.stack(paths, axis=1))
    return np.array(feet)


def motion_of(clip: Clip, poses: Poses) -> dict[str, float]:
    """Jerk, acceleration and angular acceleration of the knees of one motion."""
    joints, legs = poses.joints(), _leg_joints(clip, poses)
    knees = np.array([_knee_angle(poses, foot) for foot in clip.feet])
    return {
        "jerk": float(_difference(joints, 3).mean()),
        "jerk_legs": float(_difference(legs, 3).mean()),
        "acceleration": float(_difference(joints, 2).max()),
        "acceleration_legs": float(np.percentile(_difference(legs, 2), 99)),
        "knee": float(abs(np.diff(knees, n=2, axis=1)).max()),
    }


def _difference(paths: Floats, order: int) -> Floats:
    return np.linalg.norm(np.diff(paths, n=order, axis=0), axis=-1)


def _leg_joints(clip: Clip, poses: Poses) -> Floats:
    points = sole_points(clip, poses)
    paths = [poses.heads(bone) for foot in clip.feet for bone in (foot.shin, foot.foot)]
    paths += [points[foot, :, point] for foot in range(len(points)) for point in (BALL, TIP)]
    return np.stack(paths, axis=1)


def _knee_angle(poses: Poses, foot: Foot) -> Floats:
    hip, knee, ankle = (poses.heads(bone) for bone in (foot.thigh, foot.shin, foot.foot))
    upper, lower = knee - hip, ankle - knee
    across = np.linalg.norm(np.cross(upper, lower), axis=1)
    return np.arctan2(across, np.sum(upper * lower, axis=1))
