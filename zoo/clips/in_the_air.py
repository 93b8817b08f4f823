"""Motions off the floor: a jump, a falling idle, and a drop that lands."""

from __future__ import annotations

import numpy as np

from ..body import Body
from ..posing import Motion
from .effectors import FPS, Knots, Score, play

ANKLE = 0.08
GRAVITY = 9.81
LANDING = 22  # frame in which a drop ends
DROP = GRAVITY / 2 * (LANDING / FPS) ** 2
DEEP = 0.28  # metres that the knees give way


def jump(body: Body) -> Motion:
    """A jump over half a metre: crouch, leave the floor, land."""
    feet: dict[str, Knots] = {}
    for side, x in (("L", 0.1), ("R", -0.1)):
        feet[side] = [
            (0, x, 0.02, ANKLE, 0, 0, 0), (22, x, 0.02, ANKLE, 0, 0, 0),
            (31, x, -0.25, 0.42, 25, 0, 0), (40, x, -0.52, ANKLE, 0, 0, 0),
            (75, x, -0.52, ANKLE, 0, 0, 0),
        ]  # fmt: skip
    hips = [(0, 0, 0, 0.85), (14, 0, 0.08, 0.58), (22, 0, 0.0, 0.82), (31, 0, -0.27, 1.08),
            (40, 0, -0.52, 0.82), (48, 0, -0.5, 0.55), (65, 0, -0.53, 0.85),
            (75, 0, -0.53, 0.85)]  # fmt: skip
    trunk = [(0, 0, 0, 0), (14, 35, 0, 0), (24, 5, 0, 0), (38, 8, 0, 0), (48, 35, 0, 0),
             (65, 0, 0, 0)]  # fmt: skip
    touches = [(f"toe.{side}", *span) for side in "LR" for span in ((0, 22), (40, 75))]
    return play(body, Score("Jump", 75, hips, feet, trunk=trunk, touches=touches))


def falling_idle(body: Body) -> Motion:
    """Hanging in the air, two and a half metres up, legs pedalling; nothing ever touches."""
    at = np.arange(0, 91, 10, dtype=np.float64)
    feet: dict[str, Knots] = {}
    hands: dict[str, Knots] = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        phase = np.pi * at / 15.0 + (sign < 0) * np.pi
        feet[side] = [
            (frame, 0.14 * sign, 0.08 - 0.16 * np.sin(p), 1.75 + 0.10 * np.cos(p), 25, 0, 0)
            for frame, p in zip(at, phase, strict=True)
        ]
        hands[side] = [
            (frame, 0.5 * sign, 0.1 * np.cos(p), 2.9 + 0.08 * np.sin(p), 0, 0, 0)
            for frame, p in zip(at, phase, strict=True)
        ]
    hips = [(frame, 0.0, 0.0, 2.5 + 0.02 * np.sin(frame / 9.0)) for frame in at]
    trunk: Knots = [(0, 8, 0, 0), (1, 8, 0, 0)]
    return play(body, Score("Falling Idle", 90, hips, feet, trunk=trunk, hands=hands))


def drop(body: Body) -> Motion:
    """A fall from two and a half metres that lands on both feet."""
    speed = np.sqrt(2 * GRAVITY * DROP) / FPS
    at = np.arange(LANDING + 51, dtype=float)
    high = np.maximum(0.0, DROP - GRAVITY / 2 * (at / FPS) ** 2)
    since = np.maximum(0.0, at - LANDING)
    # The hips go on down as fast as they came, and back up.
    slow = DEEP * np.e / speed
    hips = 0.83 + high - speed * since * np.exp(-since / slow)
    feet: dict[str, Knots] = {
        side: [(f, x, 0.02, ANKLE + h, 0, 0, 0) for f, h in zip(at, high, strict=True)]
        for side, x in (("L", 0.12), ("R", -0.12))
    }
    path = [(f, 0.0, 0.0, z) for f, z in zip(at, hips, strict=True)]
    bend = (0, 5.0), (LANDING, 10.0), (LANDING + 7, 30.0), (LANDING + 30, 5.0)
    trunk: Knots = [(frame, tilt, 0, 0) for frame, tilt in bend]
    touches = [(f"toe.{side}", LANDING, LANDING + 50) for side in "LR"]
    score = Score("Drop", LANDING + 50, path, feet, trunk=trunk, touches=touches, soft=1.0)
    return play(body, score)
