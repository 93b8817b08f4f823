"""The feet of an armature's clip, read from Blender, and the contacts found on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ..motion.contacts import find_contacts, leg_scale
from ..motion.feet import Contact, Foot
from ..motion.in_place import find_sliding_contacts, is_in_place
from .errors import RigError
from .mapping import detect
from .mapping.read import read_bones
from .sampling import Clip, sample_clip
from .skeleton import Skeleton, read_skeleton
from .soles import Sole, foot_points, read_soles
from .transforms import Floats


@dataclass(frozen=True, eq=False)
class SourceFeet:
    """The feet of a clip.

    Attributes:
        frames: Frame numbers; (f,).
        soles: The feet's bones and sole points.
        feet: The same feet over the frames.
        rate: Rows per second.
        scale: Size of the character relative to one of 1.6 m.
    """

    frames: Floats
    soles: Sequence[Sole]
    feet: Sequence[Foot]
    rate: float
    scale: float


def read_source_feet(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, frames: ArrayLike
) -> SourceFeet:
    """Read the feet of an armature's clip; see `source_feet`.

    Raises:
        RigError: The armature has no legs, cannot be sampled, or the clip is too short.
    """
    skeleton = read_skeleton(armature_object)
    soles = read_soles(armature_object, skeleton, detect(read_bones(armature_object)))
    clip = sample_clip(scene, armature_object, frames)
    return source_feet(scene, skeleton, soles, clip)


def source_feet(
    scene: bpy.types.Scene, skeleton: Skeleton, soles: Sequence[Sole], clip: Clip
) -> SourceFeet:
    """The feet of a clip that has been sampled at equal steps.

    Raises:
        RigError: The clip has fewer than two frames.
    """
    if len(clip.frames) < 2:
        raise RigError("The clip has only one frame: choose a longer range of frames.")
    step = float(clip.frames[-1] - clip.frames[0]) / (len(clip.frames) - 1)
    rate = scene.render.fps / scene.render.fps_base / step
    feet = foot_points(skeleton, clip, soles, rate)
    return SourceFeet(clip.frames, soles, feet, rate, leg_scale(feet))


def source_contacts(
    source: SourceFeet, settings: bpy.types.PropertyGroup
) -> tuple[list[Contact], bool]:
    """The contacts found in a clip, and whether it walks in place, so that they slide.

    Args:
        source: The feet.
        settings: `Object.bioik.feet`, which may know the floor, and whether feet are to be locked.
    """
    floor = settings.floor_height if settings.floor == "HEIGHT" else None
    body = np.mean([foot.hip for foot in source.feet], axis=0)
    in_place = is_in_place(source.feet, body, source.rate, source.scale)
    if in_place and settings.planting != "LOCKED":
        return find_sliding_contacts(source.feet, source.rate, source.scale, floor), True
    contacts = find_contacts(source.feet, source.rate, source.scale, floor)
    follow = settings.planting == "FOLLOW"
    return [contact._replace(slides=follow) for contact in contacts], in_place
