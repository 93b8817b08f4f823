"""A walk for any number of legs, made of exact contacts: nothing slides, nothing sinks in.

A foot stands flat, rolls over its ball if it has a toe bone, and swings to its next place.
Lengths are in proportion to the legs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from demo.gait import about_x, about_y, about_z, turned

from ..body import Body, Floats, Limb
from ..posing import Motion, Posing, Touch

FPS = 30
# Of thigh and shin: the most that a leg is high in the middle of a stand, and how far ahead of its
# hip it lands. Together they are less than 1, so that a knee is never straight.
HIGH, AHEAD = 0.93, 0.30
LATE = 0.85  # how much of the middle of a stand is before the hip: it rolls off behind it


@dataclass(frozen=True)
class Gait:
    """How a body walks.

    Attributes:
        name: Of the action.
        cycle: Frames of two steps.
        strides: How many cycles.
        stride: Length of a cycle over the longest that keeps the knees bent.
        stands: Share of the cycle in which a foot is on the floor.
        rolls: Share of the stand after which the heel lifts.
        pitch: Of the foot when it leaves the floor, degrees.
        lift: Height of the ankle in swing over the length of the legs.
        levels: Heights that the steps are on in turns, over the length of the legs.
        noise: Standard deviation of what a recording adds to pelvis and ankles in each frame, over
            the length of the legs.
        hops: Whether all legs move together.
        fps: Frames per second, which say how long the cycle takes.
    """

    name: str = "Walk"
    cycle: int = 30
    strides: int = 4
    stride: float = 1.0
    stands: float = 0.62
    rolls: float = 0.55
    pitch: float = 38.0
    lift: float = 0.10
    levels: tuple[float, ...] = (0.0,)
    noise: float = 0.0
    hops: bool = False
    fps: int = FPS


def walk(body: Body, gait: Gait) -> Motion:
    """The body walking along -Y from the origin."""
    frames = np.arange(gait.strides * gait.cycle + 1, dtype=float)
    size = body.leg_length
    phase = 2 * np.pi * frames / gait.cycle
    path = np.tile(body.head(body.root), (len(frames), 1))
    path[:, 1] -= stride(body, gait) * frames / gait.cycle
    path[:, 2] -= lowered(body) + 0.008 * np.cos(2 * phase) * size
    path[:, 2] += carried(body, gait, frames)
    path[:, 0] += 0.02 * size * np.cos(phase - 2.0) * (len(body.legs) == 2)
    posing = Posing(body, path + shaken(body, gait, len(frames), seed=0))
    if len(body.legs) == 2:
        _sway(posing, phase)
    touches: list[Touch] = []
    for number, (leg, delay) in enumerate(zip(body.legs, delays(body, gait), strict=True)):
        touches += _step(posing, leg, gait, delay, frames, number)
    if len(body.legs) == 2:
        hang_arms(posing, phase)
    return posing.motion(gait.name, gait.fps, tuple(touches))


def delays(body: Body, gait: Gait) -> list[float]:
    """When each leg's stand begins, as a share of the cycle: neighbours take turns."""
    found = []
    for number in range(len(body.legs)):
        pair, side = divmod(number, 2)
        found.append(0.0 if gait.hops else 0.5 * ((pair + side) % 2))
    return found


def level(body: Body, gait: Gait, steps: Floats) -> Floats:
    """Height of the floor that a step is on, metres."""
    heights = np.array(gait.levels) * body.leg_length
    return np.asarray(heights[np.mod(steps.astype(int), len(heights))], float)


def carried(body: Body, gait: Gait, frames: Floats) -> Floats:
    """How much the levels raise the body: a little less than the mean of its feet."""
    found = []
    for delay in delays(body, gait):
        since = frames / gait.cycle - delay
        found.append(level(body, gait, np.floor(2 * since + 2 * delay)))
    lower = 0.5 * np.ptp(gait.levels) * body.leg_length
    return gaussian_filter1d(np.mean(found, axis=0), gait.cycle / 5, mode="nearest") - lower


