"""The demo walk: five strides along -Y, 24 frames a second, written as keyframes; or a run.

The lower body comes from `gait.py`; here the legs are solved, trunk, head and arms are added,
and everything becomes rotations of bones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from blender_bioik.rig.blender import fcurves

from .gait import (
    CYCLE_FRAMES,
    TOE_OUT,
    WALK,
    Array,
    Gait,
    Stride,
    about_x,
    about_y,
    about_z,
    stride,
    turned,
)
from .skeleton import ARM_BELOW_HORIZON, FORWARD, PALM_NORMAL, Bone, bones

STRIDES = 5
FIRST_FRAME = 1
LAST_FRAME = FIRST_FRAME + STRIDES * CYCLE_FRAMES  # one more frame than strides: it closes the loop
ACTION_NAME = WALK.name

# How far each bone has turned from the pelvis' attitude to the thorax'.
TRUNK_SHARE = {"spine": 0.4, "chest": 0.75, "upper_chest": 1.0}
FINGER_CURL = {"01": 24.0, "02": 32.0}  # degrees, a relaxed hand


@dataclass(frozen=True)
class Contact:
    """A sole point that stands still on the floor.

    Attributes:
        side: "L" or "R".
        point: "heel", "ball" or "toe".
        first: First scene frame of it.
        last: Last scene frame of it.
    """

    side: str
    point: str
    first: int
    last: int


def contacts(gait: Gait = WALK, strides: int = STRIDES) -> list[Contact]:
    """Return every contact of the clip, cut to its frame range, in order of time."""
    found = []
    end = FIRST_FRAME + strides * gait.cycle_frames
    for start in range(-1, strides + 1):
        for side, delay in (("L", 0), ("R", gait.cycle_frames // 2)):
            begin = FIRST_FRAME + start * gait.cycle_frames + delay
            for point, (first, last) in gait.contacts.items():
                cut = max(begin + first, FIRST_FRAME), min(begin + last, end)
                if cut[0] <= cut[1]:
                    found.append(Contact(side, point, *cut))
    return sorted(found, key=lambda contact: (contact.first, contact.side, contact.last))


def animate(
    armature: bpy.types.Object, gait: Gait = WALK, strides: int = STRIDES
) -> bpy.types.Action:
    """Write the clip as an action of the armature and return it.

    Every frame has a key on every bone that moves; the fingers keep one relaxed pose.

    Args:
        armature: The object made by `character.build`.
        gait: The walk or the run.
        strides: How many strides; there is one more frame, so that it closes the loop.
    """
    turns, hips = body_turns(gait)
    frames = np.arange(FIRST_FRAME, FIRST_FRAME + strides * gait.cycle_frames + 1)
    in_cycle = (frames - FIRST_FRAME) % gait.cycle_frames
    cycles = (frames - FIRST_FRAME) // gait.cycle_frames
    path = hips[in_cycle] + cycles[:, None] * np.array([0.0, -gait.stride, 0.0])
    turns = {name: turn[in_cycle] for name, turn in turns.items()}
    return key_turns(armature, bones(), turns, path, gait.name)


def key_turns(
    armature: bpy.types.Object,
    rest_bones: Sequence[Bone],
    turns: dict[str, Array],
    path: Array,
    name: str,
) -> bpy.types.Action:
    """Write turns of all bones as an action from FIRST_FRAME on, assign it and return it.

    Args:
        armature: The armature, which has all of these bones.
        rest_bones: Its bones in the rest pose, parents first.
        turns: Per bone, (f, 3, 3) turns away from its rest pose, in the character's axes.
        path: (f, 3) places of the root bone's head.
        name: The action's name.
    """
    frames = np.arange(FIRST_FRAME, FIRST_FRAME + len(path))
    action = fcurves.new_action(name, armature)
    slot = fcurves.ensure_slot(action, armature)
    container = fcurves.ensure_container(action, slot)
    for bone in rest_bones:
        pose_bone = armature.pose.bones[bone.name]
        rest = np.array(pose_bone.bone.matrix_local)[:3, :3]
        rotations = _quaternions(rest.T @ _relative(turns, bone) @ rest)
        moving = np.ptp(rotations, axis=0).max() > 1e-6
        keyed = frames if moving else frames[:1]
        _key(container, pose_bone, "rotation_quaternion", keyed, rotations)
        if not bone.parent:
            _key(container, pose_bone, "location", frames, (path - bone.head) @ rest)
    fcurves.assign_action(armature, action, slot)
    return action


def body_turns(gait: Gait = WALK) -> tuple[dict[str, Array], Array]:
    """Return the cycle as turns of each bone away from its rest pose, in the character's axes.

    Returns:
        Per bone (n, 3, 3) rotations, and the (n, 3) path of the hips bone's head in metres.
    """
    lower = stride(gait)
    turns = _trunk(lower)
    for side in ("L", "R"):
        turns |= _leg(lower, side)
        turns |= _arm(turns["upper_chest"], side)
    return turns, lower.pelvis


def _trunk(lower: Stride) -> dict[str, Array]:
    """The thorax turns against the pelvis, the head stays level and looks ahead."""
    turn = _cycle(len(lower.pelvis))
    lean = 3.0 + 0.7 * np.cos(2 * turn - 1.2)
    level = 1.2 * np.cos(turn - 2 * np.pi * 0.20)
    thorax = np.radians(np.stack([lean, level, 6.0 * np.cos(turn - 0.25)], axis=-1))
    # The nose is lowered a little at the top of the bob, so that the gaze stays on one point.
    nod = np.radians(1.5) + 2.0 * (lower.pelvis[:, 2] - lower.pelvis[:, 2].mean())
    head = np.stack([nod, np.zeros_like(nod), 0.1 * thorax[:, 2]], axis=-1)
    turns = {"hips": turned(lower.pelvis_turn)}
    for name, share in TRUNK_SHARE.items():
        turns[name] = turned((1 - share) * lower.pelvis_turn + share * thorax)
    turns["neck"] = turned((thorax + head) / 2)
    turns["head"] = turned(head)
    return turns


def _leg(lower: Stride, side: str) -> dict[str, Array]:
    """Two-bone solution: the knee bends in the plane of the leg and a forward direction."""
    rest = {bone.name: np.array(bone.head) for bone in bones()}
    hip, knee, ankle = (rest[f"{name}.{side}"] for name in ("thigh", "shin", "foot"))
    at_hip = lower.pelvis + turned(lower.pelvis_turn) @ (hip - rest["hips"])
    at_ankle = lower.ankle[side]
    outward = TOE_OUT if side == "L" else -TOE_OUT
    knee_yaw = 0.7 * outward + 0.3 * lower.pelvis_turn[:, 2]
    forward = about_z(knee_yaw) @ np.array(FORWARD)

    leg = at_ankle - at_hip
    reach = np.linalg.norm(leg, axis=1)
    thigh, shin = np.linalg.norm(knee - hip), np.linalg.norm(ankle - knee)
    along = (reach**2 + thigh**2 - shin**2) / (2 * reach)
    down = leg / reach[:, None]
    ahead = forward - np.sum(forward * down, axis=1)[:, None] * down
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    at_knee = at_hip + along[:, None] * down + np.sqrt(thigh**2 - along**2)[:, None] * ahead

    flat = about_z(np.full(len(reach), outward))
    rest_forward = np.array(FORWARD)
    return {
        f"thigh.{side}": _frame(at_knee - at_hip, forward) @ _frame(knee - hip, rest_forward).T,
        f"shin.{side}": _frame(at_ankle - at_knee, forward) @ _frame(ankle - knee, rest_forward).T,
        f"foot.{side}": flat @ about_x(lower.foot_pitch[side]),
        f"toe.{side}": flat @ about_x(lower.toe_pitch[side]),
    }


def _arm(thorax: Array, side: str) -> dict[str, Array]:
    """The arm hangs and swings against the leg of its side, the elbow follows a little later."""
    sign = 1.0 if side == "L" else -1.0
    turn = _cycle(len(thorax)) + (0.0 if side == "L" else np.pi)
    swing = np.radians(-3.0 - 20.0 * np.cos(turn - 0.20))
    elbow = np.radians(22.0 - 11.0 * np.cos(turn - 0.65))
    wrist = np.radians(6.0 - 5.0 * np.cos(turn - 1.2))
    girdle = np.radians(-2.5 * np.cos(turn - 0.20))
    abducted = np.radians(9.0)
    hang = about_y(sign * (np.pi / 2 - ARM_BELOW_HORIZON - abducted))
    inward = about_z(-sign * np.radians(6.0))

    shoulder = thorax @ about_z(-sign * girdle) @ about_y(sign * np.radians(3.0))
    upper = thorax @ about_x(-swing) @ hang @ _arm_twist(sign, 6.0)
    # In rest the elbow's axis is the one that brings the hanging forearm forward.
    bend = hang.T @ about_x(-elbow) @ hang
    fore = upper @ bend @ _arm_twist(sign, 6.0)
    hand = fore @ hang.T @ about_x(-0.4 * wrist) @ inward @ hang
    turns = {
        f"shoulder.{side}": shoulder,
        f"upper_arm.{side}": upper,
        f"forearm.{side}": fore,
        f"hand.{side}": hand,
    }
    return turns | _fingers(hand, side)


def _cycle(frames: int) -> Array:
    """Return the phase of each frame of a cycle, from 0 to 2 pi."""
    return np.asarray(2 * np.pi * np.arange(frames) / frames)


def _arm_twist(sign: float, degrees: float) -> Array:
    """Return the inward twist about the arm's rest axis."""
    tilt = about_y(sign * (np.pi / 2 - ARM_BELOW_HORIZON))
    return tilt.T @ about_z(-sign * np.radians(degrees)) @ tilt


