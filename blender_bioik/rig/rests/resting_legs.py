"""The joints that move for parts of the body that rest: arms, and the trunk."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import bpy

from ...motion.feet import Contact
from ..clip.skeleton import Skeleton, read_skeleton
from ..controls.moved_bones import moved_mapping
from ..legs.contact_store import stored_contacts
from ..legs.leg_joints import LegSetup
from ..legs.read_legs import with_upper
from ..legs.upper_body import resting_body
from ..mapping import Mapping
from ..transforms import Floats
from .read_rests import Rests
from .resting_parts import Limb, part_bones


def resting_legs(
    armature_object: bpy.types.Object, skeleton: Skeleton, legs: LegSetup, rests: Rests
) -> LegSetup:
    """Legs below a body that rests on other parts as well: their arms and the trunk move."""
    resting = {rests.parts[contact.foot].bone for contact in rests.contacts}
    resting |= set(rests.low_arms)
    on_floor = any(
        contact.held is None and rests.parts[contact.foot].bears for contact in rests.contacts
    )
    carrying = tuple(part.bone for part in rests.parts)
    legs = replace(legs, foot_hulls=rests.foot_hulls, resting=carrying)
    mapping = moved_mapping(armature_object)
    return _moving(armature_object, skeleton, mapping, legs, resting, turns=on_floor)


def stored_resting_legs(
    armature_object: bpy.types.Object, legs: LegSetup, frames: Floats
) -> tuple[LegSetup, list[Contact], list[str]]:
    """Legs as the armature's own contacts want them, and these contacts with all their names."""
    skeleton, mapping = read_skeleton(armature_object), moved_mapping(armature_object)
    bones = part_bones(mapping, [Limb(sole.name, sole.bones) for sole in legs.soles])
    names = [*(sole.name for sole in legs.soles), *(bone.name for bone in bones)]
    own = stored_contacts(armature_object.bioik.feet, names, frames)
    count = len(legs.soles)
    if not armature_object.bioik.feet.body_contacts:
        own = [contact for contact in own if contact.foot < count]
    resting = {bones[contact.foot - count].bone for contact in own if contact.foot >= count}
    if resting:
        legs = _moving(armature_object, skeleton, mapping, legs, resting, turns=True)
    return legs, own, names


def _moving(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    mapping: Mapping,
    legs: LegSetup,
    resting: Collection[str],
    *,
    turns: bool,
) -> LegSetup:
    upper = resting_body(legs.upper, skeleton, mapping, legs.root, legs.soles, resting, turns=turns)
    if upper.tail:
        legs = replace(legs, hulls=(*legs.hulls, *legs.tail))
    return with_upper(armature_object, mapping, legs, upper)
