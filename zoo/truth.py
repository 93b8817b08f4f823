"""What is true about a character of the zoo: bones of its parts, soles, and what touches when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from demo.skeleton import Vector

from .body import FORWARD, UP, Body, Limb
from .posing import Motion, Touch
from .skin import shell

SOLE_SHARE = 0.02  # of the leg's length: vertices of a foot so near its lowest one are its sole


@dataclass(frozen=True)
class TrueLeg:
    """A leg as it is: bones from hip to foot, and where its sole is.

    Attributes:
        name: "leg.L", "front.L", "hind.L", "leg1.L" and so on.
        bones: From hip to foot, names in Blender.
        foot: The bone of the foot.
        toe: The bone after it, None if there is none.
        flat: Whether the foot bone stands on the ground; a dog's does not, its toes do.
        sole: Vertices of the sole by mesh object; none for bare bones.
    """

    name: str
    bones: tuple[str, str, str]
    foot: str
    toe: str | None
    flat: bool
    sole: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Truth:
    """What is known about a character.

    Attributes:
        slots: Bone of each slot of a mapping, names in Blender; spine and neck are lists.
        spine: Bones from pelvis to chest.
        neck: Bones between chest and head.
        legs: In order from the front, left before right.
        height: Metres.
        up: In the armature's rest pose.
        forward: In the armature's rest pose.
        touches: What touches the floor or a prop in the clip, and in which rows.
    """

    slots: Mapping[str, str]
    spine: tuple[str, ...]
    neck: tuple[str, ...]
    legs: tuple[TrueLeg, ...]
    height: float
    up: tuple[float, float, float]
    forward: tuple[float, float, float]
    touches: tuple[Touch, ...] = ()


def truth_of(body: Body, meshes: list[bpy.types.Object], motion: Motion | None) -> Truth:
    """The truth about a body and its clip."""
    named = body.named
    touches = tuple(
        Touch(named(touch.bone), touch.first, touch.stop)
        for touch in (motion.touches if motion else ())
    )
    return Truth(
        _slots(body),
        tuple(named(role) for role in body.spine),
        tuple(named(role) for role in body.neck),
        tuple(true_leg(body, leg, meshes) for leg in body.legs),
        body.height,
        _direction(body, UP),
        _direction(body, FORWARD),
        touches,
    )


def _direction(body: Body, way: Vector) -> Vector:
    x, y, z = body.to_rig() @ np.array(way)
    return (float(x), float(y), float(z))


def true_leg(body: Body, leg: Limb, meshes: list[bpy.types.Object]) -> TrueLeg:
    """A leg by its names in Blender, with the vertices of its sole."""
    assert leg.sole is not None
    hip, knee, ankle = leg.bones
    bones = body.named(hip), body.named(knee), body.named(ankle)
    # The heel of a foot that stands on the ground is behind the ankle.
    flat = leg.sole[0][1] > body.head(ankle)[1] + 0.01 * body.height
    toe = body.named(leg.toe) if leg.toe else None
    return TrueLeg(leg.name, bones, bones[2], toe, flat, _sole(body, meshes, ankle, leg.toe))


def _slots(body: Body) -> dict[str, str]:
    """Slots of a mapping that the body has."""
    found = {"pelvis": body.root, "head": "head"}
    for limb in body.limbs:
        name, _, side = limb.name.partition(".")
        if name == "arm":
            found[f"shoulder.{side}"] = f"shoulder.{side}"
            parts: tuple[str, ...] = ("upper_arm", "forearm", "hand")
        elif name in ("leg", "hind"):
            parts = ("thigh", "shin", "foot")
            if limb.toe:
                found[f"toe.{side}"] = limb.toe
        else:
            continue
        found |= {f"{part}.{side}": role for part, role in zip(parts, limb.bones, strict=True)}
    roles = {bone.name for bone in body.bones}
    return {slot: body.named(role) for slot, role in found.items() if role in roles}


def _sole(
    body: Body, meshes: list[bpy.types.Object], foot: str, toe: str | None
) -> dict[str, tuple[int, ...]]:
    """Vertices of a foot that are near the floor in the rest pose, by mesh."""
    roles = {foot, toe} - {None}
    found = {}
    for thing in meshes:
        name = thing.name if any(part.object == thing.name for part in body.parts) else ""
        surface = shell([part for part in body.parts if part.object == name])
        low = surface.vertices[:, 2] < SOLE_SHARE * body.leg_length
        own = [i for i, bone in enumerate(surface.bones) if bone in roles and low[i]]
        if own:
            found[thing.name] = tuple(own)
    return found
