"""How far bones may turn and slide: IK limits and locks, channel locks, limit constraints."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import bpy
import numpy as np

from ..blender.fcurves import Channel
from ..clip.curve_only import bone_path
from ..keys.keys import driven_channels

AXES = ("x", "y", "z")
EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
# Order of the angles of bones that are not in an Euler mode; Blender's locks mean these.
DEFAULT_ORDER = "XYZ"

Range = tuple[float, float]
# With a margin for 32-bit precision.
HALF_TURN = math.pi + 1e-6
FREE: Range = (-math.inf, math.inf)


class Unsupported(NamedTuple):
    """A constraint that the solver does not fully support, and why."""

    bone: str
    constraint: str
    reason: str

    @property
    def note(self) -> str:
        """A sentence for the user."""
        return (
            f'The constraint "{self.constraint}" of bone "{self.bone}" is not fully supported: '
            f"{self.reason}."
        )


@dataclass(frozen=True)
class BoneLimits:
    """Limits of a bone's rotation (radians) and location (its own units), by axis X, Y, Z.

    Attributes:
        order: Euler order of the angles.
        turn: Range of each angle.
        turn_locked: Axes that keep the angle they are animated with.
        slide: Range of each location channel.
        slide_locked: Axes that keep their location.
        stiffness: 0 (free) to 1 (does not turn) about each axis.
        slide_stiffness: The same of its location.
        turn_most: How far it may turn from the animation about each axis, radians, if its angles
            have no ranges.
        slide_most: How far it may move from the animation along each axis, metres, if its location
            has no ranges.
    """

    order: str = DEFAULT_ORDER
    turn: tuple[Range, ...] = (FREE, FREE, FREE)
    turn_locked: tuple[bool, ...] = (False, False, False)
    slide: tuple[Range, ...] = (FREE, FREE, FREE)
    slide_locked: tuple[bool, ...] = (False, False, False)
    stiffness: tuple[float, ...] = (0.0, 0.0, 0.0)
    # Older records, which have all others, do not know these.
    slide_stiffness: float = field(default=0.0, repr=False)
    turn_most: float = field(default=np.inf, repr=False)
    slide_most: float = field(default=np.inf, repr=False)

    @property
    def turn_limited(self) -> bool:
        """Whether the angles themselves matter, so that the solver must use them as unknowns."""
        return any(self.turn_locked) or any(limits != FREE for limits in self.turn)

    @property
    def slide_limited(self) -> bool:
        """Whether the location channels have ranges."""
        return any(limits != FREE for limits in self.slide)


class RigLimits(NamedTuple):
    """Limits of bones by name, and the constraints that could not be turned into any."""

    bones: dict[str, BoneLimits]
    unsupported: tuple[Unsupported, ...]


def read_limits(
    armature_object: bpy.types.Object,
    bones: Iterable[str],
    use_limits: bool = True,
    posed: Collection[str] = (),
) -> RigLimits:
    """Limits of some bones. Without `use_limits` only channels count that are not to be keyed.

    Bones that controls pose have no such channels.
    """
    limits, unsupported = {}, []
    driven = driven_channels(armature_object)
    for name in bones:
        bone = armature_object.pose.bones[name]
        found = BoneLimits(_order(bone)) if name in posed else _locks(bone, driven)
        if use_limits:
            found = _with_ik_limits(bone, found)
            for constraint in bone.constraints:
                if constraint.mute or constraint.influence == 0.0:
                    continue
                if constraint.type in ("LIMIT_ROTATION", "LIMIT_LOCATION"):
                    reason = _unsupported_reason(constraint, found.order)
                    if reason:
                        unsupported.append(Unsupported(name, constraint.name, reason))
                    else:
                        found = _with_constraint(constraint, found)
        limits[name] = found
    return RigLimits(limits, tuple(unsupported))


def is_plain_limit(constraint: bpy.types.Constraint, bone: bpy.types.PoseBone) -> bool:
    """Whether the joint model supports a constraint's limits, so that it can stay active."""
    return constraint.type in ("LIMIT_ROTATION", "LIMIT_LOCATION") and not _unsupported_reason(
        constraint, _order(bone)
    )


def _order(bone: bpy.types.PoseBone) -> str:
    return bone.rotation_mode if bone.rotation_mode in EULER_ORDERS else DEFAULT_ORDER


