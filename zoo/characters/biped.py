"""A plain person of 1.6 m in a T-pose, and its variants in proportions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from demo.skeleton import Bone, Vector

from ..body import BACK, FORWARD, Body, Limb, Part

UP: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Shape:
    """Proportions, metres.

    Attributes:
        joints: Heights of hips, spine, chest, neck, head and the top of the head.
        hip: Height of the hip joints; `hip_width` is their distance from the middle.
        knee: Height of the knees.
        ankle: Height of the ankles over the floor.
        sole: y of heel, ball and tip; the ankle is at 0.02.
        sole_width: Half width of the sole.
        toes: Whether there is a toe bone.
        shoulder: Height of the arms; the others are x of shoulder joint, elbow, wrist and finger
            tips.
        limb: Radius of thighs; others are in proportion.
        skull: Radius of the head.
    """

    joints: tuple[float, ...] = (0.86, 0.95, 1.10, 1.32, 1.40, 1.60)
    hip: float = 0.84
    hip_width: float = 0.09
    knee: float = 0.455
    ankle: float = 0.08
    sole: tuple[float, float, float] = (0.07, -0.09, -0.17)
    sole_width: float = 0.042
    toes: bool = True
    shoulder: float = 1.27
    arm: tuple[float, float, float, float] = (0.16, 0.42, 0.66, 0.80)
    limb: float = 0.07
    skull: float = 0.1


PLAIN = Shape()
# Large boots, long and wide, on short legs: the real sole is far from the ankle.
LONG_ARMS = Shape(arm=(0.18, 0.72, 1.18, 1.4))
BOOTS = Shape(
    joints=(0.60, 0.70, 0.85, 1.08, 1.14, 1.60),
    hip=0.58,
    hip_width=0.13,
    knee=0.42,
    ankle=0.26,
    sole=(0.15, -0.14, -0.34),
    sole_width=0.12,
    toes=True,
    shoulder=1.02,
    arm=(0.18, 0.38, 0.56, 0.68),
    limb=0.09,
    skull=0.2,
)


def biped(shape: Shape = PLAIN) -> Body:
    """A person of these proportions."""
    bones = [*_trunk(shape)]
    limbs = []
    parts = list(_trunk_skin(shape))
    for side, sign in (("L", 1.0), ("R", -1.0)):
        bones += [*_leg(shape, side, sign), *_arm(shape, side, sign)]
        parts += [*_leg_skin(shape, side, sign), *_arm_skin(shape, side, sign)]
    for side, sign in (("L", 1.0), ("R", -1.0)):
        x = sign * shape.hip_width
        heel, ball, tip = ((x, y, 0.0) for y in shape.sole)
        limbs.append(
            Limb(
                f"leg.{side}",
                (f"thigh.{side}", f"shin.{side}", f"foot.{side}"),
                f"toe.{side}" if shape.toes else None,
                FORWARD,
                (heel, ball, tip),
            )
        )
    for side in "LR":
        arm = (f"upper_arm.{side}", f"forearm.{side}", f"hand.{side}")
        limbs.append(Limb(f"arm.{side}", arm, bend=BACK))
    return Body(tuple(bones), tuple(limbs), tuple(parts), shape.joints[-1])


def _trunk(shape: Shape) -> list[Bone]:
    names = ("hips", "spine", "chest", "neck", "head")
    points: list[Vector] = [(0.0, 0.0, height) for height in shape.joints]
    made: list[Bone] = []
    for name, (head, tail) in zip(names, pairwise(points), strict=True):
        made.append(Bone(name, made[-1].name if made else "", head, tail, FORWARD))
    return made


def _leg(shape: Shape, side: str, sign: float) -> list[Bone]:
    x = sign * shape.hip_width
    _, ball, tip = shape.sole
    hip, knee, ankle = (x, 0.0, shape.hip), (x, -0.012, shape.knee), (x, 0.02, shape.ankle)
    at_ball, at_tip = (x, ball, 0.3 * shape.ankle), (x, tip, 0.25 * shape.ankle)
    made = [
        Bone(f"thigh.{side}", "hips", hip, knee),
        Bone(f"shin.{side}", f"thigh.{side}", knee, ankle),
        Bone(f"foot.{side}", f"shin.{side}", ankle, at_ball if shape.toes else at_tip, UP),
    ]
    if shape.toes:
        made.append(Bone(f"toe.{side}", f"foot.{side}", at_ball, at_tip, UP))
    return made


def _arm(shape: Shape, side: str, sign: float) -> list[Bone]:
    shoulder, elbow, wrist, tips = (
        (sign * x, y, shape.shoulder)
        for x, y in zip(shape.arm, (0.0, 0.012, 0.0, 0.0), strict=True)
    )
    root = (sign * 0.03, 0.0, shape.shoulder)
    return [
        Bone(f"shoulder.{side}", "chest", root, shoulder, UP),
        Bone(f"upper_arm.{side}", f"shoulder.{side}", shoulder, elbow, UP),
        Bone(f"forearm.{side}", f"upper_arm.{side}", elbow, wrist, UP),
        Bone(f"hand.{side}", f"forearm.{side}", wrist, tips, UP),
    ]


def _trunk_skin(shape: Shape) -> list[Part]:
    hips, spine, chest, neck, head, top = shape.joints
    wide = 1.5 * shape.limb
    side = shape.hip_width
    return [
        Part("hips", (-side, 0.0, hips), (side, 0.0, hips), wide),
        Part("spine", (-0.4 * side, 0.0, spine + 0.03), (0.4 * side, 0.0, chest), wide),
        Part("chest", (-side, 0.0, neck - 0.1), (side, 0.0, neck - 0.1), wide),
        Part("neck", (0.0, 0.0, neck), (0.0, 0.0, head), 0.05),
        Part("head", (0.0, -0.02, head + 0.03), (0.0, -0.02, top - shape.skull), shape.skull),
    ]


def _leg_skin(shape: Shape, side: str, sign: float) -> list[Part]:
    x = sign * shape.hip_width
    heel, ball, tip = shape.sole
    low, high = 0.35 * shape.ankle, 0.55 * shape.ankle
    wide = shape.sole_width
    middle = ball if shape.toes else tip
    foot = Part(f"foot.{side}", (x, heel, low), (x, middle, high), box=(wide, 0.0, low))
    made = [
        Part(f"thigh.{side}", (x, 0.0, shape.hip), (x, -0.01, shape.knee), shape.limb),
        Part(f"shin.{side}", (x, -0.01, shape.knee), (x, 0.02, shape.ankle), 0.75 * shape.limb),
        foot,
    ]
    if shape.toes:
        made.append(Part(f"toe.{side}", (x, ball, low), (x, tip, low), box=(wide, 0.0, low)))
    return made


def _arm_skin(shape: Shape, side: str, sign: float) -> list[Part]:
    shoulder, elbow, wrist, tips = ((sign * x, 0.0, shape.shoulder) for x in shape.arm)
    thin = 0.55 * shape.limb
    # Its round end is before the wrist: a palm on the floor is lower than it.
    end = (wrist[0] - sign * thin, *wrist[1:])
    return [
        Part(f"upper_arm.{side}", shoulder, elbow, 1.2 * thin),
        Part(f"forearm.{side}", elbow, end, thin),
        Part(f"hand.{side}", wrist, tips, box=(0.0, 0.04, 0.018)),
    ]
