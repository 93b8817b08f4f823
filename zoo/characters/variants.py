"""Oddities of rigs, added to any body: other sizes, names, tails, a lying rest pose, no skin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from demo.gait import about_x, about_z
from demo.skeleton import Bone, Vector

from ..body import ALONG, Body, Limb, Part

MIXAMO = {
    "hips": "Hips", "spine": "Spine", "chest": "Spine1", "neck": "Neck", "head": "Head",
    "shoulder": "Shoulder", "upper_arm": "Arm", "forearm": "ForeArm", "hand": "Hand",
    "thigh": "UpLeg", "shin": "Leg", "foot": "Foot", "toe": "ToeBase",
}  # fmt: skip
SIDES = {"L": "Left", "R": "Right", "": ""}


def bare(body: Body) -> Body:
    """Bones without any mesh."""
    return replace(body, parts=())


def soft(body: Body) -> Body:
    """A skin that bends smoothly, as automatic weights make it: shins pull at the soles."""
    return replace(body, soft=0.09 * body.height)


def meaningless(body: Body) -> Body:
    """Names that say nothing, in an order that says nothing."""
    roles = [*(bone.name for bone in body.bones), *(bone.name for bone, _ in body.extra)]
    order = np.random.default_rng(7).permutation(len(roles))
    return replace(
        body, names={role: f"Bone.{n:03d}" for role, n in zip(roles, order, strict=True)}
    )


def mixamo(body: Body) -> Body:
    """Mixamo's names."""
    names = {}
    for bone in body.bones:
        part, _, side = bone.name.partition(".")
        names[bone.name] = f"mixamorig:{SIDES[side]}{MIXAMO[part]}"
    return replace(body, names=names)


def long_tails(body: Body) -> Body:
    """Tails as the glTF importer invents them: 10 to 50 times too long."""
    random = np.random.default_rng(3)
    tails = {}
    for bone in body.bones:
        way = np.subtract(bone.tail, bone.head)
        tails[bone.name] = _at(bone.head + random.uniform(10.0, 50.0) * way)
    return replace(body, tails=tails)


def crossing_tails(body: Body) -> Body:
    """Tails that point across the middle of the body, whatever the bone is."""
    tails: dict[str, Vector] = {}
    for bone in body.bones:
        length = float(np.linalg.norm(np.subtract(bone.tail, bone.head)))
        side = -1.0 if bone.head[0] > 0 else 1.0
        tails[bone.name] = _at(np.add(bone.head, (2.5 * side * length, 0.1 * length, 0.0)))
    return replace(body, tails=tails)


def lying(body: Body) -> Body:
    """The rest pose lies on its back: its up is -Y; the clips make it stand."""
    return replace(body, lying=about_x(np.array(-np.pi / 2)))


def slanting(body: Body) -> Body:
    """The rest pose leans back and looks aside, as of a scan."""
    return replace(body, lying=about_z(np.array(0.6)) @ about_x(np.array(-0.5)))


def branched(body: Body) -> Body:
    """Spine and legs hang on a root beside the pelvis instead of on it."""
    pelvis = body.root
    on_it = [bone.name for bone in body.bones if bone.parent == pelvis]
    root = Bone("root", "", (0.0, 0.0, 0.0), (0.0, -0.2 * body.height, 0.0), (0.0, 0.0, 1.0))
    parents = {**body.parents, **dict.fromkeys(on_it, "root"), pelvis: "root"}
    here = () if any(bone.name == "root" for bone, _ in body.extra) else ((root, pelvis),)
    return replace(body, extra=(*body.extra, *here), parents=parents)


def scaled_object(body: Body) -> Body:
    """Bones in centimetres with Y up; the object is scaled and turned, as game files have it."""
    return replace(body, object_turn=about_x(np.array(np.pi / 2)), unit=0.01)


def large_units(body: Body) -> Body:
    """The same with an object of scale 100 under an empty."""
    return replace(body, object_turn=about_x(np.array(np.pi / 2)), unit=100.0, under_empty=True)


def root_motion(body: Body) -> Body:
    """A root on the floor that moves along the way; the hips hang on it."""
    root = Bone("root", "", (0.0, 0.0, 0.0), (0.0, -0.2 * body.height, 0.0), (0.0, 0.0, 1.0))
    parents = {**body.parents, body.root: "root"}
    return replace(body, extra=(*body.extra, (root, ALONG)), parents=parents)


def sized(body: Body, height: float) -> Body:
    """The same character, built at another size."""
    size = height / body.height
    bones = tuple(_scaled(bone, size) for bone in body.bones)
    return replace(
        body,
        bones=bones,
        limbs=tuple(_scaled_limb(limb, size) for limb in body.limbs),
        parts=tuple(_scaled_part(part, size) for part in body.parts),
        height=height,
        tails={role: _times(tail, size) for role, tail in body.tails.items()},
        extra=tuple((_scaled(bone, size), role) for bone, role in body.extra),
    )


def separate_shoes(body: Body) -> Body:
    """Feet as objects of their own, parented to the bones."""
    feet = {role for leg in body.legs for role in (leg.bones[2], leg.toe)}
    parts = tuple(
        replace(part, object=f"shoe {part.bone}") if part.bone in feet else part
        for part in body.parts
    )
    return replace(body, parts=parts)


def ik_controls(body: Body) -> Body:
    """Legs driven by IK constraints, with foot controls and poles."""
    return replace(body, controls="ik")


def ik_limbs(body: Body) -> Body:
    """Legs and arms driven by IK constraints; elbows are a little bent, or IK would not bend them.

    Args:
        body: A biped in a T-pose.
    """
    bones = [
        replace(bone, tail=_behind(bone.tail))
        if bone.name.startswith("upper_arm")
        else replace(bone, head=_behind(bone.head))
        if bone.name.startswith("forearm")
        else bone
        for bone in body.bones
    ]
    return replace(body, bones=tuple(bones), controls="ik_limbs")


def _behind(elbow: Vector) -> Vector:
    return (elbow[0], elbow[1] + 0.015, elbow[2])


def _scaled(bone: Bone, size: float) -> Bone:
    return replace(bone, head=_times(bone.head, size), tail=_times(bone.tail, size))


def _scaled_limb(limb: Limb, size: float) -> Limb:
    if limb.sole is None:
        return limb
    heel, ball, tip = (_times(point, size) for point in limb.sole)
    return replace(limb, sole=(heel, ball, tip))


def _scaled_part(part: Part, size: float) -> Part:
    return replace(
        part,
        start=_times(part.start, size),
        end=_times(part.end, size),
        radius=part.radius * size,
        box=_times(part.box, size),
    )


def _times(point: Vector, size: float) -> Vector:
    return (point[0] * size, point[1] * size, point[2] * size)


def _at(point: np.ndarray) -> Vector:
    return (float(point[0]), float(point[1]), float(point[2]))
