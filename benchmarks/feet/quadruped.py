"""A four-legged rig that trots, with exact contacts: along -Y, on the floor z = 0, in metres.

Diagonal legs move together. A paw that stands does not move or turn at all.
"""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from demo import character, walk
from demo.gait import about_x
from demo.skeleton import Bone, Vector

Floats = NDArray[np.float64]

NAME = "Quadruped"
FPS = 30
CYCLE_FRAMES = 24
STRIDE = 0.66
STANDS = 13  # frames of the cycle in which a paw stands
LIFT = 0.09
BOB = 0.008
LOWERED = 0.03  # from the rest pose, so that the knees stay bent
CLEARANCE = (0.10, 0.02, 0.0)  # of ankle, ball and tip
# hip, knee, ankle, ball and tip of the left legs: (y, z); the knee of a front leg points back.
LEGS: dict[str, tuple[float, tuple[tuple[float, float], ...]]] = {
    "hind": (1.0, ((0.32, 0.57), (0.25, 0.33), (0.33, 0.10), (0.27, 0.02), (0.22, 0.0))),
    "front": (-1.0, ((-0.30, 0.57), (-0.20, 0.33), (-0.28, 0.10), (-0.33, 0.02), (-0.38, 0.0))),
}
PARTS = ("thigh", "shin", "foot", "toe")
HALF_WIDTH = 0.1


def build(collection: bpy.types.Collection, strides: int = 6) -> bpy.types.Object:
    """Make the rig with its trot as the action and return its armature object."""
    armature = bpy.data.objects.new(NAME, bpy.data.armatures.new(NAME))
    collection.objects.link(armature)
    rest = bones()
    character.add_bones(armature, rest)
    frames = np.arange(strides * CYCLE_FRAMES + 1, dtype=float)
    path = _body(frames)
    turns = {bone.name: np.tile(np.eye(3), (len(frames), 1, 1)) for bone in rest}
    nod = np.radians(4.0) * np.sin(4 * np.pi * frames / CYCLE_FRAMES)
    turns["neck"], turns["head"] = about_x(nod), about_x(-0.5 * nod)
    for leg, side in legs():
        turns |= _leg_turns(leg, side, frames, path)
    walk.key_turns(armature, rest, turns, path, "Trot")
    return armature


def legs() -> list[tuple[str, str]]:
    """Every leg as "hind" or "front" and "L" or "R"."""
    return [(leg, side) for leg in LEGS for side in "LR"]


def contacts(strides: int = 6) -> list[tuple[str, str, int, int]]:
    """Every stand as leg, side, first row and the row after its last."""
    found, rows = [], strides * CYCLE_FRAMES + 1
    for leg, side in legs():
        for cycle in range(-1, strides + 1):
            first = cycle * CYCLE_FRAMES + _delay(leg, side)
            cut = max(first, 0), min(first + STANDS, rows)
            if cut[0] < cut[1]:
                found.append((leg, side, *cut))
    return found


def bones() -> list[Bone]:
    """The rest pose, parents first."""
    trunk: list[tuple[str, str, Vector, Vector]] = [
        ("pelvis", "", (0.0, 0.38, 0.60), (0.0, 0.20, 0.62)),
        ("spine", "pelvis", (0.0, 0.20, 0.62), (0.0, -0.05, 0.63)),
        ("chest", "spine", (0.0, -0.05, 0.63), (0.0, -0.32, 0.62)),
        ("neck", "chest", (0.0, -0.32, 0.62), (0.0, -0.46, 0.76)),
        ("head", "neck", (0.0, -0.46, 0.76), (0.0, -0.66, 0.74)),
        ("tail", "pelvis", (0.0, 0.38, 0.60), (0.0, 0.58, 0.50)),
    ]
    up = (0.0, 0.0, 1.0)
    made = [Bone(name, parent, head, tail, up) for name, parent, head, tail in trunk]
    for leg, side in legs():
        joints = _joints(leg, side)
        parent = "pelvis" if leg == "hind" else "chest"
        for part, head, tail in zip(PARTS, joints[:-1], joints[1:], strict=True):
            name = f"{leg}_{part}.{side}"
            made.append(Bone(name, parent, _point(head), _point(tail), (0.0, -1.0, 0.2)))
            parent = name
    return made


def _joints(leg: str, side: str) -> Floats:
    x = HALF_WIDTH if side == "L" else -HALF_WIDTH
    return np.array([(x, y, z) for y, z in LEGS[leg][1]])


def _point(values: Floats) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))


def _delay(leg: str, side: str) -> int:
    return 0 if (leg, side) in (("hind", "L"), ("front", "R")) else CYCLE_FRAMES // 2


def _body(frames: Floats) -> Floats:
    """Path of the pelvis bone's head; the whole trunk moves with it."""
    turn = 4 * np.pi * frames / CYCLE_FRAMES
    way = -STRIDE * frames / CYCLE_FRAMES
    height = 0.60 - LOWERED + BOB * np.cos(turn + 0.5)
    return np.stack([np.zeros(len(frames)), 0.38 + way, height], axis=-1)


def _leg_turns(leg: str, side: str, frames: Floats, path: Floats) -> dict[str, Floats]:
    joints = _joints(leg, side)
    hip = joints[0] + path - np.array([0.0, 0.38, 0.60])
    ankle, pitch = _paw(leg, side, frames)
    upper, lower = (float(np.linalg.norm(joints[i + 1] - joints[i])) for i in (0, 1))
    reach = ankle - hip
    length = np.linalg.norm(reach, axis=1)
    along = (length**2 + upper**2 - lower**2) / (2 * length)
    aside = np.sqrt(upper**2 - along**2)
    down = reach / length[:, None]
    # In the plane of the leg; the bend's direction is what tells hind from front.
    across = LEGS[leg][0] * np.stack([0 * length, down[:, 2], -down[:, 1]], axis=-1)
    knee = hip + along[:, None] * down + aside[:, None] * across
    names = [f"{leg}_{part}.{side}" for part in PARTS]
    return {
        names[0]: _about_x_from(joints[1] - joints[0], knee - hip),
        names[1]: _about_x_from(joints[2] - joints[1], ankle - knee),
        names[2]: about_x(pitch),
        names[3]: about_x(pitch),
    }


def _paw(leg: str, side: str, frames: Floats) -> tuple[Floats, Floats]:
    """Path of the ankle and pitch of the paw, which is level while it stands."""
    joints = _joints(leg, side)
    since = frames - _delay(leg, side)
    cycle, frame = np.floor_divide(since, CYCLE_FRAMES), np.mod(since, CYCLE_FRAMES)
    swing = np.clip((frame - STANDS + 1) / (CYCLE_FRAMES - STANDS + 1), 0.0, 1.0)
    passed = cycle + swing**3 * (10 - 15 * swing + 6 * swing**2)
    high = 64 * swing**3 * (1 - swing) ** 3
    # A stand begins as far before the hip as it ends behind it.
    middle = (_delay(leg, side) + (STANDS - 1) / 2) / CYCLE_FRAMES
    y = joints[2, 1] - STRIDE * (passed + middle)
    x = np.full(len(frames), joints[2, 0])
    return np.stack([x, y, joints[2, 2] + LIFT * high], axis=-1), np.radians(28.0) * high


def _about_x_from(rest: Floats, now: Floats) -> Floats:
    """Turns about X that bring a direction of the rest pose to those of the frames."""
    return about_x(np.arctan2(now[:, 2], now[:, 1]) - np.arctan2(rest[2], rest[1]))