def shaken(body: Body, gait: Gait, count: int, seed: int) -> Floats:
    """What a recording adds to a path, (f, 3)."""
    noise = np.random.default_rng(seed).normal(0.0, 1.0, (count, 3))
    return gait.noise * body.leg_length * noise


def stride(body: Body, gait: Gait) -> float:
    """Length of a cycle, metres."""
    ahead = min(AHEAD * sum(_segments(body, leg)) for leg in body.legs)
    return gait.stride * ahead / (gait.stands / 2 * LATE)


def lowered(body: Body) -> float:
    """How much lower than in the rest pose the body walks, metres."""
    high = []
    for leg in body.legs:
        hip, _, ankle = (body.head(role) for role in leg.bones)
        high.append(hip[2] - ankle[2] - HIGH * sum(_segments(body, leg)))
    return max(0.0, *high)


def _segments(body: Body, leg: Limb) -> tuple[float, float]:
    hip, knee, ankle = (body.head(role) for role in leg.bones)
    return float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))


def _sway(posing: Posing, phase: Floats) -> None:
    tilt = np.stack([0.02 + 0.01 * np.cos(2 * phase), -0.04 * np.cos(phase - 1.1),
                     -0.08 * np.cos(phase)], axis=-1)  # fmt: skip
    body = posing.body
    posing.turns[body.root] = turned(tilt)
    posing.turns[body.spine[0]] = turned(0.5 * tilt)
    posing.turns[body.spine[-1]] = turned(-0.6 * tilt * (1.0, 1.0, 1.0) + (0.05, 0.0, 0.0))
    posing.turns["head"] = turned(np.zeros_like(tilt))


def hang_arms(posing: Posing, phase: Floats, swing: float = 0.35) -> None:
    """Let the arms of a T-pose hang and swing."""
    for side, sign in (("L", 1.0), ("R", -1.0)):
        if not any(limb.name == f"arm.{side}" for limb in posing.body.limbs):
            continue
        shoulder = posing.turn(posing.body.bone(f"upper_arm.{side}").parent)
        down = about_y(np.full(len(phase), sign * 1.35))
        forth = about_x(sign * swing * np.cos(phase - 0.2))
        upper = shoulder @ forth @ down
        elbow = about_z(-sign * (0.35 + 0.15 * np.cos(phase - 0.6 + (sign < 0) * np.pi)))
        posing.turns[f"upper_arm.{side}"] = upper
        posing.turns[f"forearm.{side}"] = upper @ elbow
        posing.turns[f"hand.{side}"] = upper @ elbow


def _step(
    posing: Posing, leg: Limb, gait: Gait, delay: float, frames: Floats, seed: int
) -> list[Touch]:
    """Turn a leg's bones; returns when its foot is on the floor."""
    body = posing.body
    since = frames / gait.cycle - delay
    number, share = np.floor_divide(since, 1.0), np.mod(since, 1.0)
    ankle, pitch, toe = _cycle(body, leg, gait, share)
    # A stand begins as far before the hip as it ends behind it.
    middle = gait.stands / 2 * LATE + delay
    ankle[:, 1] -= stride(body, gait) * (number + middle)
    now, then = (level(body, gait, 2 * (number + onward + delay)) for onward in (0, 1))
    swing = np.clip((share - gait.stands) / (1.0 - gait.stands), 0.0, 1.0)
    ankle[:, 2] += now + swing**3 * (10 - 15 * swing + 6 * swing**2) * (then - now)
    ankle += shaken(body, gait, len(frames), seed + 1)
    turn = about_x(pitch)
    pole = np.tile(np.array(leg.bend), (len(frames), 1))
    posing.reach(leg, ankle, turn, pole)
    if leg.toe:
        posing.turns[leg.toe] = about_x(toe)
    on_floor = share < gait.stands
    return spans(leg.toe or leg.bones[2], on_floor)


