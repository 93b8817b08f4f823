"""Crawling on hands and knees: a hand and the other knee move together; what bears stands still."""

from __future__ import annotations

import numpy as np

from demo.gait import about_x, turned

from ..body import Body, Floats
from ..posing import Motion, Posing, Touch, curve
from .effectors import FPS, PLAIN_LEG

CYCLE, CYCLES = 40, 4
STRIDE = 0.40
MOVES = 16  # frames of a cycle in which a hand and a knee are off the floor
KNEE, PALM, LIFT = 0.071, 0.019, 0.05
TILT = 90.0  # degrees of the trunk
FOOT_TILT, SHIN_TILT = 172.0, 88.0


def crawl(body: Body) -> Motion:
    """Crawl along -Y."""
    frames = np.arange(CYCLES * CYCLE + 1, dtype=float)
    size = body.leg_length / PLAIN_LEG
    way = -STRIDE * frames / CYCLE
    knees = {
        side: _path(frames, delay, (0.1 * sign, -0.02, KNEE))
        for side, sign, delay in (("L", 1.0, 0.0), ("R", -1.0, 0.5))
    }
    hands = {
        side: _path(frames, delay, (0.2 * sign, -0.41, PALM))
        for side, sign, delay in (("L", 1.0, 0.5), ("R", -1.0, 0.0))
    }
    posing = _trunk(body, size, way, {side: size * path for side, path in knees.items()})
    touches: list[Touch] = []
    for side, delay in (("L", 0.0), ("R", 0.5)):
        leg, arm = body.limb(f"leg.{side}"), body.limb(f"arm.{side}")
        upper, lower, _ = leg.bones
        knee = size * knees[side]
        thigh = body.head(lower) - body.head(upper)
        shin = body.head(leg.bones[2]) - body.head(lower)
        at_hip = posing.head(upper)
        joint = at_hip + _unit(knee - at_hip) * np.linalg.norm(thigh)
        back = np.array([0.0, np.sin(np.radians(SHIN_TILT)), -np.cos(np.radians(SHIN_TILT))])
        ankle = joint + np.linalg.norm(shin) * (back + np.array([0.0, 0.0, 0.06]))
        turn = np.tile(about_x(np.radians(FOOT_TILT)), (len(frames), 1, 1))
        posing.reach(leg, ankle, turn, joint - at_hip)
        if leg.toe:
            posing.turns[leg.toe] = turn
        flat = turned(
            np.tile(np.radians([0.0, 0.0, -90.0 if side == "L" else 90.0]), (len(frames), 1))
        )
        sign = 1.0 if side == "L" else -1.0
        posing.reach(arm, size * hands[side], flat, (0.6 * sign, 0.8, 0.0))
        touches += _touches(lower, frames, delay)
        touches += _touches(arm.bones[2], frames, 0.5 - delay)
    return posing.motion("Crawl", FPS, tuple(touches))


def _path(frames: Floats, delay: float, start: tuple[float, float, float]) -> Floats:
    """Place (f, 3) of a knee or a wrist that waits, then moves on by a stride."""
    since = frames / CYCLE - delay
    cycle = np.floor(since)
    share: Floats = CYCLE * (since - cycle)
    moved = curve(share, ((CYCLE - MOVES, 0.0), (CYCLE, 1.0)))[:, 0]
    swing = np.clip((share - (CYCLE - MOVES)) / MOVES, 0.0, 1.0)
    middle = (1 - MOVES / CYCLE) / 2 + delay
    path = np.tile(np.array(start, float), (len(frames), 1))
    path[:, 1] -= STRIDE * (cycle + moved + middle)
    path[:, 2] += LIFT * 64 * swing**3 * (1 - swing) ** 3
    return path


def _trunk(body: Body, size: float, way: Floats, knees: dict[str, Floats]) -> Posing:
    """Hips as high as the thighs hold them; they list as one knee is further from its hip."""
    thigh = body.head("shin.L") - body.head("thigh.L")
    length = float(np.linalg.norm(thigh))
    hips = {side: body.head(f"thigh.{side}") - body.head(body.root) for side in "LR"}
    root = np.stack([np.zeros_like(way), size * way, np.full_like(way, 0.45 * size)], axis=1)
    tilt = np.tile(np.radians([TILT, 0.0, 0.0]), (len(way), 1))
    for _ in range(8):
        height = {}
        for side in "LR":
            at = root + turned(tilt) @ hips[side]
            flat = np.linalg.norm((knees[side] - at)[:, :2], axis=1)
            height[side] = knees[side][:, 2] + np.sqrt(length**2 - flat**2) - at[:, 2]
        root[:, 2] += (height["L"] + height["R"]) / 2
        width = hips["L"][0] - hips["R"][0]
        tilt[:, 1] -= (height["L"] - height["R"]) / width
        if not np.isfinite(tilt).all():
            raise ValueError("A knee is further from its hip than the thigh is long.")
    posing = Posing(body, root)
    posing.turns[body.root] = turned(tilt)
    level = np.radians([TILT, 0.0, 0.0])
    posing.turns[body.spine[0]] = turned((tilt + level) / 2)
    posing.turns[body.spine[-1]] = np.tile(turned(level), (len(way), 1, 1))
    posing.turns["head"] = np.tile(turned(np.radians([30.0, 0.0, 0.0])), (len(way), 1, 1))
    return posing


def _touches(role: str, frames: Floats, delay: float) -> list[Touch]:
    rests = CYCLE * np.mod(frames / CYCLE - delay, 1.0) <= CYCLE - MOVES
    edges = np.flatnonzero(np.diff(np.pad(rests.astype(int), 1)))
    return [Touch(role, int(first), int(stop)) for first, stop in edges.reshape(-1, 2)]


def _unit(ways: Floats) -> Floats:
    return ways / np.linalg.norm(ways, axis=-1, keepdims=True)