def _locks(bone: bpy.types.PoseBone, driven: Set[Channel]) -> BoneLimits:
    """Locked channels and driven locations: they are never keyed, so they must not be moved."""
    turned = [bool(lock) for lock in bone.lock_rotation]
    four = bone.rotation_mode in ("QUATERNION", "AXIS_ANGLE") and bone.lock_rotations_4d
    if four:  # numbers of a quaternion cannot be held one by one: all or nothing
        turned = [any(turned) or bool(bone.lock_rotation_w)] * 3
    path = f"{bone_path(bone.name)}.location"
    return BoneLimits(
        order=_order(bone),
        turn_locked=tuple(turned),
        slide_locked=tuple(
            bool(lock) or (path, axis) in driven for axis, lock in enumerate(bone.lock_location)
        ),
    )


def _with_ik_limits(bone: bpy.types.PoseBone, limits: BoneLimits) -> BoneLimits:
    turn = [
        _narrowed(old, (getattr(bone, f"ik_min_{axis}"), getattr(bone, f"ik_max_{axis}")))
        if getattr(bone, f"use_ik_limit_{axis}")
        else old
        for axis, old in zip(AXES, limits.turn, strict=True)
    ]
    locked = [
        old or getattr(bone, f"lock_ik_{axis}")
        for axis, old in zip(AXES, limits.turn_locked, strict=True)
    ]
    stiffness = [getattr(bone, f"ik_stiffness_{axis}") for axis in AXES]
    return replace(limits, turn=tuple(turn), turn_locked=tuple(locked), stiffness=tuple(stiffness))


def _with_constraint(constraint: bpy.types.Constraint, limits: BoneLimits) -> BoneLimits:
    if constraint.type == "LIMIT_ROTATION":
        turn = [
            _narrowed(old, (getattr(constraint, f"min_{axis}"), getattr(constraint, f"max_{axis}")))
            if getattr(constraint, f"use_limit_{axis}")
            else old
            for axis, old in zip(AXES, limits.turn, strict=True)
        ]
        return replace(limits, turn=tuple(turn))
    slide = [
        _narrowed(
            old,
            (
                getattr(constraint, f"min_{axis}")
                if getattr(constraint, f"use_min_{axis}")
                else -math.inf,
                getattr(constraint, f"max_{axis}")
                if getattr(constraint, f"use_max_{axis}")
                else math.inf,
            ),
        )
        for axis, old in zip(AXES, limits.slide, strict=True)
    ]
    return replace(limits, slide=tuple(slide))


def _narrowed(old: Range, new: Range) -> Range:
    """A range within a range. Where they exclude each other, the end that Blender moves to."""
    low, high = max(old[0], new[0]), min(old[1], new[1])
    if low <= high:
        return low, high
    # The later limit acts on what the earlier one leaves; one upside down means its first end.
    only = new[1] if old[0] > new[1] >= new[0] else new[0]
    return only, only


def _unsupported_reason(constraint: bpy.types.Constraint, order: str) -> str | None:
    """Why the limits of a constraint are not supported, or None if they are."""
    if constraint.owner_space != "LOCAL":
        space = option_label(constraint, "owner_space")
        return f"its owner space is {space}, and only Local Space is supported"
    if constraint.influence != 1.0:
        return "its influence is not 1, and partial influence is not supported"
    if constraint.type == "LIMIT_ROTATION" and constraint.euler_order not in ("AUTO", order):
        return f"its Euler order is {constraint.euler_order}, but the bone's is {order}"
    if constraint.type == "LIMIT_ROTATION" and _legacy_changes(constraint):
        return "its limits exceed a half turn, which Legacy Behavior evaluates differently"
    return None


def option_label(constraint: bpy.types.Constraint, name: str) -> str:
    """Name of the chosen option of one of a constraint's menus."""
    return str(constraint.bl_rna.properties[name].enum_items[getattr(constraint, name)].name)


def _legacy_changes(constraint: bpy.types.Constraint) -> bool:
    """Whether limits are evaluated differently, as in files of older Blender versions."""
    return constraint.use_legacy_behavior and not all(
        getattr(constraint, f"min_{axis}") >= -HALF_TURN
        and getattr(constraint, f"min_{axis}") <= getattr(constraint, f"max_{axis}") <= HALF_TURN
        for axis in AXES
        if getattr(constraint, f"use_limit_{axis}")
    )
