"""Motions with hands on things: both on a table, one on a wall, one that slides along a rail."""

from __future__ import annotations

from ..body import Body
from ..posing import Motion
from .effectors import Knots, Score, play
from .resting import ANKLE, PALM, RAIL

TABLE, WALL = 0.78, -0.52


def hands_on_table(body: Body) -> Motion:
    """Lean on a table with both hands, look around, and stand up again."""
    hands: dict[str, Knots] = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        hanging = (0.27 * sign, 0.02, 0.80, 0, 80 * sign, 0)
        down = (0.24 * sign, -0.42, TABLE + PALM, 0, 0, -90 * sign)
        hands[side] = [(0, *hanging), (10, *hanging), (34, *down), (86, *down), (110, *hanging),
                       (120, *hanging)]  # fmt: skip
    trunk = [(0, 0, 0, 0), (10, 0, 0, 0), (34, 36, 0, 0), (50, 36, 6, 6), (70, 36, -6, -6),
             (86, 36, 0, 0), (110, 0, 0, 0)]  # fmt: skip
    hips = [(0, 0, 0, 0.85), (10, 0, 0, 0.85), (34, 0, 0.06, 0.82), (50, 0.05, 0.06, 0.82),
            (70, -0.05, 0.06, 0.82), (86, 0, 0.06, 0.82), (110, 0, 0, 0.85)]  # fmt: skip
    touches = [
        *((f"toe.{side}", 0, 120) for side in "LR"), *((f"hand.{side}", 34, 86) for side in "LR"),
    ]  # fmt: skip
    score = Score(
        "Hands on Table", 120, hips, _standing(120), trunk, hands=hands, touches=touches,
        elbows=((0, 1.0, 0.6, 0.0), (1, 1.0, 0.6, 0.0)), arcs=((0, 0, 0), (0, 0, 0.1)),
        props=[((0, -0.62, TABLE / 2), (0.6, 0.3, TABLE / 2))],
    )  # fmt: skip
    return play(body, score)


def hand_on_wall(body: Body) -> Motion:
    """Lean on a wall with the right hand, and sway."""
    hanging = (-0.27, 0.02, 0.80, 0, -80, 0)
    # Fingers up, the palm to the wall in front.
    flat = (-0.24, WALL + PALM, 1.16, -90, 90, 0)
    hand = [(0, *hanging), (10, *hanging), (34, *flat), (96, *flat), (120, *hanging),
            (130, *hanging)]  # fmt: skip
    hips = [(0, 0, 0, 0.85), (34, 0, -0.02, 0.85), (55, 0, -0.09, 0.84), (75, 0, -0.02, 0.85),
            (96, 0, -0.06, 0.84), (120, 0, 0, 0.85)]  # fmt: skip
    touches = [*((f"toe.{side}", 0, 130) for side in "LR"), ("hand.R", 34, 96)]
    score = Score(
        "Hand on Wall", 130, hips, _standing(130), hands={"R": hand}, touches=touches,
        elbows=((0, 1.0, 0.4, -0.6), (1, 1.0, 0.4, -0.6)),
        props=[((0, WALL - 0.1, 1.1), (1.2, 0.1, 1.1))],
    )  # fmt: skip
    return play(body, score)


def hand_along_rail(body: Body) -> Motion:
    """A step ahead beside a rail along which the left hand slides."""
    feet: dict[str, Knots] = {}
    for side, x, begin in (("L", 0.1, 10), ("R", -0.1, 30)):
        here, there = ((x, y, ANKLE, 0, 0, 0) for y in (0.1, -0.28))
        feet[side] = [(0, *here), (begin, *here), (begin + 14, *there), (70, *there)]
    hips = [(0, 0, 0.08, 0.80), (10, 0, 0.08, 0.80), (46, 0, -0.3, 0.80), (70, 0, -0.3, 0.80)]
    here, there = ((0.46, y, RAIL + PALM, 0, 0, -90) for y in (0.06, -0.32))
    touches = [
        ("toe.L", 0, 10), ("toe.L", 24, 70), ("toe.R", 0, 30), ("toe.R", 44, 70),
        ("hand.L", 0, 12), ("hand.L", 48, 70),
    ]  # fmt: skip
    score = Score(
        "Hand along Rail", 70, hips, feet, touches=touches,
        hands={"L": [(0, *here), (12, *here), (48, *there), (70, *there)]},
        elbows=((0, 1.0, 0.8, -0.2), (1, 1.0, 0.8, -0.2)), arcs=((0, 0, 0.08), (0, 0, 0)),
        props=[((0.50, -0.15, RAIL - 0.03), (0.06, 0.8, 0.03))],
    )  # fmt: skip
    return play(body, score)


def _standing(last: int) -> dict[str, Knots]:
    """Feet that stand until a frame."""
    return {
        side: [(frame, x, 0.02, ANKLE, 0, 0, 0) for frame in (0, last)]
        for side, x in (("L", 0.1), ("R", -0.1))
    }
