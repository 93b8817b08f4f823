"""The demo walk: five strides along -Y, 24 frames a second, written as keyframes.

The lower body comes from `gait.py`; here the legs are solved, trunk, head and arms are added,
and everything becomes rotations of bones.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from .gait import (
    CONTACTS,
    CYCLE_FRAMES,
    STRIDE,
    TOE_OUT,
    Array,
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
ACTION_NAME = "Walk"

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


def contacts() -> list[Contact]:
    """Return every contact of the walk, cut to its frame range, in order of time."""
    found = []
    for start in range(-1, STRIDES + 1):
        for side, delay in (("L", 0), ("R", CYCLE_FRAMES // 2)):
            begin = FIRST_FRAME + start * CYCLE_FRAMES + delay
            for point, (first, last) in CONTACTS.items():
                cut = max(begin + first, FIRST_FRAME), min(begin + last, LAST_FRAME)
                if cut[0] <= cut[1]:
                    found.append(Contact(side, point, *cut))
    return sorted(found, key=lambda contact: (contact.first, contact.side, contact.last))


def animate(armature: bpy.types.Object) -> bpy.types.Action:
    """Write the walk as an action of the armature and return it.

    Every frame has a key on every bone that moves; the fingers keep one relaxed pose.

    Args:
        armature: The object made by `character.build`.
    """
    turns, hips = body_turns()
    frames = np.arange(FIRST_FRAME, LAST_FRAME + 1)
    in_cycle = (frames - FIRST_FRAME) % CYCLE_FRAMES
    passed = ((frames - FIRST_FRAME) // CYCLE_FRAMES)[:, None] * np.array([0.0, -STRIDE, 0.0])
    armature.animation_data_create().action = bpy.data.actions.new(ACTION_NAME)
    for bone in bones():
        pose_bone = armature.pose.bones[bone.name]
        rest = np.array(pose_bone.bone.matrix_local)[:3, :3]
        local = rest.T @ _relative(turns, bone) @ rest
        rotations = _quaternions(local)[in_cycle]
        moving = np.ptp(rotations, axis=0).max() > 1e-6
        _key(pose_bone, "rotation_quaternion", frames if moving else frames[:1], rotations)
        if not bone.parent:
            _key(pose_bone, "location", frames, (hips[in_cycle] + passed - bone.head) @ rest)
    return armature.animation_data.action


def body_turns() -> tuple[dict[str, Array], Array]:
    """Return the cycle as turns of each bone away from its rest pose, in the character's axes.

    Returns:
        Per bone (n, 3, 3) rotations, and the (n, 3) path of the hips bone's head in metres.
    """
    lower = stride()
    turns = _trunk(lower)
    for side in ("L", "R"):
        turns |= _leg(lower, side)
        turns |= _arm(turns["upper_chest"], side)
    return turns, lower.pelvis


def _trunk(lower: Stride) -> dict[str, Array]:
    """The thorax turns against the pelvis, the head stays level and looks ahead."""
    turn = 2 * np.pi * np.arange(CYCLE_FRAMES) / CYCLE_FRAMES
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

    flat = about_z(np.full(CYCLE_FRAMES, outward))
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
    turn = 2 * np.pi * np.arange(CYCLE_FRAMES) / CYCLE_FRAMES + (0.0 if side == "L" else np.pi)
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


def _key(bone: bpy.types.PoseBone, channel: str, frames: NDArray[np.int_], values: Array) -> None:
    if channel == "rotation_quaternion":
        bone.rotation_mode = "QUATERNION"
    for frame, value in zip(frames, values, strict=False):
        setattr(bone, channel, value)
        bone.keyframe_insert(channel, frame=int(frame), group=bone.name)
