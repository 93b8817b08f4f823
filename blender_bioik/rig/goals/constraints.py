"""Constraints of the rig that would be evaluated on top of baked keyframes."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

import bpy

from ..clip.curve_only import bone_path
from ..errors import RigError
from ..joints.limits import is_plain_limit
from ..keys.keys import driven_channels
from ..keys.outputs import animated_channels


class Released(NamedTuple):
    """Constraints to mute so that keyframes determine the pose, and every bone that they pose."""

    constraints: tuple[tuple[str, str], ...]
    bones: frozenset[str]


def acting_constraints(
    armature_object: bpy.types.Object, bones: Iterable[str], use_limits: bool = True
) -> Released:
    """Constraints that pose any of the bones, including those with animated influence.

    A constraint may pose further bones (the chain of an IK constraint); constraints that act on
    those count too, because all of them must be keyed once the first is muted.

    Args:
        armature_object: The armature.
        bones: Names of the bones to pose with keyframes alone.
        use_limits: Whether constraints that only limit a bone, which the solver respects, are
            left out.
    """
    constraints = _constraints(armature_object.pose.bones)
    animated = _animated_paths(armature_object) if constraints else set()
    acting = {
        (bone.name, constraint.name): posed_bones(bone, constraint)
        for bone, constraint in constraints
        if _acts(bone, constraint, animated)
        and not (use_limits and _stays_as_limit(bone, constraint, animated))
    }
    reached = set(bones)
    found: dict[tuple[str, str], None] = {}
    growing = True
    while growing:
        new = [key for key, posed in acting.items() if key not in found and posed & reached]
        growing = bool(new)
        found |= dict.fromkeys(new)
        reached.update(*(acting[key] for key in new))
    return Released(tuple(found), frozenset[str]().union(*(acting[key] for key in found)))


def limited_bones(armature_object: bpy.types.Object, bones: Iterable[str]) -> set[str]:
    """Bones that an active limit keeps away from their channels."""
    constraints = _constraints(armature_object.pose.bones[name] for name in bones)
    animated = _animated_paths(armature_object) if constraints else set()
    return {
        bone.name
        for bone, constraint in constraints
        if _acts(bone, constraint, animated) and _stays_as_limit(bone, constraint, animated)
    }


def posed_bones(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> set[str]:
    """Bones that a constraint moves by itself: its owner and, for IK, the chain above it."""
    if constraint.type not in ("IK", "SPLINE_IK"):
        return {bone.name}
    chain = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        chain = chain[1:]
    count = constraint.chain_count
    return {member.name for member in (chain[:count] if count > 0 else chain)}


def check_mutable(armature_object: bpy.types.Object, released: Released) -> None:
    """Refuse constraints that cannot be muted because animation enables and disables them.

    Raises:
        RigError: Names the constraint and its bone.
    """
    animated = _animated_paths(armature_object)
    for owner, name in released.constraints:
        bone = armature_object.pose.bones[owner]
        if _is_switched(bone, bone.constraints[name], animated):
            raise RigError(
                f'The constraint "{name}" of bone "{owner}" is enabled and disabled by keyframes '
                "or a driver, which would undo its muting: animate its influence instead, or "
                "disable Mute Constraints."
            )


def mute(armature_object: bpy.types.Object, released: Released) -> None:
    """Mute the constraints."""
    for owner, name in released.constraints:
        armature_object.pose.bones[owner].constraints[name].mute = True


def mute_named(
    armature_object: bpy.types.Object, constraints: Iterable[tuple[str, str]], muted: bool
) -> None:
    """Mute constraints, each with its bone, or have them act; those that are gone do not count."""
    for bone, name in constraints:
        owner = armature_object.pose.bones.get(bone)
        found = owner.constraints.get(name) if owner is not None else None
        if found is not None:
            found.mute = muted


def _constraints(
    bones: Iterable[bpy.types.PoseBone],
) -> list[tuple[bpy.types.PoseBone, bpy.types.Constraint]]:
    """All constraints of some bones, each with its owner."""
    return [(bone, constraint) for bone in bones for constraint in bone.constraints]


def _acts(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, animated: Set[str]) -> bool:
    """Whether a constraint does something in this frame, or may do so in another one."""
    if constraint.mute and not _is_switched(bone, constraint, animated):
        return False
    return constraint.influence > 0.0 or _path(bone, constraint, "influence") in animated


def _stays_as_limit(
    bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, animated: Set[str]
) -> bool:
    """Whether a constraint only limits the bone, by limits that the solver supports."""
    changes = _path(bone, constraint, "influence") in animated
    return (
        is_plain_limit(constraint, bone)
        and not changes
        and not _is_switched(bone, constraint, animated)
    )


def _is_switched(
    bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, animated: Set[str]
) -> bool:
    """Whether animation mutes and unmutes a constraint."""
    return any(_path(bone, constraint, name) in animated for name in ("mute", "enabled"))


def _path(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, name: str) -> str:
    escaped = bpy.utils.escape_identifier(constraint.name)
    return f'{bone_path(bone.name)}.constraints["{escaped}"].{name}'


def _animated_paths(armature_object: bpy.types.Object) -> set[str]:
    """Data paths animated by the active action, NLA strips or drivers."""
    channels = animated_channels(armature_object) | driven_channels(armature_object)
    return {path for path, _ in channels}
