"""A clip as what is judged, before there is a result."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...motion.ground.terrain import Terrain
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..controls.moved_bones import moved_mapping
from ..skin.bare_skin import character_skin
from ..soles.soles import Sole
from ..transforms import Floats
from .outcome import Outcome, body_feet, limb_bones, plausible_scale


def source_outcome(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    clip: Clip,
    soles: Sequence[Sole],
    rate: float,
    scale: float,
) -> Outcome:
    """An outcome in which the result is the source, without ground.

    Args:
        scene: The scene.
        armature_object: The character.
        skeleton: Its bones.
        clip: The clip.
        soles: The soles of its feet.
        rate: Frames per second.
        scale: Size of the character by its legs; 1 for a person.
    """
    mapping = moved_mapping(armature_object)
    read = character_skin(scene, armature_object, skeleton)
    pose = world_pose(clip)
    pelvis = mapping.slots.get("pelvis")
    hip = int(skeleton.parent[skeleton.index[soles[0].bones[0]]])
    return Outcome(
        skeleton,
        pose,
        pose,
        clip.world,
        read,
        body_feet(skeleton, [(sole.name, sole.bones, sole.toe) for sole in soles]),
        limb_bones(skeleton, mapping),
        hip if pelvis is None else skeleton.index[pelvis],
        Terrain([]),
        rate,
        plausible_scale(read.skin, scale, clip.world),
        np.ones(len(clip.frames), bool),
        frozenset(range(len(skeleton))),
    )


def world_pose(clip: Clip) -> Floats:
    """World matrices of the bones of a clip; (f, b, 4, 4)."""
    return np.asarray(clip.world[:, None] @ clip.pose)


def read_limbs(armature_object: bpy.types.Object, skeleton: Skeleton) -> frozenset[int]:
    """Bones of an armature's arms and legs."""
    return limb_bones(skeleton, moved_mapping(armature_object))
