"""Motions on the floor: get up from lying on the back, and a cartwheel."""

from __future__ import annotations

import numpy as np

from demo.gait import about_y

from ..body import Body, Floats
from ..posing import Motion, Posing, Touch, curve
from .effectors import FPS, PLAIN_LEG, Knots, Score, play, soft_curve

ANKLE = 0.08
PALM = 0.019  # height of a wrist whose palm is on the floor


def get_up(body: Body) -> Motion:
    """Lie on the back, sit up on the hands, come to a squat and stand."""
    feet: dict[str, Knots] = {}
    hands: dict[str, Knots] = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        x = 0.1 * sign
        feet[side] = [
            (0, x, -0.76, 0.056, -90, 0, 0), (20, x, -0.76, 0.056, -90, 0, 0),
            (46, x, -0.43, ANKLE, 0, 0, 0), (130, x, -0.43, ANKLE, 0, 0, 0),
        ]  # fmt: skip
        beside = (0.30 * sign, -0.02, 0.04, 0, 0, -90 * sign)
        behind = (0.24 * sign, 0.12, PALM, 0, 0, 0)
        hanging = (0.26 * sign, -0.45, 0.80, 0, 80 * sign, 0)
        hands[side] = [
            (0, *beside), (12, *beside), (34, *behind), (41, *behind), (98, *hanging),
            (130, *hanging),
        ]  # fmt: skip
    hips = [(0, 0, 0, 0.112), (46, 0, 0, 0.112), (60, 0, -0.05, 0.14), (82, 0, -0.33, 0.36),
            (112, 0, -0.45, 0.85), (130, 0, -0.45, 0.85)]  # fmt: skip
    trunk = [(0, -90, 0, 0), (16, -90, 0, 0), (42, -20, 0, 0), (58, -8, 0, 0), (80, 45, 0, 0),
             (112, 0, 0, 0)]  # fmt: skip
    chest = [(0, 0, 0, 0), (16, 0, 0, 0), (34, 25, 0, 0), (80, 15, 0, 0), (112, 0, 0, 0)]
    touches = [
        ("hips", 0, 52), ("chest", 0, 16),
        *((f"toe.{side}", 46, 130) for side in "LR"),
        *((f"hand.{side}", 34, 41) for side in "LR"),
    ]  # fmt: skip
    score = Score(
        "Get Up", 130, hips, feet, trunk, chest, hands,
        knees=((0, 0, -0.3, 1), (80, 0, -0.6, 1), (112, 0, -1, 0.2)),
        elbows=((0, 1.0, 0.5, 0.2), (1, 1.0, 0.5, 0.2)),
        arcs=((0, 0, 0.06), (0, 0, 0.05)), touches=touches,
    )  # fmt: skip
    return play(body, score)


# Cartwheel: frames of the start, of each contact's first and last, and the end.
TURN: Knots = (
    (0, 0.0), (10, 10.0), (22, 120.0), (40, 180.0), (58, 240.0), (70, 350.0), (80, 360.0),
)  # fmt: skip
WAY: Knots = (
    (0, 0.0, 0.80), (10, 0.06, 0.76), (22, 0.42, 0.70), (40, 0.85, 0.88), (58, 1.28, 0.70),
    (70, 1.64, 0.76), (80, 1.70, 0.80),
)  # fmt: skip
FOOT_UP = {"R": (10, 22), "L": (16, 28)}
FOOT_DOWN = {"R": (50, 60), "L": (56, 68)}
FOOT_FROM, FOOT_TO = {"L": 0.25, "R": -0.15}, {"L": 1.85, "R": 1.45}
HAND_DOWN = {"L": (12, 23), "R": (22, 34)}
HAND_UP = {"L": (46, 58), "R": (57, 68)}
HAND_AT = {"L": 0.68, "R": 1.02}


def cartwheel(body: Body) -> Motion:
    """Sideways over both hands, to the left."""
    frames = np.arange(81, dtype=float)
    size = body.leg_length / PLAIN_LEG
    angle = np.radians(soft_curve(frames, TURN))[:, 0]
    way = size * soft_curve(frames, WAY)
    posing = Posing(body, np.stack([way[:, 0], np.zeros(81), way[:, 1]], axis=1))
    posing.turns[body.root] = about_y(angle)
    touches = []
    for side, sign in (("L", 1.0), ("R", -1.0)):
        _wheel_leg(posing, side, sign, angle, frames, size)
        _wheel_arm(posing, side, sign, angle, frames, size)
        touches += [
            Touch(f"toe.{side}", 0, FOOT_UP[side][0]), Touch(f"toe.{side}", FOOT_DOWN[side][1], 81),
            Touch(f"hand.{side}", HAND_DOWN[side][1], HAND_UP[side][0]),
        ]  # fmt: skip
    return posing.motion("Cartwheel", FPS, tuple(touches))


def _wheel_leg(
    posing: Posing, side: str, sign: float, angle: Floats, frames: Floats, size: float
) -> None:
    """A leg stands, stretches out from the body, and stands again a turn later."""
    up, down = FOOT_UP[side], FOOT_DOWN[side]
    air = curve(frames, ((up[0], 0.0), (up[1], 1.0), (down[0], 1.0), (down[1], 0.0)))
    out = posing.root + about_y(angle) @ (size * np.array([0.34 * sign, 0.0, -0.68]))
    x = np.where(frames < 40, FOOT_FROM[side], FOOT_TO[side])
    stand = size * np.stack([x, np.full(81, 0.02), np.full(81, ANKLE)], axis=1)
    whole = np.where(frames < 40, 0.0, 2 * np.pi)
    turn = about_y(whole + air[:, 0] * (angle - whole))
    leg = posing.body.limb(f"leg.{side}")
    # Knees point to the front, which a cartwheel keeps.
    posing.reach(leg, stand + air * (out - stand), turn, (0.0, -1.0, 0.0))
    if leg.toe:
        posing.turns[leg.toe] = turn


def _wheel_arm(
    posing: Posing, side: str, sign: float, angle: Floats, frames: Floats, size: float
) -> None:
    """An arm over the head, which bears while its hand is on the floor."""
    down, up = HAND_DOWN[side], HAND_UP[side]
    bears = curve(frames, ((down[0], 0.0), (down[1], 1.0), (up[0], 1.0), (up[1], 0.0)))
    over = posing.root + about_y(angle) @ (size * np.array([0.22 * sign, 0.0, 0.86]))
    place = size * np.array([HAND_AT[side], 0.0, PALM])
    flat = 0.0 if side == "L" else 2 * np.pi
    free = angle - sign * np.pi / 2
    # The palm is flat before it comes down and until it is up.
    level = curve(
        frames, ((down[0] - 7, 0.0), (down[1] - 5, 1.0), (up[0] + 5, 1.0), (up[1] + 7, 0.0))
    )
    turn = about_y(free + level[:, 0] * (flat - free))
    arm = posing.body.limb(f"arm.{side}")
    posing.reach(arm, over + bears * (place - over), turn, (0.0, 1.0, 0.0))
