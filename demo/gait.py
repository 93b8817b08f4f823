"""One stride as numbers: where pelvis and feet are in each frame of the cycle of a walk or a run.

The left heel strikes in frame 0 and the right one half a cycle later. A foot rolls over its heel
edge, stands flat, lifts its heel while the toes stay on the floor, and leaves over the toe tip.
Between strike and toe-off the point it rolls over does not move at all, so nothing slides.
The walk's pelvis curves and angles were chosen to give the knee, ankle and pelvis motion that gait
analysis reports for a relaxed adult walk. The run has flight phases; it is for tests. Metres,
radians, frames; the person moves along -Y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .skeleton import SOLE, bones

Array = NDArray[np.float64]

FPS = 24
HALF_STEP_WIDTH = 0.052  # ankle to the line of progression
TOE_OUT = float(np.radians(6.0))

Knots = tuple[tuple[int, float], ...]
Wave = tuple[float, float]


@dataclass(frozen=True)
class Gait:
    """Parameters of a stride. Frames are those of the left foot's cycle.

    Attributes:
        name: Name of the gait.
        fps: Frames per second.
        cycle_frames: Frames of two steps.
        stride: Length of two steps.
        flat_from: First frame with ball and toe on the floor.
        heel_off: Last frame with the heel on the floor.
        ball_off: Last frame with the ball on the floor.
        toe_off: Last frame with the toe on the floor.
        foot_pitch: Pitch of the foot against the floor, degrees, toes down positive.
        toe_pitch: The same for the toes.
        swing_knee: Knee flexion in swing, degrees. In stance it follows from pelvis and foot.
        pelvis_height: Its mean, and (cos, sin) of the 1st and 2nd harmonic of a step.
        pelvis_ahead: How far the pelvis is ahead of the middle between two strikes.
        pelvis_sway: To the standing foot.
    """

    name: str
    fps: int
    cycle_frames: int
    stride: float
    flat_from: int
    heel_off: int
    ball_off: int
    toe_off: int
    foot_pitch: Knots
    toe_pitch: Knots
    swing_knee: Knots
    pelvis_height: tuple[float, Wave, Wave]
    pelvis_ahead: float
    pelvis_sway: float

    @property
    def contacts(self) -> dict[str, tuple[int, int]]:
        """Contacts of the left foot's sole points as (first, last) frame of the cycle."""
        return {
            "heel": (0, self.heel_off),
            "ball": (self.flat_from, self.ball_off),
            "toe": (self.flat_from, self.toe_off),
        }


WALK = Gait(
    name="Walk",
    fps=FPS,
    cycle_frames=26,  # 13 frames a step: 110.8 steps a minute
    stride=1.4,  # two steps of 0.7 m
    flat_from=3,
    heel_off=8,
    ball_off=14,
    toe_off=16,  # 62 % of the cycle
    foot_pitch=(
        (0, -19.0), (1, -11.5), (2, -4.0), (3, 0.0), (8, 0.0), (10, 2.5), (12, 12.6), (13, 23.0),
        (14, 38.2), (15, 51.0), (16, 68.5), (18, 63.0), (20, 35.0), (22, 5.0), (24, -8.2),
    ),
    toe_pitch=(
        (0, -28.0), (1, -18.0), (2, -7.0), (3, 0.0), (8, 0.0), (14, 0.0), (15, 9.0), (16, 25.0),
        (18, 37.0), (20, 19.3), (22, -7.0), (24, -24.6),
    ),
    swing_knee=((18, 56.3), (19, 61.6), (20, 60.2), (22, 41.4), (24, 19.8)),
    pelvis_height=(0.9325, (-0.0108, 0.0012), (0.0005, 0.0010)),
    pelvis_ahead=0.043,
    pelvis_sway=0.020,
)  # fmt: skip

RUN = Gait(
    name="Run",
    fps=60,
    cycle_frames=42,  # 21 frames a step: 171 steps a minute, 3 m/s
    stride=2.1,
    flat_from=2,
    heel_off=6,
    ball_off=13,
    toe_off=15,  # five frames of flight until the right foot strikes
    foot_pitch=(
        (0, -9.0), (1, -3.5), (2, 0.0), (6, 0.0), (8, 4.0), (10, 13.0), (12, 26.0), (13, 34.0),
        (14, 42.5), (15, 51.0), (18, 74.0), (22, 88.0), (27, 72.0), (32, 35.0), (37, 3.0),
        (40, -8.0),
    ),
    toe_pitch=(
        (0, -14.0), (1, -5.5), (2, 0.0), (6, 0.0), (13, 0.0), (14, 6.0), (15, 15.0), (18, 42.0),
        (22, 66.0), (27, 58.0), (32, 27.0), (37, -3.0), (40, -12.0),
    ),
    swing_knee=((19, 59.0), (23, 84.0), (27, 94.0), (31, 82.0), (35, 54.0), (38, 32.0)),
    pelvis_height=(0.9000, (0.0080, -0.0300), (0.0, 0.0)),
    pelvis_ahead=0.262,
    pelvis_sway=0.012,
)  # fmt: skip

CYCLE_FRAMES = WALK.cycle_frames
STRIDE = WALK.stride


