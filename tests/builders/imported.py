"""What an import has made: the armature of the scene and its clip."""

from __future__ import annotations

import bpy
import numpy as np

from blender_bioik.rig.blender.import_files import take_frames_of_action

JOINTS = ("hips", "chest", "head", "hand.L", "shin.R", "foot.L", "toe.R")


def armature() -> bpy.types.Object:
    """The only armature of the scene."""
    (found,) = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    return found


def played() -> np.ndarray:
    """Places of some joints in every fourth frame of the imported clip; (f, n, 3)."""
    scene, rig = bpy.context.scene, armature()
    take_frames_of_action(scene, rig)
    found = []
    for frame in range(scene.frame_start, scene.frame_end + 1, 4):
        scene.frame_set(frame)
        bones = rig.pose.bones
        found.append([rig.matrix_world @ bones[joint].head for joint in JOINTS])
    return np.array(found)
