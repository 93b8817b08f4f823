"""Each type of constraint as properties of equivalent goals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import bpy
from mathutils import Vector

from ..joints.limits import option_label

Properties = dict[str, Any]

# How far a pole angle may turn a bend away from the pole target, radians: a goal for the bend has
# no such angle.
POLE_SLACK = math.radians(2.0)
# Share of the upper bone's length by which a limb must be bent at rest to have a bend.
STRAIGHT = 0.01
# Share of a distance over which a goal that keeps away begins to push; it ends at the distance.
AWAY_MARGIN = 0.1

AXES = ("x", "y", "z")


class UnsupportedError(Exception):
    """The reason why a constraint cannot be a goal."""


class Reading(NamedTuple):
    """Properties of the goals for a constraint, and phrases about unsupported parts."""

    goals: list[Properties]
    reasons: tuple[str, ...] = ()


def read_constraint(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    """The goals equivalent to a bone's constraint at full influence.

    Raises:
        UnsupportedError: There are none; gives the reason as a phrase.
    """
    reader = _READERS.get(constraint.type)
    if reader is None:
        raise UnsupportedError(f"there is no goal type for {type_label(constraint)}")
    if constraint.target is None:
        raise UnsupportedError("it has no target")
    if constraint.type != "IK":
        _refuse_other_spaces(constraint)
    return reader(bone, constraint)


def type_label(constraint: bpy.types.Constraint) -> str:
    """Name of a constraint's type in Blender's menus."""
    return option_label(constraint, "type")


def ik_chain(
    bone: bpy.types.PoseBone, constraint: bpy.types.Constraint
) -> list[bpy.types.PoseBone]:
    """The bones that an IK constraint turns, from the tip to the root."""
    chain = [bone, *bone.parent_recursive]
    if not constraint.use_tail:
        chain = chain[1:]
    return chain[: constraint.chain_count] if constraint.chain_count > 0 else chain


def bones_below_common_parent(
    bone: bpy.types.PoseBone, other: bpy.types.PoseBone
) -> list[bpy.types.PoseBone]:
    """A bone and those above it, up to where another bone of the rig branches off."""
    shared = {other.name, *(parent.name for parent in other.parent_recursive)}
    chain = []
    for member in (bone, *bone.parent_recursive):
        if member.name in shared:
            break
        chain.append(member)
    return chain


def _ik(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    if bone.id_data.pose.ik_solver == "ITASC":
        _refuse_itasc(constraint)
    chain = ik_chain(bone, constraint)
    if not chain:
        raise UnsupportedError("the bone has no parent to move")
    target = _target(constraint.target, constraint.subtarget)
    free = _chain_length(chain[0], constraint.target, constraint.subtarget)
    common: Properties = {"bone": chain[0].name, "chain_length": constraint.chain_count or free}
    goals: list[Properties] = []
    reasons: list[str] = []
    if constraint.use_location:
        place: Properties = {"type": "POSITION", "head_tail": 1.0, "weight": constraint.weight}
        goals.append(common | target | place)
    if constraint.use_rotation:
        turn: Properties = {"type": "ORIENTATION", "weight": constraint.orient_weight}
        goals.append(common | target | turn)
    if not goals:
        raise UnsupportedError("it follows neither location nor rotation")
    if constraint.pole_target is not None:
        try:
            goals.append(common | _pole(chain, constraint))
        except UnsupportedError as error:
            reasons.append(str(error))
    if constraint.use_stretch and any(member.ik_stretch > 0.0 for member in chain):
        reasons.append(_stretch_reason())
    return Reading(goals, tuple(reasons))


def _stretch_reason() -> str:
    return "its chain stretches, but goals keep the animated lengths of bones"


def _pole(chain: list[bpy.types.PoseBone], constraint: bpy.types.Constraint) -> Properties:
    if len(chain) != 2:
        raise UnsupportedError(
            f"its pole bends {len(chain)} bones, but a pole goal is for a limb of two bones"
        )
    off = _pole_turn(chain[1].bone, chain[0].bone, constraint.pole_angle)
    if off is None:
        raise UnsupportedError(
            "the limb is straight at rest, so its pole angle does not define where it bends"
        )
    if abs(off) > POLE_SLACK:
        raise UnsupportedError(
            f"its pole angle bends the limb {abs(math.degrees(off)):.0f} degrees off the pole "
            "target, but a pole goal bends it towards the target"
        )
    target = _target(constraint.pole_target, constraint.pole_subtarget)
    return {"type": "POLE", **target}


def _pole_turn(upper: bpy.types.Bone, lower: bpy.types.Bone, pole_angle: float) -> float | None:
    """Angle about the limb from its bend at rest to the side that Blender turns to the pole.

    That side is the upper bone's X axis turned about the bone by the pole angle. None if the limb
    is straight, so that it has no bend.
    """
    along = (lower.tail_local - upper.head_local).normalized()
    axes = upper.matrix_local.to_3x3()
    side = _across(axes.col[0] * math.cos(pole_angle) + axes.col[2] * math.sin(pole_angle), along)
    bend = _across(lower.head_local - upper.head_local, along)
    if bend.length < STRAIGHT * upper.length or side.length < STRAIGHT:
        return None
    return math.atan2(along.dot(bend.cross(side)), bend.dot(side))


def _across(vector: Vector, along: Vector) -> Vector:
    return vector - along * vector.dot(along)


def _refuse_itasc(constraint: bpy.types.Constraint) -> None:
    if constraint.ik_type != "COPY_POSE":
        raise UnsupportedError("its iTaSC type is Distance, and only Copy Pose is supported")
    parts = ["location"] * constraint.use_location + ["rotation"] * constraint.use_rotation
    if not all(getattr(constraint, f"lock_{part}_{axis}") for part in parts for axis in AXES):
        raise UnsupportedError("it follows only some axes, but a goal follows all three")


def _track(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    target = _target(constraint.target, constraint.subtarget, constraint)
    _chain_length(bone, constraint.target, constraint.subtarget)
    look: Properties = {"type": "LOOK_AT", "bone": bone.name, "chain_length": 1}
    return Reading([look | target | {"axis": _axis(constraint.track_axis)}])


def _track_to(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    if constraint.track_axis[-1] == constraint.up_axis[-1]:
        raise UnsupportedError("its track axis is its up axis, so Blender does not evaluate it")
    up = constraint.up_axis[-1]
    goals = _track(bone, constraint).goals
    return Reading(
        goals, (f"its up axis {up} is ignored, so the bone rolls as little as possible",)
    )


def _locked_track(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    if constraint.track_axis[-1] == constraint.lock_axis[-1]:
        raise UnsupportedError("its track axis is its locked axis, so Blender does not evaluate it")
    (look,), _ = _track(bone, constraint)
    locked = {"type": "LOCKED_LOOK_AT", "lock_axis": _axis(constraint.lock_axis)}
    return Reading([look | locked])


def _floor(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    if constraint.influence < 1.0:
        raise UnsupportedError("its influence is not 1, and partial influence is not supported")
    up = _axis(constraint.floor_location)
    # Blender's offset is along the positive axis, for negative ones too.
    offset = tuple(constraint.offset * abs(part) for part in up)
    plane: Properties = {"type": "ABOVE", "direction": up, "point": offset}
    return Reading(
        [_place(bone, constraint) | plane | {"use_target_rotation": constraint.use_rotation}]
    )


def _copy_location(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    _refuse_some_axes(constraint)
    if constraint.use_offset:
        raise UnsupportedError("it adds the bone's own location as an offset")
    return Reading([_place(bone, constraint)])


def _copy_rotation(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    _refuse_some_axes(constraint)
    _refuse_mixing(constraint)
    return Reading([_turn(bone, constraint)])


def _copy_transforms(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    _refuse_mixing(constraint)
    turn = _turn(bone, constraint)
    try:
        return Reading([_place(bone, constraint), turn])
    except UnsupportedError as error:  # an obstacle to its location only
        return Reading([turn], (f"its location is not followed: {error}",))


def _limit_distance(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Reading:
    distance = constraint.distance
    if distance <= 0.0:
        raise UnsupportedError("its distance is not set")
    if constraint.limit_mode != "LIMITDIST_INSIDE" and constraint.influence < 1.0:
        raise UnsupportedError("its influence is not 1, and partial influence is not supported")
    near: Properties = {"type": "MAX_DISTANCE", "distance": distance}
    away: Properties = {
        "type": "DISTANCE",
        "distance": (1.0 - AWAY_MARGIN) * distance,
        "activation": AWAY_MARGIN * distance,
    }
    asked = {
        "LIMITDIST_INSIDE": [near],
        "LIMITDIST_OUTSIDE": [away],
        "LIMITDIST_ONSURFACE": [near, away],
    }[constraint.limit_mode]
    return Reading([_place(bone, constraint) | goal for goal in asked])


def _place(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Properties:
    """The head of the bone at the target; the bones above it may reach for it."""
    if bone.bone.use_connect and bone.parent is not None:
        raise UnsupportedError("the bone is connected to its parent, so it cannot move")
    target = _target(constraint.target, constraint.subtarget, constraint)
    length = _chain_length(bone, constraint.target, constraint.subtarget)
    return {"type": "POSITION", "bone": bone.name, "chain_length": length, **target}


def _turn(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> Properties:
    """The bone with the target's rotation; no other bone moves."""
    target = _target(constraint.target, constraint.subtarget)
    _chain_length(bone, constraint.target, constraint.subtarget)
    return {"type": "ORIENTATION", "bone": bone.name, "chain_length": 1, **target}


