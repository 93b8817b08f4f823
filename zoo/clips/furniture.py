"""Motions on things: three steps up and down, a ladder, a bench."""

from __future__ import annotations

from ..body import Body
from ..posing import Motion
from .effectors import Knots, Score, play

ANKLE = 0.08
# Steps: depth and height of a tread, and y of the first riser.
DEPTH, RISE, RISER = 0.32, 0.20, -0.25
LEVELS = (0, 1, 2, 3, 3, 2, 1, 0, 0)  # height of each place, in rises
STEP_FRAMES, SWING = 20, 16
# Ladder: distance of its rungs, where they are, and half their thickness.
RUNG, LADDER, THIN = 0.30, -0.30, 0.02
SEAT = 0.45


def steps(body: Body) -> Motion:
    """Up three steps, over a landing, and down again; a foot for each tread."""
    places = [0, 0]
    feet: dict[str, list[tuple[float, ...]]] = {}
    for side in "LR":
        feet[side] = [(0, *_on_tread(side, 0)), (10, *_on_tread(side, 0))]
    hips: list[tuple[float, ...]] = [(0, 0.0, 0.0, 0.80)]
    touches = []
    planted = [0, 0]
    frame = 10
    for number in range(1, 10):
        mover = number % 2
        side = "LR"[mover]
        touches.append((f"toe.{side}", planted[mover], frame))
        places[mover] = min(number, 8)
        stop = frame + SWING
        feet[side] += [(frame, *feet[side][-1][1:]), (stop, *_on_tread(side, places[mover]))]
        planted[mover] = stop
        y = sum(_tread(place) for place in places) / 2 + 0.02
        level = RISE * (sum(LEVELS[place] for place in places) / 2)
        frame += STEP_FRAMES
        hips.append((stop + 2, 0.0, y - 0.02, level + (0.68 if places[0] != places[1] else 0.80)))
    last = frame + 10
    hips.append((last, *hips[-1][1:]))
    touches += [(f"toe.{side}", first, last) for side, first in zip("LR", planted, strict=True)]
    for side in "LR":
        feet[side].append((last, *feet[side][-1][1:]))
    props = []
    for place, level in enumerate(LEVELS):
        if level:
            middle = RISER - DEPTH * (place - 0.5)
            props.append(((0, middle, level * RISE / 2), (0.5, DEPTH / 2, level * RISE / 2)))
    score = Score(
        "Steps", last, hips, feet, trunk=((0, 4.0, 0, 0), (1, 4.0, 0, 0)),
        arcs=((0, 0.02, 0.20), (0, 0, 0)), touches=touches, props=props,
    )  # fmt: skip
    return play(body, score)


def _tread(place: int) -> float:
    """Place along Y of the ankle; place 0 is before the first riser."""
    return RISER - DEPTH * (place - 0.5) + 0.07


def _on_tread(side: str, place: int) -> tuple[float, ...]:
    x = 0.1 if side == "L" else -0.1
    return (x, _tread(place), LEVELS[place] * RISE + ANKLE, 0.0, 0.0, 0.0)


def ladder(body: Body) -> Motion:
    """Up four rungs of a ladder; hands and feet take turns and rest on rungs."""
    feet = {side: [(0.0, *_on_rung(side, 0))] for side in "LR"}
    hands = {side: [(0.0, *_at_rung(side, 3))] for side in "LR"}
    hips: list[tuple[float, ...]] = [(0, 0.0, -0.02, 0.80), (8, 0.0, -0.02, 0.80)]
    rungs = {"L": 0, "R": 0}
    frame = 8
    moves = (("L", "R", 1, 4), ("R", "L", 2, 5), ("L", "R", 3, 6), ("R", "L", 4, 7))
    since = {f"toe.{side}": 0 for side in "LR"} | {f"hand.{side}": 0 for side in "LR"}
    touches = []
    for hand, foot, to, hold in moves:
        touches.append((f"hand.{hand}", since[f"hand.{hand}"], frame))
        hands[hand] += [(frame, *hands[hand][-1][1:]), (frame + 14, *_at_rung(hand, hold))]
        since[f"hand.{hand}"] = frame + 14
        touches.append((f"toe.{foot}", since[f"toe.{foot}"], frame + 10))
        feet[foot] += [(frame + 10, *feet[foot][-1][1:]), (frame + 26, *_on_rung(foot, to))]
        since[f"toe.{foot}"] = frame + 26
        rungs[foot] = to
        mean = RUNG * sum(rungs.values()) / 2
        hips += [(frame + 14, *hips[-1][1:]), (frame + 30, 0.0, -0.01, mean + 0.66)]
        frame += 34
    last = frame + 20
    hips.append((last, *hips[-1][1:]))
    for knots in (*feet.values(), *hands.values()):
        knots.append((last, *knots[-1][1:]))
    touches += [(role, first, last) for role, first in since.items()]
    props = [((0.0, LADDER, RUNG * rung - THIN), (0.36, THIN, THIN)) for rung in range(1, 9)]
    score = Score(
        "Ladder", last, hips, feet, hands=hands, trunk=((0, 3.0, 0, 0), (1, 3.0, 0, 0)),
        arcs=((0, 0.16, 0.03), (0, 0.03, 0.0)), knees=((0, 0.0, -1, 0.3), (1, 0.0, -1, 0.3)),
        elbows=((0, 0.7, 0.1, -1.0), (1, 0.7, 0.1, -1.0)), touches=touches, props=props,
    )  # fmt: skip
    return play(body, score)


def _on_rung(side: str, rung: int) -> tuple[float, ...]:
    """An ankle whose ball is on a rung; rung 0 is the floor."""
    x = 0.1 if side == "L" else -0.1
    return (x, LADDER + 0.11, RUNG * rung + ANKLE, 0.0, 0.0, 0.0)


def _at_rung(side: str, rung: int) -> tuple[float, ...]:
    """A wrist whose hand points over a rung."""
    sign = 1.0 if side == "L" else -1.0
    return (0.27 * sign, LADDER + 0.09, RUNG * rung + 0.018, 0.0, 0.0, -90.0 * sign)


def sit(body: Body) -> Motion:
    """Sit down on a bench, and stay."""
    feet: dict[str, Knots] = {
        side: [(frame, x, 0.02, ANKLE, 0, 0, 0) for frame in (0, 90)]
        for side, x in (("L", 0.1), ("R", -0.1))
    }
    hips = [(0, 0, 0, 0.85), (12, 0, 0, 0.85), (30, 0, 0.17, 0.68), (48, 0, 0.32, SEAT + 0.105),
            (90, 0, 0.32, SEAT + 0.105)]  # fmt: skip
    trunk = [(0, 2, 0, 0), (12, 4, 0, 0), (30, 40, 0, 0), (44, 30, 0, 0), (60, -3, 0, 0)]
    score = Score(
        "Sit", 90, hips, feet, trunk=trunk,
        touches=[("toe.L", 0, 90), ("toe.R", 0, 90), ("hips", 52, 90)],
        props=[((0, 0.42, SEAT / 2), (0.22, 0.25, SEAT / 2))],
    )  # fmt: skip
    return play(body, score)
