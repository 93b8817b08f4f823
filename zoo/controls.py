"""Limbs driven by IK constraints: a control for each foot or hand, a pole for each knee or elbow.

The constraint is on the shin or forearm and reaches for the head of the control, which stands at
the ankle or wrist; foot or hand copies the control's rotation. The keys are on the controls.
"""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from demo.skeleton import Bone

from .body import Body, Floats, Limb

POLE_SHARE = 0.5  # of the leg's length in front of the knee


def driven(body: Body) -> tuple[Limb, ...]:
    """The limbs that IK drives."""
    return {"": (), "ik": body.legs, "ik_limbs": body.limbs}[body.controls]


def control(limb: Limb) -> str:
    """Name of a limb's foot or hand control."""
    return f"ctrl_{limb.name}"


def pole(limb: Limb) -> str:
    """Name of a limb's pole."""
    return f"pole_{limb.name}"


def add_controls(armature: bpy.types.Object, body: Body) -> None:
    """Add controls, poles and constraints to the limbs of an armature of the current scene."""
    from demo import character

    made = []
    for limb in driven(body):
        knee, ankle = (body.head(role) for role in limb.bones[1:])
        ahead = knee + POLE_SHARE * body.leg_length * np.array(limb.bend)
        size = 0.1 * body.leg_length
        for name, head, way in (
            (control(limb), ankle, (0.0, -size, 0.0)),
            (pole(limb), ahead, (0.0, 0.0, size)),
        ):
            made.append(Bone(name, "", body.rig_point(head), body.rig_point(head + np.array(way))))
    character.add_bones(armature, made)
    for limb in driven(body):
        upper, lower, foot = (body.named(role) for role in limb.bones)
        for name in (control(limb), pole(limb)):
            armature.data.bones[name].use_deform = False
        reach = armature.pose.bones[lower].constraints.new("IK")
        reach.target, reach.subtarget = armature, control(limb)
        reach.pole_target, reach.pole_subtarget = armature, pole(limb)
        reach.chain_count, reach.use_stretch = 2, False
        reach.pole_angle = pole_angle(armature, upper, lower, pole(limb))
        turn = armature.pose.bones[foot].constraints.new("COPY_ROTATION")
        turn.target, turn.subtarget = armature, control(limb)
        turn.target_space = turn.owner_space = "LOCAL_WITH_PARENT"


def control_keys(
    armature: bpy.types.Object, body: Body, poses: dict[str, Floats]
) -> dict[str, Floats]:
    """Pose matrices of the controls that make the limbs do what `poses` say."""
    found = {}
    for limb in driven(body):
        upper, lower, foot = (body.named(role) for role in limb.bones)
        bones = armature.data.bones
        own, rest = (np.array(bones[name].matrix_local) for name in (control(limb), foot))
        found[control(limb)] = poses[foot] @ np.linalg.inv(rest) @ own
        knee, hip = poses[lower][:, :3, 3], poses[upper][:, :3, 3]
        ankle = poses[foot][:, :3, 3]
        middle = (hip + ankle) / 2
        ahead = knee - middle
        ahead /= np.linalg.norm(ahead, axis=1)[:, None]
        way = np.tile(np.array(bones[pole(limb)].matrix_local), (len(knee), 1, 1))
        way[:, :3, 3] = knee + POLE_SHARE * body.leg_length / body.unit * ahead
        found[pole(limb)] = way
    return found


def pole_angle(armature: bpy.types.Object, upper: str, lower: str, pole: str) -> float:
    """The angle at which a pole leaves the rest pose as it is."""
    bones = armature.data.bones
    first, last = bones[upper], bones[lower]
    at = bones[pole].head_local
    normal = (last.tail_local - first.head_local).cross(at - first.head_local)
    axis: Vector = normal.cross(first.tail_local - first.head_local)
    own = first.matrix_local.to_3x3().col[0]
    angle = own.angle(axis)
    if own.cross(axis).angle(first.tail_local - first.head_local) < 1:
        angle = -angle
    return float(angle)
