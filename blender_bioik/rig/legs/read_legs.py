"""The legs of an armature, with the choices of its user."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ...findings import Finding
from ..clip.character_size import unusual_size
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, read_skeleton
from ..mapping.chosen import rig_mapping
from ..soles.soles import read_soles, soles_in_clip
from .leg_joints import LegSetup, leg_setup
from .upper_body import body_options


def read_legs(armature_object: bpy.types.Object) -> LegSetup:
    """The legs of an armature.

    Raises:
        RigError: It has none, or they cannot be placed.
    """
    skeleton = read_skeleton(armature_object)
    mapping = rig_mapping(armature_object)
    soles = read_soles(armature_object, skeleton, mapping)
    wanted = body_options(armature_object.bioik.feet)
    return leg_setup(armature_object, skeleton, soles, mapping, wanted)


def legs_in_clip(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    legs: LegSetup,
    skeleton: Skeleton,
    clip: Clip,
    rate: float,
) -> tuple[LegSetup, list[Finding]]:
    """Legs with the soles that touch the ground in their clip, with findings about the character.

    Raises:
        RigError: The legs have been changed since they were read.
    """
    mapping = rig_mapping(armature_object)
    soles, findings = soles_in_clip(armature_object, skeleton, mapping, clip, rate)
    findings += unusual_size(scene, armature_object)
    return replace(legs, soles=tuple(soles)), findings
