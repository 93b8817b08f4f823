"""The bones that controls move, where the mapping names controls that are idle while IK acts."""

from __future__ import annotations

from dataclasses import replace

import bpy

from ...body_slots import ARM_PARTS, SIDES
from ..mapping import Leg, Mapping
from ..mapping.chosen import rig_mapping
from .posed_by import Rigging, read_rigging


def moved_mapping(armature_object: bpy.types.Object) -> Mapping:
    """Which bones are which parts of the body, those of limbs moved by IK instead of their FK.

    A tail that constraints pose is left out.

    Raises:
        RigError: It is no armature, or a slot or bone that was chosen does not exist.
    """
    mapping = rig_mapping(armature_object)
    if armature_object.pose is None:
        return mapping
    if any(_is_constrained(armature_object, bone) for bone in mapping.tail):
        mapping = replace(mapping, tail=())
    return _moved(mapping, read_rigging(armature_object))


def _is_constrained(armature_object: bpy.types.Object, bone: str) -> bool:
    """Whether constraints pose a bone, so that its own channels say nothing."""
    own = armature_object.pose.bones[bone].constraints
    return any(not constraint.mute and constraint.influence > 0.0 for constraint in own)


def _moved(mapping: Mapping, rigging: Rigging) -> Mapping:
    arms = [
        tuple(bone for part in ARM_PARTS if (bone := mapping.slots.get(f"{part}.{side}")))
        for side in SIDES
    ]
    led: dict[str, str] = {}
    for leg in mapping.legs:
        led |= _followers(rigging, tuple(dict.fromkeys((*leg.bones, *filter(None, [leg.toe])))))
    for arm in arms:
        led |= _followers(rigging, arm)
    if not led:
        return mapping
    return replace(
        mapping,
        slots={slot: led.get(bone, bone) for slot, bone in mapping.slots.items()},
        legs=tuple(_moved_leg(leg, led) for leg in mapping.legs),
    )


def _followers(rigging: Rigging, limb: tuple[str, ...]) -> dict[str, str]:
    """By control of a limb, the bone that follows it, if IK moves that limb instead."""
    found = {control: followers[0] for control in limb if (followers := rigging.followers(control))}
    by_ik = any(rigging.moves_by_ik(bone) for bone in found.values())
    by_itself = any(rigging.moves_by_ik(control) for control in limb)
    return found if by_ik and not by_itself else {}


def _moved_leg(leg: Leg, led: dict[str, str]) -> Leg:
    return replace(
        leg,
        bones=tuple(led.get(bone, bone) for bone in leg.bones),
        foot=leg.foot and led.get(leg.foot, leg.foot),
        toe=leg.toe and led.get(leg.toe, leg.toe),
    )