def _fingers(hand: Array, side: str) -> dict[str, Array]:
    palm = PALM_NORMAL * (1.0 if side == "L" else -1.0, 1.0, 1.0)
    turns: dict[str, Array] = {}
    for bone in bones():
        finger, _, rest = bone.name.partition(".")
        if not rest.endswith(side) or rest[:2] not in FINGER_CURL:
            continue
        along = np.subtract(bone.tail, bone.head)
        axis = np.cross(along, palm)
        degrees = FINGER_CURL[rest[:2]] * (0.5 if finger == "thumb" else 1.0)
        parent = turns.get(bone.parent, hand)
        turns[bone.name] = parent @ _about(axis, np.radians(degrees))
    return turns


def _about(axis: Array, angle: float) -> Array:
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _frame(along: Array, forward: Array) -> Array:
    """Return (..., 3, 3) axes: Y along a bone, X its hinge, Z the rest."""
    y = along / np.linalg.norm(along, axis=-1, keepdims=True)
    x = np.cross(y, forward)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def _relative(turns: dict[str, Array], bone: Bone) -> Array:
    """Return the turn of a bone against its parent, in the character's axes."""
    turn = turns[bone.name]
    return np.swapaxes(turns[bone.parent], -1, -2) @ turn if bone.parent else turn


def _quaternions(rotation: Array) -> Array:
    """Return (n, 4) unit quaternions w, x, y, z of (n, 3, 3) rotations."""
    # All turns of a walk stay far below 180 degrees, so w is safe to divide by.
    w = np.sqrt(np.maximum(1.0 + np.trace(rotation, axis1=-2, axis2=-1), 0.0)) / 2
    skew = rotation - np.swapaxes(rotation, -1, -2)
    xyz = np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1)
    quaternion = np.concatenate([w[..., None], xyz / (4 * w[..., None])], axis=-1)
    return quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)


def _key(
    container: Any,
    bone: bpy.types.PoseBone,
    channel: str,
    frames: NDArray[np.int_],
    values: Array,
) -> None:
    if channel == "rotation_quaternion":
        bone.rotation_mode = "QUATERNION"
    path = bone.path_from_id(channel)
    for index, column in enumerate(values[: len(frames)].T):
        curve = fcurves.ensure_curve(container, path, index, bone.name)
        fcurves.write_keys(curve, frames, column, interpolation="BEZIER", key_type="KEYFRAME")
