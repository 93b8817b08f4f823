"""Animals and fabulous ones with more than legs: ears, tails, wings, horns, a second trunk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from demo.skeleton import Bone, Vector

from ..body import ORIGIN, Body, Part
from .biped import biped
from .quadruped import detached, quadruped

UP: Vector = (0.0, 0.0, 1.0)
LOW = 0.45  # height of a lizard in proportion to a dog


def wolf() -> Body:
    """A quadruped with detached paws, poles, ears of three bones and a tail to the hocks."""
    body = detached()
    chains = {
        "ear_a": ("head", ((0.05, -0.52, 0.80), (0.06, -0.52, 0.85), (0.07, -0.51, 0.90),
                           (0.08, -0.50, 0.96))),
    }  # fmt: skip
    body = _with_pairs(body, chains)
    tail = [(0.0, 0.66 + 0.03 * i, 0.47 - 0.07 * i) for i in range(5)]
    body = _with_chain(body, "tail_tip", "tail2", tail)
    poles = []
    for leg in body.legs:
        _, y, z = body.head(leg.bones[1])
        x = body.head(leg.bones[1])[0]
        ahead = -0.5 if leg.name.startswith("hind") else 0.5
        place = (float(x), float(y) + ahead, float(z))
        end = (place[0], place[1] + 0.1, place[2])
        poles.append((Bone(f"pole_{leg.name}", "root", place, end, UP), ORIGIN))
    return replace(body, extra=(*body.extra, *poles))


def dragon() -> Body:
    """A quadruped with wings that reach far out, and a long tail on the ground."""
    wings = {
        "wing": ("chest", ((0.10, -0.15, 0.72), (0.35, -0.05, 0.95), (0.80, 0.05, 0.90),
                           (1.30, 0.20, 0.55))),
    }  # fmt: skip
    body = _with_pairs(quadruped(), wings)
    tail = [(0.0, 0.70 + 0.15 * i, 0.40 - 0.09 * i) for i in range(5)]
    return _with_chain(body, "tail_tip", "tail2", tail)


def lizard() -> Body:
    """Short legs that reach far to the sides, and a long tail that lies on the floor."""
    base = quadruped()
    low = replace(
        base,
        bones=tuple(
            replace(bone, head=_flat(bone.head), tail=_flat(bone.tail))
            for bone in base.bones
            if not bone.name.startswith("tail")
        ),
        parts=tuple(
            replace(
                part,
                start=_flat(part.start),
                end=_flat(part.end),
                radius=LOW * part.radius,
                box=(part.box[0], part.box[1], LOW * part.box[2]),
            )
            for part in base.parts
            if not part.bone.startswith("tail")
        ),
        limbs=tuple(
            replace(limb, sole=(_flat(limb.sole[0]), _flat(limb.sole[1]), _flat(limb.sole[2])))
            for limb in base.limbs
            if limb.sole
        ),
        height=0.4,
    )
    tail = [(0.0, 0.40, 0.24), (0.0, 0.58, 0.10)]
    tail += [(0.0, 0.74 + 0.18 * i, 0.03) for i in range(5)]
    return _with_chain(low, "tail", "hips", tail)


def _flat(point: Vector) -> Vector:
    return (1.6 * point[0], point[1], LOW * point[2])


def centaur() -> Body:
    """A horse's body with a person's chest and arms where the neck begins."""
    arms = {
        "arm": ("neck", ((0.16, -0.48, 1.00), (0.24, -0.47, 0.76), (0.26, -0.50, 0.56),
                         (0.27, -0.53, 0.46))),
    }  # fmt: skip
    base = quadruped()
    bones = tuple(
        replace(bone, head=_raised(bone.head), tail=_raised(bone.tail))
        if bone.name in ("head", "ear.L", "ear.R")
        else replace(bone, tail=_raised(bone.tail))
        if bone.name == "neck"
        else bone
        for bone in base.bones
    )
    parts = tuple(
        replace(part, start=_raised(part.start), end=_raised(part.end))
        if part.bone in ("head", "ear.L", "ear.R")
        else part
        for part in base.parts
    )
    return _with_pairs(replace(base, bones=bones, parts=parts, height=1.2), arms)


def bird() -> Body:
    """Two legs, and folded wings in place of arms."""
    body = biped()
    wings = {
        "wing": ("chest", ((0.12, 0.02, 1.25), (0.30, 0.10, 1.05), (0.34, 0.25, 0.70),
                           (0.30, 0.40, 0.40))),
    }  # fmt: skip
    roles = ("shoulder", "upper_arm", "forearm", "hand")
    body = replace(
        body,
        bones=tuple(bone for bone in body.bones if bone.name.split(".")[0] not in roles),
        parts=tuple(part for part in body.parts if part.bone.split(".")[0] not in roles),
        limbs=body.legs,
    )
    return _with_pairs(body, wings)


def cloaked() -> Body:
    """A person with a cape, a skirt to the ankles that has flesh, long hair, and a staff."""
    body = biped()
    pairs = {
        "skirt": ("hips", ((0.14, -0.02, 0.82), (0.20, -0.03, 0.50), (0.24, -0.04, 0.14))),
        "cape": ("chest", ((0.12, 0.10, 1.30), (0.18, 0.18, 0.80), (0.20, 0.22, 0.20))),
        "hair": ("head", ((0.08, 0.06, 1.50), (0.11, 0.09, 1.30), (0.12, 0.10, 1.05))),
    }
    body = _with_pairs(body, pairs)
    return _with_chain(body, "staff", "hand.R", [(-0.7, -0.05, 1.6), (-0.7, -0.05, 0.0)])


def _raised(point: Vector) -> Vector:
    return (point[0], point[1] + 0.06, point[2] + 0.45)


def _with_pairs(body: Body, chains: Mapping[str, tuple[str, tuple[Vector, ...]]]) -> Body:
    """Chains on both sides, with skin."""
    for name, (parent, joints) in chains.items():
        for side, sign in (("L", 1.0), ("R", -1.0)):
            points = [(sign * x, y, z) for x, y, z in joints]
            body = _with_chain(body, name, parent, points, f".{side}")
    return body


def _with_chain(body: Body, name: str, parent: str, joints: list[Vector], side: str = "") -> Body:
    """A chain of bones with skin."""
    bones, parts, above = list(body.bones), list(body.parts), parent
    for number, (head, tail) in enumerate(pairwise(joints), 1):
        bone = Bone(f"{name}{number}{side}", above, head, tail, (0.1, -0.9, 0.2))
        bones.append(bone)
        parts.append(Part(bone.name, head, tail, 0.02))
        above = bone.name
    return replace(body, bones=tuple(bones), parts=tuple(parts))
