"""One stride of the walk as numbers: where pelvis and feet are in each frame of the cycle.

The left heel strikes in frame 0 and the right one half a cycle later. A foot rolls over its heel
edge, stands flat, lifts its heel while the toes stay on the floor, and leaves over the toe tip.
Between strike and toe-off the point it rolls over does not move at all, so nothing slides.
The pelvis curves and the angles were chosen to give the knee, ankle and pelvis motion that gait
analysis reports for a relaxed adult walk. Metres, radians, frames; the person walks along -Y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .skeleton import SOLE, bones

Array = NDArray[np.float64]

FPS = 24
CYCLE_FRAMES = 26  # 13 frames a step: 110.8 steps a minute
STRIDE = 1.4  # two steps of 0.7 m
HALF_STEP_WIDTH = 0.052  # ankle to the line of progression
TOE_OUT = float(np.radians(6.0))

FLAT_FROM = 3  # ball and toe reach the floor
HEEL_OFF = 8  # last frame with the heel on the floor
BALL_OFF = 14  # last frame with the ball on the floor
TOE_OFF = 16  # last frame with the toe on the floor: 62 % of the cycle

# Contacts of the left foot as (first, last) frame of the cycle.
CONTACTS: dict[str, tuple[int, int]] = {
    "heel": (0, HEEL_OFF),
    "ball": (FLAT_FROM, BALL_OFF),
    "toe": (FLAT_FROM, TOE_OFF),
}

# Pitch of foot and toes against the floor, degrees, toes down positive: (frame, angle) knots.
FOOT_PITCH = (
    (0, -19.0), (1, -11.5), (2, -4.0), (3, 0.0), (8, 0.0), (10, 2.5), (12, 12.6), (13, 23.0),
    (14, 38.2), (15, 51.0), (16, 68.5), (18, 63.0), (20, 35.0), (22, 5.0), (24, -8.2),
)  # fmt: skip
TOE_PITCH = (
    (0, -28.0), (1, -18.0), (2, -7.0), (3, 0.0), (8, 0.0), (14, 0.0), (15, 9.0), (16, 25.0),
    (18, 37.0), (20, 19.3), (22, -7.0), (24, -24.6),
)  # fmt: skip
# Knee flexion in swing, degrees. In stance it follows from pelvis and foot.
SWING_KNEE = ((18, 56.3), (19, 61.6), (20, 60.2), (22, 41.4), (24, 19.8))

# Pelvis height above the floor as a mean and (cos, sin) of the 1st and 2nd harmonic of a step.
PELVIS_HEIGHT = (0.9325, (-0.0108, 0.0012), (0.0005, 0.0010))
PELVIS_AHEAD = 0.043  # how far the pelvis is ahead of the middle between two strikes
PELVIS_SWAY = 0.020  # to the standing foot


@dataclass(frozen=True)
class Stride:
    """One cycle of the lower body, sampled at its frames 0 to CYCLE_FRAMES - 1.

    Attributes:
        pelvis: (n, 3) position of the hips bone's head.
        pelvis_turn: (n, 3) pelvis tilt (forward), list (left side down) and yaw (to the left).
        ankle: per side, (n, 3) position of the ankle.
        foot_pitch: per side, (n,) pitch of the foot against the floor, toes down positive.
        toe_pitch: per side, (n,) the same for the toes.
    """

    pelvis: Array
    pelvis_turn: Array
    ankle: dict[str, Array]
    foot_pitch: dict[str, Array]
    toe_pitch: dict[str, Array]


def stride() -> Stride:
    """Return the cycle; in the next one everything is STRIDE further along -Y."""
    frames = np.arange(CYCLE_FRAMES)
    ankle, foot, toe = _left_leg()
    half = CYCLE_FRAMES // 2
    passed = np.where(frames < half, 0.5, -0.5)[:, None] * np.array([0.0, STRIDE, 0.0])
    return Stride(
        pelvis_position(frames),
        pelvis_turn(frames),
        {"L": ankle, "R": np.roll(ankle, half, axis=0) * [-1, 1, 1] + passed},
        {"L": foot, "R": np.roll(foot, half)},
        {"L": toe, "R": np.roll(toe, half)},
    )


def pelvis_position(frame: ArrayLike) -> Array:
    """Return the (n, 3) path of the hips bone's head; `frame` may leave the cycle."""
    turn = 2 * np.pi * np.asarray(frame, float) / CYCLE_FRAMES
    mean, first, second = PELVIS_HEIGHT
    height = mean + _wave(2 * turn, *first) + _wave(4 * turn, *second)
    ahead = STRIDE * turn / (2 * np.pi) + PELVIS_AHEAD - STRIDE / 4 + 0.008 * np.sin(2 * turn)
    sway = PELVIS_SWAY * np.cos(turn - 2 * np.pi * 0.30)
    return np.stack([sway, -ahead, height], axis=-1)


