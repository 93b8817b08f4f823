"""The legs of an armature, with the choices of its user."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ...body_slots import ARM_PARTS, SIDES
from ...findings import Finding
from ..clip.character_size import unusual_size
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, read_skeleton
from ..controls.moved_bones import moved_mapping
from ..controls.rig_controls import read_controls
from ..mapping import Mapping
from ..soles.soles import read_soles, soles_in_clip
from .leg_joints import LegSetup, leg_setup
from .loose_bones import loose_carriers
from .upper_body import UpperBody, body_options


def read_legs(armature_object: bpy.types.Object) -> LegSetup:
    """The legs of an armature.

    Raises:
        RigError: It has none, or they cannot be placed.
    """
    skeleton = read_skeleton(armature_object)
    mapping = moved_mapping(armature_object)
    soles = read_soles(armature_object, skeleton, mapping)
    options = body_options(armature_object.bioik.feet)
    setup = leg_setup(armature_object, skeleton, soles, mapping, options)
    return with_upper(armature_object, mapping, setup, setup.upper)


def with_upper(
    armature_object: bpy.types.Object, mapping: Mapping, setup: LegSetup, upper: UpperBody
) -> LegSetup:
    """Legs below other moving bones, with the controls that pose all of them."""
    legs = [tuple(filter(None, (*sole.bones, sole.toe))) for sole in setup.soles]
    write_to = armature_object.bioik.feet.write_to
    controls = read_controls(
        armature_object, setup.root, legs, _arms(mapping), upper.bones, write_to
    )
    return replace(setup, upper=upper, controls=controls)


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
    mapping = moved_mapping(armature_object)
    soles, findings = soles_in_clip(armature_object, skeleton, mapping, clip, rate)
    findings += unusual_size(scene, armature_object)
    loose = loose_carriers(skeleton, clip, legs.loose, legs.leg_bones, legs.root)
    attached = legs.attached | loose
    return replace(legs, soles=tuple(soles), attached=attached, loose=tuple(loose)), findings


def _arms(mapping: Mapping) -> list[tuple[str, ...]]:
    """Bones of the arms that do not stand on the ground, from the upper arm to the hand."""
    standing = {bone for leg in mapping.legs for bone in leg.bones}
    arms = [
        tuple(bone for part in ARM_PARTS[1:] if (bone := mapping.slots.get(f"{part}.{side}")))
        for side in SIDES
    ]
    return [arm for arm in arms if arm and standing.isdisjoint(arm)]
