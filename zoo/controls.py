"""Legs driven by IK constraints: a control for each foot and a pole for each knee.

The constraint is on the shin and reaches for the head of the foot control, which stands at the
ankle; the foot copies the control's rotation. The keys are on the controls.
"""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from demo.skeleton import Bone

from .body import Body, Floats, Limb

POLE_SHARE = 0.5  # of the leg's length in front of the knee


def control(limb: Limb) -> str:
    """Name of a leg's foot control."""
    return f"ctrl_{limb.name}"


def pole(limb: Limb) -> str:
    """Name of a leg's pole."""
    return f"pole_{limb.name}"


def add_controls(armature: bpy.types.Object, body: Body) -> None:
    """Add controls, poles and constraints to the legs of an armature of the current scene."""
    from demo import character

    made = []
    for leg in body.legs:
        knee, ankle = (body.head(role) for role in leg.bones[1:])
        ahead = knee + POLE_SHARE * body.leg_length * np.array(leg.bend)
        size = 0.1 * body.leg_length
        made.append(Bone(control(leg), "", _at(ankle), _at(ankle + np.array([0.0, -size, 0.0]))))
        made.append(Bone(pole(leg), "", _at(ahead), _at(ahead + np.array([0.0, 0.0, size]))))
    character.add_bones(armature, made)
    for leg in body.legs:
        upper, lower, foot = (body.named(role) for role in leg.bones)
        for name in (control(leg), pole(leg)):
            armature.data.bones[name].use_deform = False
        reach = armature.pose.bones[lower].constraints.new("IK")
        reach.target, reach.subtarget = armature, control(leg)
        reach.pole_target, reach.pole_subtarget = armature, pole(leg)
        reach.chain_count, reach.use_stretch = 2, False
        reach.pole_angle = pole_angle(armature, upper, lower, pole(leg))
        turn = armature.pose.bones[foot].constraints.new("COPY_ROTATION")
        turn.target, turn.subtarget = armature, control(leg)
        turn.target_space = turn.owner_space = "LOCAL_WITH_PARENT"


def control_keys(
    armature: bpy.types.Object, body: Body, poses: dict[str, Floats]
) -> dict[str, Floats]:
    """Pose matrices of the controls that make the legs do what `poses` say."""
    if not body.controls:
        return {}
    found = {}
    for leg in body.legs:
        upper, lower, foot = (body.named(role) for role in leg.bones)
        bones = armature.data.bones
        own, rest = (np.array(bones[name].matrix_local) for name in (control(leg), foot))
        found[control(leg)] = poses[foot] @ np.linalg.inv(rest) @ own
        knee, hip = poses[lower][:, :3, 3], poses[upper][:, :3, 3]
        ankle = poses[foot][:, :3, 3]
        middle = (hip + ankle) / 2
        ahead = knee - middle
        ahead /= np.linalg.norm(ahead, axis=1)[:, None]
        way = np.tile(np.array(bones[pole(leg)].matrix_local), (len(knee), 1, 1))
        way[:, :3, 3] = knee + POLE_SHARE * body.leg_length * ahead
        found[pole(leg)] = way
    return found


def pole_angle(armature: bpy.types.Object, upper: str, lower: str, pole: str) -> float:
    """The angle at which a pole leaves the rest pose as it is."""
    bones = armature.data.bones
    first, last = bones[upper], bones[lower]
    at = bones[pole].head_local
    normal = (last.tail_local - first.head_local).cross(at - first.head_local)
    axis: Vector = normal.cross(first.tail_local - first.head_local)
    angle = first.x_axis.angle(axis)
    if first.x_axis.cross(axis).angle(first.tail_local - first.head_local) < 1:
        angle = -angle
    return float(angle)


def _at(point: Floats) -> tuple[float, float, float]:
    return (float(point[0]), float(point[1]), float(point[2]))