def _cycle(body: Body, leg: Limb, gait: Gait, share: Floats) -> tuple[Floats, Floats, Floats]:
    """Ankle (f, 3) from where the foot stands, pitch of foot and toe, by the share of the cycle."""
    stand = np.minimum(share, gait.stands)
    gait = gait if leg.toe else replace(gait, pitch=0.0)  # a foot that is a peg does not roll
    foot = _pitch(stand, gait)
    place, toe = _standing(body, leg, foot)
    swinging = share > gait.stands
    if not swinging.any():
        return place, foot, toe
    swing = (share - gait.stands) / (1.0 - gait.stands)
    swing = np.clip(swing, 0.0, 1.0)
    last, before = (
        _standing(body, leg, _pitch(np.array([at]), gait))[0][0]
        for at in (gait.stands, gait.stands - 1e-4)
    )
    speed = (last - before) / 1e-4 * (1.0 - gait.stands)
    goal = body.head(leg.bones[2]) - [0.0, stride(body, gait), 0.0]
    rate = np.radians(gait.pitch) * 2.0 / ((1 - gait.rolls) * gait.stands) * (1.0 - gait.stands)
    path = _hermite(swing, last, speed, goal)
    path[:, 2] += _lift(body, leg, gait) * 64 * swing**3 * (1 - swing) ** 3
    pitch = _hermite(swing, np.radians([gait.pitch]), np.array([rate]), np.zeros(1))[:, 0]
    toes = np.zeros_like(toe) if leg.toe else pitch
    place[swinging], foot[swinging], toe[swinging] = (
        path[swinging], pitch[swinging], toes[swinging],
    )  # fmt: skip
    if leg.toe:
        # Toes lift with the foot, and are level when it lands.
        toe[swinging] = (0.6 * 16 * swing**2 * (1 - swing) ** 2 * np.radians(gait.pitch))[swinging]
    return place, foot, toe


def _lift(body: Body, leg: Limb, gait: Gait) -> float:
    """Height of a swing: enough for the tip of a long foot, too."""
    assert leg.sole is not None
    long = abs(leg.sole[2][1] - body.head(leg.bones[2])[1])
    return max(gait.lift * body.leg_length, 0.55 * float(long))


def _pitch(share: Floats, gait: Gait) -> Floats:
    """Pitch of a standing foot: flat, then faster and faster."""
    rolled = np.clip((share / gait.stands - gait.rolls) / (1.0 - gait.rolls), 0.0, 1.0)
    return np.radians(gait.pitch) * rolled**2


def _standing(body: Body, leg: Limb, pitch: Floats) -> tuple[Floats, Floats]:
    """Place of the ankle while the foot rolls, and pitch of the toes."""
    assert leg.sole is not None
    ankle = body.head(leg.bones[2])
    pivot = body.head(leg.toe) if leg.toe else np.array(leg.sole[2])
    place = np.asarray(pivot + about_x(pitch) @ (ankle - pivot), float)
    return place, np.zeros_like(pitch) if leg.toe else pitch.copy()


def _hermite(share: Floats, start: Floats, speed: Floats, end: Floats) -> Floats:
    """From `start` with a speed to rest at `end`; (f, n)."""
    s = share[:, None]
    move = s**3 * (10 - 15 * s + 6 * s**2)
    drift = s - 6 * s**3 + 8 * s**4 - 3 * s**5
    return start + move * (end - start) + drift * speed


def spans(bone: str, on: Floats | np.ndarray) -> list[Touch]:
    """Times in which something rests on the floor."""
    edges = np.flatnonzero(np.diff(np.pad(np.asarray(on, bool).astype(int), 1)))
    return [Touch(bone, int(first), int(stop)) for first, stop in edges.reshape(-1, 2)]
