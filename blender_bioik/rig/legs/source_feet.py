"""The feet of an armature's clip, read from Blender, and the contacts found on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ...motion.contacts.contacts import find_contacts
from ...motion.contacts.in_place import find_sliding_contacts, is_in_place, with_still_stands
from ...motion.contacts.standing import above_origin, standing
from ...motion.feet import Contact, Foot
from ..blender.scene_state import frames_per_second
from ..clip.sampling import Clip, sampling
from ..clip.skeleton import Skeleton, read_skeleton
from ..controls.moved_bones import moved_mapping
from ..keys.played_source import own_source_played
from ..reading import Reading, drained
from ..soles.soles import Sole, foot_points, leg_scale, soles_in_clip
from ..source_shown import source_shown
from ..transforms import Floats
from .leg_controls import refuse_idle_controls


@dataclass(frozen=True, eq=False)
class SourceFeet:
    """The feet of a clip.

    Attributes:
        armature: The armature.
        frames: Frame numbers; (f,).
        feet: The feet over the frames.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        origin: Height of the armature's origin in the first frame, metres.
        skeleton: The bones.
        clip: Their animation.
        soles: The soles of the feet.
    """

    armature: bpy.types.Object
    frames: Floats
    feet: Sequence[Foot]
    rate: float
    scale: float
    origin: float
    skeleton: Skeleton
    clip: Clip
    soles: Sequence[Sole]


def read_source_feet(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, frames: ArrayLike
) -> SourceFeet:
    """Read the feet of an armature's clip.

    Args:
        scene: The scene of the frames.
        armature_object: The armature.
        frames: Frame numbers, one after the other; (f,).

    Raises:
        RigError: The armature has no legs, or cannot be sampled.
    """
    return drained(reading_source_feet(scene, armature_object, frames))


def reading_source_feet(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, frames: ArrayLike
) -> Reading[SourceFeet]:
    """Read as `read_source_feet` does, frame by frame."""
    with source_shown(), own_source_played(scene, armature_object):
        skeleton = read_skeleton(armature_object)
        mapping = moved_mapping(armature_object)
        clip, _ = yield from sampling(scene, armature_object, frames)
        rate = frames_per_second(scene)
        soles, _ = soles_in_clip(armature_object, skeleton, mapping, clip, rate)
        feet, scale = clip_feet(armature_object, skeleton, clip, soles, rate)
    origin = origin_height(clip)
    return SourceFeet(
        armature_object, clip.frames, feet, rate, scale, origin, skeleton, clip, soles
    )


def clip_feet(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    clip: Clip,
    soles: Sequence[Sole],
    rate: float,
) -> tuple[Sequence[Foot], float]:
    """The feet of a clip that was read, and the character's size relative to one of 1.6 m.

    Raises:
        RigError: Controls that would move the legs do nothing in the clip.
    """
    refuse_idle_controls(armature_object, skeleton, clip, soles)
    feet = foot_points(skeleton, clip, soles, rate)
    return feet, leg_scale(skeleton, clip, soles)


def origin_height(clip: Clip) -> float:
    """Height of the armature's origin in the first frame, metres."""
    return float(clip.world[0, 2, 3])


def found_contacts(
    settings: bpy.types.PropertyGroup,
    feet: Sequence[Foot],
    rate: float,
    scale: float,
    origin: float,
) -> tuple[list[Contact], bool]:
    """The contacts detected in a clip, and whether it is animated in place.

    Contacts slide in clips animated in place, and on feet that follow the ground.

    Args:
        settings: `Object.bioik.feet`, with floor and planting.
        feet: The feet.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        origin: Height of the armature's origin, metres.
    """
    floor = settings.floor_height if settings.floor == "HEIGHT" else None
    body = np.mean([foot.hip for foot in feet], axis=0)
    in_place = is_in_place(feet, body, rate, scale)
    if in_place and settings.planting != "LOCKED":
        sliding = find_sliding_contacts(feet, rate, scale, floor)
        if floor is None and above_origin(feet, sliding, scale, origin):
            return [], False
        found = find_contacts(feet, rate, scale, floor)
        return with_still_stands(sliding, found, feet, rate, scale), True
    contacts = find_contacts(feet, rate, scale, floor)
    if floor is None:
        contacts = standing(feet, contacts, rate, scale, origin)
    follow = settings.planting == "FOLLOW"
    return [contact._replace(slides=follow) for contact in contacts], in_place