@dataclass(frozen=True)
class Stride:
    """One cycle of the lower body, sampled at its frames from 0 on.

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


def stride(gait: Gait = WALK) -> Stride:
    """Return the cycle; in the next one everything is a stride further along -Y."""
    frames = np.arange(gait.cycle_frames)
    ankle, foot, toe = _left_leg(gait)
    half = gait.cycle_frames // 2
    passed = np.where(frames < half, 0.5, -0.5)[:, None] * np.array([0.0, gait.stride, 0.0])
    return Stride(
        pelvis_position(gait, frames),
        pelvis_turn(gait, frames),
        {"L": ankle, "R": np.roll(ankle, half, axis=0) * [-1, 1, 1] + passed},
        {"L": foot, "R": np.roll(foot, half)},
        {"L": toe, "R": np.roll(toe, half)},
    )


def pelvis_position(gait: Gait, frame: ArrayLike) -> Array:
    """Return the (n, 3) path of the hips bone's head; `frame` may leave the cycle."""
    turn = 2 * np.pi * np.asarray(frame, float) / gait.cycle_frames
    mean, first, second = gait.pelvis_height
    height = mean + _wave(2 * turn, *first) + _wave(4 * turn, *second)
    way = gait.stride * (turn / (2 * np.pi) - 0.25)
    ahead = way + gait.pelvis_ahead + 0.008 * np.sin(2 * turn)
    sway = gait.pelvis_sway * np.cos(turn - 2 * np.pi * 0.30)
    return np.stack([sway, -ahead, height], axis=-1)


def pelvis_turn(gait: Gait, frame: ArrayLike) -> Array:
    """Return the (n, 3) tilt, list and yaw of the pelvis."""
    turn = 2 * np.pi * np.asarray(frame, float) / gait.cycle_frames
    tilt = 2.0 + 0.8 * np.cos(2 * turn - 0.5)
    listing = -3.2 * np.cos(turn - 2 * np.pi * 0.18)
    yaw = -5.0 * np.cos(turn)
    return np.radians(np.stack([tilt, listing, yaw], axis=-1))


def _wave(angle: Array, cosine: float, sine: float) -> Array:
    return cosine * np.cos(angle) + sine * np.sin(angle)


def _left_leg(gait: Gait) -> tuple[Array, Array, Array]:
    """Return ankle path, foot pitch and toe pitch of the left leg over the cycle."""
    foot, toe = (_periodic_spline(knots, gait) for knots in (gait.foot_pitch, gait.toe_pitch))
    # Knots on the floor are exact zeros, the spline between them is not.
    foot[gait.flat_from : gait.heel_off + 1] = 0.0
    toe[gait.flat_from : gait.ball_off + 1] = 0.0
    ankle = np.empty((gait.cycle_frames, 3))
    for frame in range(gait.toe_off + 1):
        on_heel = frame < gait.flat_from
        ankle[frame] = _standing_ankle(foot[frame], toe[frame], on_heel=on_heel)
    ankle[gait.toe_off + 1 :] = _swing(gait, ankle[: gait.toe_off + 1])
    return ankle, foot, toe


def _standing_ankle(foot_pitch: float, toe_pitch: float, *, on_heel: bool) -> Array:
    """Return the ankle of the left foot from the sole point that stands still.

    The footprint's origin, below the ankle of the flat foot, is at y = 0.
    """
    joints = {bone.name: np.array(bone.head) for bone in bones()}
    ankle, ball = joints["foot.L"], joints["toe.L"]
    origin = np.array([ankle[0], ankle[1], 0.0])
    sole = {point: np.array(at) for point, (_, at) in SOLE.items()}
    foot = turn_out(1.0) @ about_x(foot_pitch)
    toe = turn_out(1.0) @ about_x(toe_pitch)
    if on_heel:
        at = turn_out(1.0) @ (sole["heel"] - origin) + foot @ (ankle - sole["heel"])
    else:
        tip = turn_out(1.0) @ (sole["toe"] - origin)
        at = tip + toe @ (ball - sole["toe"]) + foot @ (ankle - ball)
    return at + np.array([HALF_STEP_WIDTH, 0.0, 0.0])


def _swing(gait: Gait, standing: Array) -> Array:
    """Return the ankle between toe-off and the next strike.

    Knee flexion is what was chosen; the direction from hip to ankle and the ankle's side step
    run on from the end of stance to the beginning of the next one.
    """
    before = np.arange(gait.toe_off - 3, gait.toe_off + 1)
    after = np.arange(3)
    frames = np.r_[before, after + gait.cycle_frames]
    onward = np.array([0.0, -gait.stride, 0.0])
    ankle = np.concatenate([standing[before], standing[after] + onward])
    leg = ankle - hip_position(gait, frames, "L")
    knee = knee_flexion(np.linalg.norm(leg, axis=1))
    swing = np.arange(gait.toe_off + 1, gait.cycle_frames)

    chosen = np.array(gait.swing_knee)
    knots = np.r_[before, chosen[:, 0], after + gait.cycle_frames]
    values = np.r_[knee[:4], np.radians(chosen[:, 1]), knee[4:]]
    length = leg_length(_spline(knots, values, swing))
    swing_angle = _spline(frames, np.arctan2(leg[:, 1], -leg[:, 2]), swing)
    aside = _spline(frames, ankle[:, 0], swing)

    hip = hip_position(gait, swing, "L")
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


def hip_position(gait: Gait, frame: ArrayLike, side: str) -> Array:
    """Return the (n, 3) path of one hip joint."""
    joints = {bone.name: np.array(bone.head) for bone in bones()}
    offset = joints[f"thigh.{side}"] - joints["hips"]
    return pelvis_position(gait, frame) + turned(pelvis_turn(gait, frame)) @ offset


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


def _periodic_spline(knots: Knots, gait: Gait) -> Array:
    """Return a curve through (frame, degrees) knots of a cycle at its frames, in radians."""
    at, value = np.array(knots, float).T
    around = np.r_[at - gait.cycle_frames, at, at + gait.cycle_frames]
    return np.radians(_spline(around, np.tile(value, 3), np.arange(gait.cycle_frames)))


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