def pelvis_turn(frame: ArrayLike) -> Array:
    """Return the (n, 3) tilt, list and yaw of the pelvis."""
    turn = 2 * np.pi * np.asarray(frame, float) / CYCLE_FRAMES
    tilt = 2.0 + 0.8 * np.cos(2 * turn - 0.5)
    listing = -3.2 * np.cos(turn - 2 * np.pi * 0.18)
    yaw = -5.0 * np.cos(turn)
    return np.radians(np.stack([tilt, listing, yaw], axis=-1))


def _wave(angle: Array, cosine: float, sine: float) -> Array:
    return cosine * np.cos(angle) + sine * np.sin(angle)


def _left_leg() -> tuple[Array, Array, Array]:
    """Return ankle path, foot pitch and toe pitch of the left leg over the cycle."""
    frames = np.arange(CYCLE_FRAMES)
    foot, toe = (np.radians(_periodic_spline(knots, frames)) for knots in (FOOT_PITCH, TOE_PITCH))
    # Knots on the floor are exact zeros, what the spline makes between them is not.
    foot[FLAT_FROM : HEEL_OFF + 1] = 0.0
    toe[FLAT_FROM : BALL_OFF + 1] = 0.0
    ankle = np.empty((CYCLE_FRAMES, 3))
    for frame in range(TOE_OFF + 1):
        ankle[frame] = _standing_ankle(frame, foot[frame], toe[frame])
    ankle[TOE_OFF + 1 :] = _swing(ankle[: TOE_OFF + 1])
    return ankle, foot, toe


def _standing_ankle(frame: int, foot_pitch: float, toe_pitch: float) -> Array:
    """Return the ankle of the left foot from the sole point that stands still.

    The footprint's origin, below the ankle of the flat foot, is at y = 0.
    """
    joints = {bone.name: np.array(bone.head) for bone in bones()}
    ankle, ball = joints["foot.L"], joints["toe.L"]
    origin = np.array([ankle[0], ankle[1], 0.0])
    sole = {point: np.array(at) for point, (_, at) in SOLE.items()}
    foot = turn_out(1.0) @ about_x(foot_pitch)
    toe = turn_out(1.0) @ about_x(toe_pitch)
    if frame < FLAT_FROM:
        at = turn_out(1.0) @ (sole["heel"] - origin) + foot @ (ankle - sole["heel"])
    else:
        tip = turn_out(1.0) @ (sole["toe"] - origin)
        at = tip + toe @ (ball - sole["toe"]) + foot @ (ankle - ball)
    return at + np.array([HALF_STEP_WIDTH, 0.0, 0.0])


def _swing(standing: Array) -> Array:
    """Return the ankle between toe-off and the next strike.

    Knee flexion is what was chosen; the direction from hip to ankle and the ankle's side step
    run on from the end of stance to the beginning of the next one.
    """
    before = np.arange(TOE_OFF - 3, TOE_OFF + 1)
    after = np.arange(3)
    frames = np.r_[before, after + CYCLE_FRAMES]
    onward = np.array([0.0, -STRIDE, 0.0])
    ankle = np.concatenate([standing[before], standing[after] + onward])
    leg = ankle - hip_position(frames, "L")
    knee = knee_flexion(np.linalg.norm(leg, axis=1))
    swing = np.arange(TOE_OFF + 1, CYCLE_FRAMES)

    chosen = np.radians(np.array(SWING_KNEE))
    knots = np.r_[before, [frame for frame, _ in SWING_KNEE], after + CYCLE_FRAMES]
    values = np.r_[knee[:4], chosen[:, 1], knee[4:]]
    length = leg_length(_spline(knots, values, swing))
    swing_angle = _spline(frames, np.arctan2(leg[:, 1], -leg[:, 2]), swing)
    aside = _spline(frames, ankle[:, 0], swing)

    hip = hip_position(swing, "L")
    across = aside - hip[:, 0]
    in_plane = np.sqrt(length**2 - across**2)
    return np.stack(
        [
            aside,
            hip[:, 1] + in_plane * np.sin(swing_angle),
            hip[:, 2] - in_plane * np.cos(swing_angle),
        ],
        axis=-1,
    )


