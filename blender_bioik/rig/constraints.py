"""Constraints of the rig that would act again on top of baked keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import bpy

from .limits import is_plain_limit


class Released(NamedTuple):
    """Constraints to mute so that keys decide, and every bone that they have posed until now."""

    constraints: tuple[tuple[str, str], ...]
    bones: frozenset[str]


def acting_constraints(armature_object: bpy.types.Object, bones: Iterable[str]) -> Released:
    """Constraints that pose any of the bones, those that only limit them left out.

    A constraint may pose further bones (the chain of an IK constraint); constraints that act on
    those count too, because all of them must be keyed once the first is muted.
    """
    reached = set(bones)
    found: dict[tuple[str, str], None] = {}
    growing = True
    while growing:
        growing = False
        for bone in armature_object.pose.bones:
            for constraint in bone.constraints:
                key = (bone.name, constraint.name)
                if key in found or constraint.mute or constraint.influence == 0.0:
                    continue
                if is_plain_limit(constraint, bone):
                    continue
                posed = posed_bones(bone, constraint)
                if posed & reached:
                    found[key] = None
                    growing = growing or not posed <= reached
                    reached |= posed
    touched = {
        name
        for owner, constraint in found
        for name in posed_bones(
            armature_object.pose.bones[owner],
            armature_object.pose.bones[owner].constraints[constraint],
        )
    }
    return Released(tuple(found), frozenset(touched))


def posed_bones(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> set[str]:
    """Bones that a constraint moves by itself: its owner and, for IK, the chain above it."""
    if constraint.type not in ("IK", "SPLINE_IK"):
        return {bone.name}
    chain = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        chain = chain[1:]
    count = constraint.chain_count
    return {member.name for member in (chain[:count] if count > 0 else chain)}


def mute(armature_object: bpy.types.Object, released: Released) -> None:
    """Mute the constraints."""
    for owner, name in released.constraints:
        armature_object.pose.bones[owner].constraints[name].mute = True
