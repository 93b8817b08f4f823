"""Parts of the body that may rest on something, over the frames of a clip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...body_slots import SIDES
from ...motion.body.hull import Hull
from ...motion.contacts.contacts import Mask, is_upright
from ...motion.contacts.tuning import CONTACTS
from ...motion.feet import Contact, Foot
from ...motion.rests.part import Part, Piece
from ..clip.bone_frames import bone_orientation, rotated
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..mapping import Mapping
from ..soles.soles import Sole
from ..transforms import Floats, quaternion_inverse
from .flesh import Carriers

# What animators call the parts of a limb and of the trunk.
LIMB_PARTS = {
    "thigh": "thigh",
    "shin": "knee",
    "foot": "foot",
    "upper_arm": "upper arm",
    "forearm": "elbow",
    "hand": "hand",
}


@dataclass(frozen=True, eq=False)
class PartBone:
    """A bone that carries a part of the body.

    Attributes:
        name: What the part is called, "hand.L".
        bone: The bone.
        leg: Number of its leg, None if it belongs to none.
        limb: The name of its leg or arm; None of trunk and head, and of what begins at the trunk.
        is_foot: Whether it is a foot.
        is_bare: Whether its leg has no mesh.
    """

    name: str
    bone: str
    leg: int | None = None
    limb: str | None = None
    is_foot: bool = False
    is_bare: bool = False


def part_bones(mapping: Mapping, soles: Sequence[Sole]) -> list[PartBone]:
    """The bones that carry parts, with the names of these."""
    found: dict[str, PartBone] = {}
    for number, sole in enumerate(soles):
        for bone, name in zip(sole.bones, _leg_names(sole), strict=True):
            limb = sole.name if bone != sole.bones[0] else None
            is_bare = sole.measured_clearance is None
            found[bone] = PartBone(name, bone, number, limb, bone == sole.foot, is_bare)
    for side in SIDES:
        for slot in ("upper_arm", "forearm", "hand"):
            bone = mapping.slots.get(f"{slot}.{side}")
            if bone and bone not in found:
                name = f"{LIMB_PARTS[slot]}.{side}"
                limb = f"arm.{side}" if slot != "upper_arm" else None
                found[bone] = PartBone(name, bone, limb=limb)
    for name, bones in (
        ("seat", [mapping.slots.get("pelvis")]),
        ("back", mapping.spine),
        ("neck", mapping.neck),
        ("head", [mapping.slots.get("head")]),
    ):
        own = [bone for bone in bones if bone and bone not in found]
        for number, bone in enumerate(own, 1):
            numbered = f"{name} {number}" if len(own) > 1 else name
            found[bone] = PartBone(numbered, bone)
    return list(found.values())


def _leg_names(sole: Sole) -> list[str]:
    """What the parts of a leg are called, from the hip to the foot: those of others by its name."""
    names = ["thigh", "knee", *(f"shank {k}" for k in range(1, len(sole.bones) - 2))][
        : len(sole.bones) - 1
    ]
    kind, _, side = sole.name.rpartition(".")
    if kind == "leg":
        return [f"{name}.{side}" for name in (*names, "foot")]
    return [f"{sole.name} {name}" for name in (*names, "foot")]


def parts_in_clip(
    bones: Sequence[PartBone],
    hulls: Sequence[Hull],
    carriers: Carriers,
    skeleton: Skeleton,
    clip: Clip,
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    floor: Floats,
    scale: float,
) -> Iterator[Part]:
    """Parts that have a hull, over the frames of a clip.

    Args:
        bones: The bones that carry them.
        hulls: Hulls, along their bones' own axes in the armature's units.
        carriers: The bone of the body that each bone with a hull belongs to.
        skeleton: The bones of the armature.
        clip: Their animation.
        feet: The feet.
        contacts: Their contacts.
        floor: Height of the source's floor; (f,).
        scale: Size of the character relative to one of 1.6 m.
    """
    pieces: dict[str, list[Piece]] = {}
    for hull in hulls:
        pieces.setdefault(carriers.owner[hull.bone], []).append(_piece(hull, skeleton, clip))
    for each in bones:
        if each.bone not in pieces:
            continue
        matrix = clip.world_pose(skeleton.index[each.bone])
        free = _is_low(each.bone, carriers, skeleton, clip, floor, scale)
        if each.leg is not None:
            free &= ~_stands(feet, each.leg, contacts)
        yield Part(
            each.name,
            each.bone,
            matrix[:, :3, 3],
            bone_orientation(matrix),
            tuple(pieces[each.bone]),
            free,
            each.limb,
            carriers.following.get(each.bone),
            each.is_foot,
            each.is_bare,
        )


def _piece(hull: Hull, skeleton: Skeleton, clip: Clip) -> Piece:
    """A hull over the frames of a clip, in metres."""
    matrix = clip.world_pose(skeleton.index[hull.bone])
    turn = bone_orientation(matrix)
    in_world = hull.rings @ matrix[0, :3, :3].T
    inverse = np.broadcast_to(quaternion_inverse(turn[0]), (*in_world.shape[:2], 4))
    return Piece(Hull(hull.bone, rotated(inverse, in_world)), matrix[:, :3, 3], turn)


def _is_low(
    bone: str, carriers: Carriers, skeleton: Skeleton, clip: Clip, floor: Floats, scale: float
) -> Mask:
    """In which rows one of a bone's ends is near the floor: coats reach further down; (f,)."""
    ends = [bone, *filter(None, [carriers.following.get(bone)])]
    heights = [clip.world_pose(skeleton.index[end])[:, 2, 3] for end in ends]
    return np.asarray(np.min(heights, axis=0) - floor < CONTACTS.held_up * scale)


def _stands(feet: Sequence[Foot], leg: int, contacts: Sequence[Contact]) -> NDArray[np.bool_]:
    """In which rows a leg stands on its foot, or steps; (f,)."""
    stands = is_upright(feet[leg])
    for contact in contacts:
        if contact.foot == leg:
            stands[contact.first : contact.stop] = True
    return stands