def hip_position(frame: ArrayLike, side: str) -> Array:
    """Return the (n, 3) path of one hip joint."""
    joints = {bone.name: np.array(bone.head) for bone in bones()}
    offset = joints[f"thigh.{side}"] - joints["hips"]
    return pelvis_position(frame) + turned(pelvis_turn(frame)) @ offset


def leg_length(flexion: ArrayLike) -> Array:
    """Return the distance from hip to ankle at a knee flexion (0 is straight)."""
    thigh, shin = _leg_segments()
    return np.asarray(np.sqrt(thigh**2 + shin**2 + 2 * thigh * shin * np.cos(flexion)))


def knee_flexion(length: ArrayLike) -> Array:
    """Return the knee flexion at a distance from hip to ankle; NaN where it is out of reach."""
    thigh, shin = _leg_segments()
    cosine = (np.asarray(length) ** 2 - thigh**2 - shin**2) / (2 * thigh * shin)
    return np.arccos(np.where(cosine > 1.0, np.nan, cosine))


def turned(angles: ArrayLike) -> Array:
    """Return (..., 3, 3) rotations that tilt about X, then list about Y, then yaw about Z."""
    tilt, listing, yaw = np.moveaxis(np.asarray(angles, float), -1, 0)
    return about_z(yaw) @ about_y(listing) @ about_x(tilt)


def turn_out(side: float) -> Array:
    """Return the rotation of a foot about the vertical; `side` is 1 for left, -1 for right."""
    return about_z(side * TOE_OUT)


def about_x(angle: ArrayLike) -> Array:
    """Return the (..., 3, 3) rotation about X: positive leans forward."""
    return _rotation(angle, 1, 2)


def about_y(angle: ArrayLike) -> Array:
    """Return the (..., 3, 3) rotation about Y: positive lowers the left side."""
    return _rotation(angle, 2, 0)


def about_z(angle: ArrayLike) -> Array:
    """Return the (..., 3, 3) rotation about Z: positive turns to the left."""
    return _rotation(angle, 0, 1)


def _rotation(angle: ArrayLike, first: int, second: int) -> Array:
    cosine, sine = np.cos(angle), np.sin(angle)
    matrix = np.zeros((*np.shape(angle), 3, 3))
    matrix[..., 3 - first - second, 3 - first - second] = 1.0
    matrix[..., first, first] = matrix[..., second, second] = cosine
    matrix[..., second, first] = sine
    matrix[..., first, second] = -sine
    return matrix


def _leg_segments() -> tuple[float, float]:
    joints = {bone.name: np.array(bone.head) for bone in bones()}
    hip, knee, ankle = joints["thigh.L"], joints["shin.L"], joints["foot.L"]
    return float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))


def _periodic_spline(knots: tuple[tuple[int, float], ...], frames: ArrayLike) -> Array:
    """Return a curve through (frame, value) knots of a cycle, sampled at frames of it."""
    at, value = np.array(knots, float).T
    around = np.r_[at - CYCLE_FRAMES, at, at + CYCLE_FRAMES]
    return _spline(around, np.tile(value, 3), frames)


def _spline(at: ArrayLike, value: ArrayLike, where: ArrayLike) -> Array:
    """Return the natural cubic spline through (at, value), sampled at `where`."""
    at, value, where = np.asarray(at, float), np.asarray(value, float), np.asarray(where, float)
    step, slope = np.diff(at), np.diff(value) / np.diff(at)
    matrix = np.eye(len(at))
    right = np.zeros(len(at))
    for i in range(1, len(at) - 1):
        matrix[i, i - 1 : i + 2] = step[i - 1], 2 * (step[i - 1] + step[i]), step[i]
        right[i] = 6 * (slope[i] - slope[i - 1])
    bend = np.linalg.solve(matrix, right)
    left = np.clip(np.searchsorted(at, where, side="right") - 1, 0, len(at) - 2)
    a, b, h = at[left + 1] - where, where - at[left], step[left]
    return np.asarray(
        (bend[left] * a**3 + bend[left + 1] * b**3) / (6 * h)
        + (value[left] / h - bend[left] * h / 6) * a
        + (value[left + 1] / h - bend[left + 1] * h / 6) * b
    )
