"""Motions given by knots: where pelvis, hands and feet are, and how trunk and feet are turned.

A knot is (frame, values...). Feet and hands move from rest to rest, so two knots of the same values
are a stand in which nothing moves; pelvis and trunk pass their knots smoothly. Places are metres
for the plain biped of the zoo and in proportion to the legs for others; angles are degrees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation

from demo.gait import about_y, about_z, turned

from ..body import Body, Floats, Limb
from ..posing import Motion, Posing, Prop, Touch, curve

Knots = Sequence[tuple[float, ...]]
FPS = 30
PLAIN_LEG = 0.841  # length of the plain biped's legs, metres
PLAIN_ANKLE = 0.08  # height of its ankles, metres
PLAIN_HIPS = 0.85  # height of its pelvis while it stands, metres
PLAIN_ABOVE = 0.02  # how far that is above the hip joints, metres
SOFT = 3.0  # frames
LEVEL = 0.999  # cosine from which on a bone is as in a T-pose
STILL: Knots = ((0, 0.0, 0.0, 0.0), (1, 0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Score:
    """A motion as knots.

    Attributes:
        name: Of the action.
        last: Last frame; the first one is 0.
        hips: Place of the pelvis: x, y, z.
        feet: By side: x, y, z of the ankle and tilt (toes down), list and yaw of the foot.
        trunk: Tilt (forward), list (left side down) and yaw (to the left) of the pelvis.
        chest: The same of the chest against the pelvis.
        hands: By side: x, y, z of the wrist and tilt, list and yaw of the hand against the T-pose;
            arms without knots hang.
        knees: Where knees point.
        elbows: Where the left elbow points; the right one's x is the opposite.
        arcs: How far out a foot and a hand go on the way between two places.
        touches: What rests on something, as (role, first frame, last frame).
        soft: Frames over which pelvis and trunk round their knots.
        props: Boxes that are used: centre and half size.
    """

    name: str
    last: int
    hips: Knots
    feet: Mapping[str, Knots]
    trunk: Knots = STILL
    chest: Knots = STILL
    hands: Mapping[str, Knots] = field(default_factory=dict)
    knees: Knots = ((0, 0.0, -1.0, 0.0), (1, 0.0, -1.0, 0.0))
    elbows: Knots = ((0, 0.3, 1.0, -0.3), (1, 0.3, 1.0, -0.3))
    arcs: tuple[tuple[float, float, float], tuple[float, float, float]] = ((0, 0, 0), (0, 0, 0))
    touches: Sequence[tuple[str, int, int]] = ()
    soft: float = SOFT
    props: Sequence[tuple[tuple[float, ...], tuple[float, ...]]] = ()


def play(body: Body, score: Score) -> Motion:
    """The score played by a biped."""
    frames = np.arange(score.last + 1, dtype=float)
    size = body.leg_length / PLAIN_LEG
    upright = np.array([1.0, 1.0, 1.0 + _taller(body)])
    posing = Posing(body, size * soft_curve(frames, score.hips, score.soft) * upright)
    pelvis = turned(np.radians(soft_curve(frames, score.trunk)))
    posing.turns[body.root] = pelvis
    bend = np.radians(soft_curve(frames, score.chest))
    for number, role in enumerate(body.spine, 1):
        posing.turns[role] = pelvis @ turned(number / len(body.spine) * bend)
    foot_arc, hand_arc = (size * np.array(arc) for arc in score.arcs)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        leg, arm = body.limb(f"leg.{side}"), body.limb(f"arm.{side}")
        place, turn = _end(frames, score.feet[side], size, foot_arc)
        place[:, 2] += size * round(body.head(leg.bones[2])[2] / size - PLAIN_ANKLE, 3)
        posing.reach(leg, place, turn, soft_curve(frames, score.knees))
        if side in score.hands:
            place, turn = _end(frames, score.hands[side], size, hand_arc)
            turn = turn @ out(body, arm.bones[2], sign)
            posing.reach(arm, place, turn, soft_curve(frames, score.elbows) * (sign, 1.0, 1.0))
        else:
            hang(posing, arm, sign)
    touches = tuple(Touch(role, first, last + 1) for role, first, last in score.touches)
    props = tuple(Prop(size * np.array(at), size * np.array(half)) for at, half in score.props)
    return replace(posing.motion(score.name, FPS, touches), props=props)


def _taller(body: Body) -> float:
    """How much higher than the plain biped's the hips are while it stands, in proportion."""
    hip, _, ankle = (float(body.head(role)[2]) for role in body.legs[-1].bones)
    shins = (body.leg_length - ankle) / (PLAIN_LEG - PLAIN_ANKLE)
    above = float(body.head(body.root)[2]) - hip
    height = ankle + shins * (PLAIN_HIPS - PLAIN_ABOVE - PLAIN_ANKLE) + above
    return round(height / (PLAIN_HIPS * body.leg_length / PLAIN_LEG), 2) - 1.0


def soft_curve(frames: Floats, knots: Knots, soft: float = SOFT) -> Floats:
    """A curve near knots (frame, values...), without corners; (f, values)."""
    table = np.asarray(knots, float)
    straight = [np.interp(frames, table[:, 0], column) for column in table[:, 1:].T]
    return gaussian_filter1d(np.stack(straight, axis=1), soft, axis=0, mode="nearest")


def hang(posing: Posing, arm: Limb, sign: float) -> None:
    """Let an arm hang beside the chest."""
    chest, (upper, lower, _) = posing.turn(posing.body.spine[-1]), arm.bones
    down = chest @ about_y(np.full(len(chest), sign * 1.3))
    posing.turns[upper] = down @ out(posing.body, upper, sign)
    bend = down @ about_z(np.full(len(chest), -sign * 0.3))
    posing.turns[lower] = bend @ out(posing.body, lower, sign)


def out(body: Body, role: str, sign: float) -> Floats:
    """Turn (3, 3) of a bone from the rest pose to a T-pose."""
    bone, aside = body.bone(role), np.array([sign, 0.0, 0.0])
    way = np.subtract(bone.tail, bone.head) / np.linalg.norm(np.subtract(bone.tail, bone.head))
    if way @ aside > LEVEL:
        return np.eye(3)
    return np.asarray(Rotation.align_vectors(aside[None], way[None])[0].as_matrix())


def _end(frames: Floats, knots: Knots, size: float, arc: Floats) -> tuple[Floats, Floats]:
    """Places and turns of an ankle or a wrist."""
    values = curve(frames, knots)
    places = size * values[:, :3] + _arcs(frames, knots)[:, None] * arc
    return places, turned(np.radians(values[:, 3:]))


def _arcs(frames: Floats, knots: Knots) -> Floats:
    """How far a limb is along its arc: 0 at its knots and while it stays, 1 in the middle."""
    found = np.zeros(len(frames))
    for first, last in pairwise(knots):
        if first[1:4] != last[1:4]:
            share = np.clip((frames - first[0]) / (last[0] - first[0]), 0.0, 1.0)
            found += 64 * share**3 * (1 - share) ** 3
    return found