def _target(
    target: bpy.types.Object,
    subtarget: str,
    along: bpy.types.Constraint | None = None,
) -> Properties:
    """Target, bone and point of a goal; `along` is a constraint that may name a point on a bone."""
    if not subtarget:
        return {"target": target}
    if target.type != "ARMATURE":
        raise UnsupportedError(
            f'its target is the vertex group "{subtarget}", and only objects and bones can be '
            "followed"
        )
    if subtarget not in target.pose.bones:
        raise UnsupportedError(f'its target "{target.name}" has no bone "{subtarget}"')
    found: Properties = {"target": target, "subtarget": subtarget}
    if getattr(along, "head_tail", 0.0) > 0.0:  # a Floor has none
        assert along is not None
        bone = target.data.bones[subtarget]
        if along.use_bbone_shape and bone.bbone_segments > 1:
            raise UnsupportedError(f'it follows the curve of the bendy bone "{subtarget}"')
        found["point"] = (0.0, along.head_tail * bone.length, 0.0)
    return found


def _chain_length(bone: bpy.types.PoseBone, target: bpy.types.Object, subtarget: str) -> int:
    """Number of bones that may move without moving a target in the same rig; 0 for all."""
    if target != bone.id_data or not subtarget:
        return 0
    length = len(bones_below_common_parent(bone, target.pose.bones[subtarget]))
    if length == 0:
        raise UnsupportedError(f'its target "{subtarget}" depends on the bone itself')
    return length


