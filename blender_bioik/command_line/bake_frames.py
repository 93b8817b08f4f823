"""The frames that the command line's `bake` works on."""

from __future__ import annotations

import argparse

import bpy

from ..rig.clip.clip_range import refuse_frames_beyond_clip
from ..rig.errors import RigError
from ..rig.keys.clip_frames import chosen_frames, scene_frames


def bake_frames(
    scene: bpy.types.Scene, armature: bpy.types.Object, arguments: argparse.Namespace
) -> tuple[int, int]:
    """First and last frame: as given, else as the armature's settings say, mostly the clip's.

    Raises:
        RigError: The frames that were given are none of the clip.
    """
    if arguments.frames is not None:
        start, end = arguments.frames
        if end < start:
            raise RigError(f"--frames: the last frame {end} is before the first frame {start}.")
        refuse_frames_beyond_clip(scene, armature, start, end)
        return start, end
    if arguments.scene_frames:
        return scene_frames(scene)
    return chosen_frames(armature.bioik.bake, scene, armature)
