"""Four legs with paws; hind legs have a hock. Variants have detached feet or separate hooves."""

from __future__ import annotations

from dataclasses import replace

from demo.skeleton import Bone, Vector

from ..body import BACK, FORWARD, Body, Limb, Part

UP: Vector = (0.0, 0.0, 1.0)
HALF_WIDTH = 0.11
# Hip, knee, ankle, ball and tip: (y, z).
LEGS = {
    "front": ((-0.34, 0.55), (-0.26, 0.32), (-0.34, 0.10), (-0.37, 0.02), (-0.43, 0.02)),
    "hind": ((0.34, 0.57), (0.26, 0.36), (0.38, 0.16), (0.33, 0.02), (0.27, 0.02)),
}
BEND = {"front": BACK, "hind": FORWARD}
PARENT = {"front": "chest", "hind": "hips"}
HEEL = 0.03  # behind the ball


def quadruped() -> Body:
    """A dog of 0.8 m with paws."""
    bones = [
        Bone("hips", "", (0.0, 0.36, 0.62), (0.0, 0.20, 0.63), UP),
        Bone("spine", "hips", (0.0, 0.20, 0.63), (0.0, -0.05, 0.63), UP),
        Bone("chest", "spine", (0.0, -0.05, 0.63), (0.0, -0.34, 0.62), UP),
        Bone("neck", "chest", (0.0, -0.34, 0.62), (0.0, -0.48, 0.76), UP),
        Bone("head", "neck", (0.0, -0.48, 0.76), (0.0, -0.70, 0.74), UP),
        *_mirrored("ear.L", "head", (0.05, -0.50, 0.80), (0.07, -0.49, 0.90)),
        Bone("tail1", "hips", (0.0, 0.38, 0.62), (0.0, 0.54, 0.55), UP),
        Bone("tail2", "tail1", (0.0, 0.54, 0.55), (0.0, 0.68, 0.45), UP),
    ]
    limbs = []
    for leg in LEGS:
        for side, sign in (("L", 1.0), ("R", -1.0)):
            bones += _leg(leg, side, sign)
            limbs.append(_limb(leg, side, sign))
    parts = [
        Part("hips", (0.0, 0.34, 0.60), (0.0, 0.20, 0.60), 0.13),
        Part("spine", (0.0, 0.18, 0.60), (0.0, -0.02, 0.60), 0.12),
        Part("chest", (0.0, -0.06, 0.58), (0.0, -0.30, 0.58), 0.14),
        Part("neck", (0.0, -0.34, 0.64), (0.0, -0.48, 0.76), 0.06),
        Part("head", (0.0, -0.50, 0.76), (0.0, -0.66, 0.74), 0.07),
        Part("ear.L", (0.05, -0.50, 0.80), (0.07, -0.49, 0.90), 0.015),
        Part("ear.R", (-0.05, -0.50, 0.80), (-0.07, -0.49, 0.90), 0.015),
        Part("tail1", (0.0, 0.40, 0.61), (0.0, 0.54, 0.55), 0.025),
        Part("tail2", (0.0, 0.54, 0.55), (0.0, 0.68, 0.45), 0.02),
    ]
    for leg in LEGS:
        for side, sign in (("L", 1.0), ("R", -1.0)):
            parts += _leg_skin(leg, side, sign)
    return Body(tuple(bones), tuple(limbs), tuple(parts), 0.8)


def detached() -> Body:
    """The feet are children of the root, beside the legs, and keyed on their own."""
    body = quadruped()
    feet = {leg.bones[2]: "hips" for leg in body.legs}
    root = Bone("root", "", (0.0, 0.0, 0.0), (0.0, -0.3, 0.0), UP)
    return replace(
        body,
        extra=((root, "origin"),),
        parents={**dict.fromkeys(feet, "root"), "hips": "root"},
    )


def hooves() -> Body:
    """Detached feet, each with a hoof that is an object of its own, parented to the bone."""
    body = detached()
    feet = {role for leg in body.legs for role in (leg.bones[2], leg.toe)}
    parts = tuple(
        replace(part, object=f"hoof {part.bone}") if part.bone in feet else part
        for part in body.parts
    )
    return replace(body, parts=parts)


def _leg(leg: str, side: str, sign: float) -> list[Bone]:
    joints = [(sign * HALF_WIDTH, y, z) for y, z in LEGS[leg]]
    made, parent = [], PARENT[leg]
    for part, head, tail in zip(("thigh", "shin", "foot", "toe"), joints, joints[1:], strict=False):
        name = f"{leg}_{part}.{side}"
        made.append(Bone(name, parent, head, tail, (0.0, -1.0, 0.2)))
        parent = name
    return made


def _limb(leg: str, side: str, sign: float) -> Limb:
    x = sign * HALF_WIDTH
    ball, tip = LEGS[leg][3][0], LEGS[leg][4][0]
    bones = f"{leg}_thigh.{side}", f"{leg}_shin.{side}", f"{leg}_foot.{side}"
    sole = (x, ball + HEEL, 0.0), (x, ball, 0.0), (x, tip, 0.0)
    return Limb(f"{leg}.{side}", bones, f"{leg}_toe.{side}", BEND[leg], sole)


def _leg_skin(leg: str, side: str, sign: float) -> list[Part]:
    x = sign * HALF_WIDTH
    hip, knee, ankle, ball, tip = ((x, y, z) for y, z in LEGS[leg])
    paw = (x, ball[1] + 0.02, 0.025), (x, tip[1], 0.025)
    return [
        Part(f"{leg}_thigh.{side}", hip, knee, 0.06),
        Part(f"{leg}_shin.{side}", knee, ankle, 0.035),
        Part(f"{leg}_foot.{side}", ankle, (x, ball[1], 0.045), 0.03),
        Part(f"{leg}_toe.{side}", *paw, box=(0.035, 0.0, 0.025)),
    ]


def _mirrored(name: str, parent: str, head: Vector, tail: Vector) -> list[Bone]:
    other = name.replace(".L", ".R")
    return [
        Bone(name, parent, head, tail, UP),
        Bone(other, parent, (-head[0], *head[1:]), (-tail[0], *tail[1:]), UP),
    ]