def _axis(track_axis: str) -> tuple[float, ...]:
    sign = -1.0 if "NEGATIVE" in track_axis else 1.0
    return tuple(sign * (track_axis[-1] == axis.upper()) for axis in AXES)


def _refuse_other_spaces(constraint: bpy.types.Constraint) -> None:
    if constraint.owner_space != "WORLD":
        space = option_label(constraint, "owner_space")
        raise UnsupportedError(f"its owner space is {space}, and only World Space is supported")
    if constraint.target_space != "WORLD":
        space = option_label(constraint, "target_space")
        raise UnsupportedError(f"its target space is {space}, and only World Space is supported")


def _refuse_some_axes(constraint: bpy.types.Constraint) -> None:
    if not all(getattr(constraint, f"use_{axis}") for axis in AXES):
        raise UnsupportedError("it copies only some axes, but a goal copies all three")
    if any(getattr(constraint, f"invert_{axis}") for axis in AXES):
        raise UnsupportedError("it inverts axes")


def _refuse_mixing(constraint: bpy.types.Constraint) -> None:
    if constraint.mix_mode != "REPLACE":
        mode = option_label(constraint, "mix_mode")
        raise UnsupportedError(f"its mix mode is {mode}, and only Replace is supported")


_READERS: dict[str, Callable[[bpy.types.PoseBone, bpy.types.Constraint], Reading]] = {
    "IK": _ik,
    "TRACK_TO": _track_to,
    "DAMPED_TRACK": _track,
    "LOCKED_TRACK": _locked_track,
    "COPY_LOCATION": _copy_location,
    "COPY_ROTATION": _copy_rotation,
    "COPY_TRANSFORMS": _copy_transforms,
    "LIMIT_DISTANCE": _limit_distance,
    "FLOOR": _floor,
}
