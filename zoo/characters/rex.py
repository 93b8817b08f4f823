"""A T-rex: two large legs, tiny arms, and a tail longer than the body."""

from __future__ import annotations

from itertools import pairwise

from demo.skeleton import Bone, Vector

from ..body import BACK, FORWARD, Body, Limb, Part

UP: Vector = (0.0, 0.0, 1.0)
WIDE, ARM = 0.22, 0.14
LEG = ((0.05, 1.05), (-0.10, 0.66), (0.12, 0.34), (-0.02, 0.05), (-0.24, 0.04))
ARM_JOINTS = ((-0.55, 1.20), (-0.52, 1.08), (-0.62, 1.02), (-0.68, 1.00))


def rex() -> Body:
    """The T-rex, 1.7 m high."""
    bones = [
        Bone("hips", "", (0.0, 0.05, 1.12), (0.0, -0.15, 1.15), UP),
        Bone("spine", "hips", (0.0, -0.15, 1.15), (0.0, -0.38, 1.22), UP),
        Bone("chest", "spine", (0.0, -0.38, 1.22), (0.0, -0.62, 1.32), UP),
        Bone("neck", "chest", (0.0, -0.62, 1.32), (0.0, -0.78, 1.52), UP),
        Bone("head", "neck", (0.0, -0.78, 1.52), (0.0, -1.15, 1.50), UP),
        Bone("jaw", "head", (0.0, -0.82, 1.46), (0.0, -1.10, 1.42), UP),
    ]
    points: list[Vector] = [(0.0, 0.20 + 0.35 * i, 1.12 - 0.06 * i) for i in range(6)]
    for i, (head, tail) in enumerate(pairwise(points)):
        bones.append(Bone(f"tail{i + 1}", f"tail{i}" if i else "hips", head, tail, UP))
    parts = [
        Part("hips", (0.0, 0.15, 1.12), (0.0, -0.12, 1.14), 0.22),
        Part("spine", (0.0, -0.18, 1.16), (0.0, -0.36, 1.20), 0.20),
        Part("chest", (0.0, -0.40, 1.22), (0.0, -0.58, 1.28), 0.17),
        Part("neck", (0.0, -0.64, 1.34), (0.0, -0.78, 1.52), 0.10),
        Part("head", (0.0, -0.80, 1.54), (0.0, -1.10, 1.52), 0.12),
        *(Part(f"tail{i + 1}", points[i], points[i + 1], 0.13 - 0.022 * i) for i in range(5)),
    ]
    limbs = []
    for side, sign in (("L", 1.0), ("R", -1.0)):
        bones += _chain(("thigh", "shin", "foot", "toe"), "hips", LEG, WIDE, side, sign)
        bones += _chain(("upper_arm", "forearm", "hand"), "chest", ARM_JOINTS, ARM, side, sign)
        limbs.append(_leg(side, sign))
        parts += _skin(side, sign)
    for side in "LR":
        arm = (f"upper_arm.{side}", f"forearm.{side}", f"hand.{side}")
        limbs.append(Limb(f"arm.{side}", arm, bend=BACK))
    return Body(tuple(bones), tuple(limbs), tuple(parts), 1.7)


def _leg(side: str, sign: float) -> Limb:
    x = sign * WIDE
    sole = (x, 0.06, 0.0), (x, LEG[3][0], 0.0), (x, LEG[4][0], 0.0)
    return Limb(
        f"leg.{side}",
        (f"thigh.{side}", f"shin.{side}", f"foot.{side}"),
        f"toe.{side}",
        FORWARD,
        sole,
    )


def _chain(
    names: tuple[str, ...], parent: str, joints: tuple[tuple[float, float], ...], x: float,
    side: str, sign: float,
) -> list[Bone]:  # fmt: skip
    made = []
    points: list[Vector] = [(sign * x, y, z) for y, z in joints]
    for name, head, tail in zip(names, points, points[1:], strict=False):
        made.append(Bone(f"{name}.{side}", parent, head, tail, (0.0, -1.0, 0.2)))
        parent = made[-1].name
    return made


def _skin(side: str, sign: float) -> list[Part]:
    x = sign * WIDE
    hip, knee, ankle, ball, tip = ((x, y, z) for y, z in LEG)
    arm = [(sign * ARM, y, z) for y, z in ARM_JOINTS]
    return [
        Part(f"thigh.{side}", hip, knee, 0.13),
        Part(f"shin.{side}", knee, ankle, 0.08),
        Part(f"foot.{side}", ankle, (x, ball[1] + 0.02, 0.07), 0.06),
        Part(f"toe.{side}", (x, 0.03, 0.04), (x, tip[1], 0.03), box=(0.10, 0.0, 0.03)),
        Part(f"upper_arm.{side}", arm[0], arm[1], 0.035),
        Part(f"forearm.{side}", arm[1], arm[2], 0.025),
        Part(f"hand.{side}", arm[2], arm[3], 0.02),
    ]
