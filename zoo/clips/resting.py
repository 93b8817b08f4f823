"""Motions that rest on hands or seat: push-ups, sitting down on the floor, a hand on a rail."""

from __future__ import annotations

import numpy as np

from ..body import Body
from ..posing import Motion
from .effectors import Knots, Score, play

ANKLE, PALM = 0.08, 0.019
# Push-up: turn and height of a foot that stands on its tip, and where the ankles are.
ON_TIP, TIP_ANKLE, BEHIND = 75.0, 0.205, 0.80
LEG, HIGH, LOW = 0.77, 12.5, 2.0  # from ankle to hips, and degrees of the body over the floor
RAIL = 0.95


def push_up(body: Body) -> Motion:
    """Three push-ups on hands and tips of the feet."""
    feet: dict[str, Knots] = {}
    hands: dict[str, Knots] = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        foot = (0.1 * sign, BEHIND, TIP_ANKLE, ON_TIP, 0, 0)
        hand = (0.24 * sign, -0.33, PALM, 0, 0, -90 * sign)
        feet[side] = [(0, *foot), (120, *foot)]
        hands[side] = [(0, *hand), (120, *hand)]
    hips, trunk = [], []
    for frame, angle in zip(range(0, 121, 20), [HIGH, LOW] * 3 + [HIGH], strict=True):
        up = np.radians(angle)
        hips.append((frame, 0.0, BEHIND - LEG * np.cos(up), TIP_ANKLE + LEG * np.sin(up)))
        trunk.append((frame, 90.0 - angle, 0.0, 0.0))
    touches = [(f"{part}.{side}", 0, 120) for side in "LR" for part in ("toe", "hand")]
    score = Score(
        "Push Up", 120, hips, feet, trunk, hands=hands, touches=touches,
        knees=((0, 0.0, -0.2, -1.0), (1, 0.0, -0.2, -1.0)),
        elbows=((0, 1.0, 0.6, 0.3), (1, 1.0, 0.6, 0.3)),
    )  # fmt: skip
    return play(body, score)


def sit_on_floor(body: Body) -> Motion:
    """Sit down on the floor, and lean back on the hands."""
    feet: dict[str, Knots] = {}
    hands: dict[str, Knots] = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        feet[side] = [(frame, 0.1 * sign, 0.02, ANKLE, 0, 0, 0) for frame in (0, 110)]
        hanging = (0.27 * sign, 0.02, 0.80, 0, 80 * sign, 0)
        behind = (0.26 * sign, 0.56, PALM, 0, 0, 0)
        hands[side] = [(0, *hanging), (16, *hanging), (62, *behind), (110, *behind)]
    hips = [(0, 0, 0, 0.85), (12, 0, 0, 0.85), (30, 0, 0.18, 0.55), (50, 0, 0.34, 0.2),
            (62, 0, 0.36, 0.112), (110, 0, 0.36, 0.112)]  # fmt: skip
    trunk = [(0, 0, 0, 0), (12, 5, 0, 0), (30, 40, 0, 0), (50, 5, 0, 0), (62, -25, 0, 0)]
    touches = [
        ("hips", 66, 110), *((f"toe.{side}", 0, 110) for side in "LR"),
        *((f"hand.{side}", 62, 110) for side in "LR"),
    ]  # fmt: skip
    score = Score(
        "Sit on Floor", 110, hips, feet, trunk, hands=hands, touches=touches,
        elbows=((0, 0.8, 0.6, 0.2), (1, 0.8, 0.6, 0.2)), arcs=((0, 0, 0), (0, 0, 0)),
    )  # fmt: skip
    return play(body, score)


def hand_on_rail(body: Body) -> Motion:
    """Two steps to the side and back along a rail that the left hand holds."""
    feet: dict[str, Knots] = {}
    for side, x in (("L", 0.1), ("R", -0.1)):
        first, second = (10, 55) if side == "L" else (30, 75)
        here, there = ((x, y, ANKLE, 0, 0, 0) for y in (0.1, -0.18))
        feet[side] = [(0, *here), (first, *here), (first + 14, *there), (second, *there),
                      (second + 14, *here), (100, *here)]  # fmt: skip
    hips = [(0, 0, 0.08, 0.80), (10, 0, 0.08, 0.80), (44, 0, -0.2, 0.80), (55, 0, -0.2, 0.80),
            (90, 0, 0.08, 0.80), (100, 0, 0.08, 0.80)]  # fmt: skip
    hold = (0.46, -0.10, RAIL + PALM, 0, 0, -90)
    touches = [
        ("hand.L", 0, 100), ("toe.L", 0, 10), ("toe.L", 24, 55), ("toe.L", 69, 100),
        ("toe.R", 0, 30), ("toe.R", 44, 75), ("toe.R", 89, 100),
    ]  # fmt: skip
    score = Score(
        "Hand on Rail", 100, hips, feet, hands={"L": [(0, *hold), (100, *hold)]}, touches=touches,
        elbows=((0, 1.0, 0.8, -0.2), (1, 1.0, 0.8, -0.2)), arcs=((0, 0, 0.08), (0, 0, 0)),
        props=[((0.50, -0.05, RAIL - 0.03), (0.06, 0.8, 0.03))],
    )  # fmt: skip
    return play(body, score)
