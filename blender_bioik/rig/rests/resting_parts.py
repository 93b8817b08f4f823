"""Parts of the body that may rest on something, over the frames of a clip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...body_slots import SIDES
from ...motion.body.hull import Hull
from ...motion.contacts.contacts import Mask, is_upright
from ...motion.contacts.tuning import CONTACTS
from ...motion.feet import Contact, Foot
from ...motion.rests.part import TAIL, Part, Piece
from ..clip.bone_frames import bone_orientation, rotated
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, read_skeleton
from ..controls.moved_bones import moved_mapping
from ..legs.flesh import Carriers
from ..mapping import Mapping
from ..soles.foot_bones import leg_bones
from ..transforms import Floats, quaternion_inverse

if TYPE_CHECKING:
    from ..soles.soles import Sole

# What animators call the parts of an arm.
ARM_NAMES = {"upper_arm": "upper arm", "forearm": "elbow", "hand": "hand"}


@dataclass(frozen=True, eq=False)
class PartBone:
    """A bone that carries a part of the body.

    Attributes:
        name: What the part is called, "hand.L".
        bone: The bone.
        leg: Number of its leg, None if it belongs to none.
        limb: The name of its leg or arm; None of trunk and head, and of what begins at the trunk.
        is_foot: Whether it is a foot.
        holds: Whether it may rest on things above the floor: hands, and the seat of a biped.
        ends_arm: Whether it is a forearm without a hand.
    """

    name: str
    bone: str
    leg: int | None = None
    limb: str | None = None
    is_foot: bool = False
    holds: bool = False
    ends_arm: bool = False


class Limb(NamedTuple):
    """A leg: its name, and its bones from the hip to the foot."""

    name: str
    bones: tuple[str, ...]


def part_names(armature_object: bpy.types.Object) -> list[str]:
    """Names of the parts that may rest, as contacts have them.

    Raises:
        RigError: The armature has no legs.
    """
    skeleton, mapping = read_skeleton(armature_object), moved_mapping(armature_object)
    legs = [Limb(leg.name, leg_bones(armature_object, skeleton, leg)) for leg in mapping.legs]
    return [part.name for part in part_bones(mapping, legs)]


def part_bones(mapping: Mapping, legs: Sequence[Limb]) -> list[PartBone]:
    """The bones that carry parts, with the names of these."""
    found: dict[str, PartBone] = {}
    for number, leg in enumerate(legs):
        for bone, name in zip(leg.bones, _leg_names(leg), strict=True):
            limb = leg.name if bone != leg.bones[0] else None
            found[bone] = PartBone(name, bone, number, limb, bone == leg.bones[-1])
    for side in SIDES:
        for slot in ARM_NAMES:
            own = mapping.slots.get(f"{slot}.{side}")
            if own and own not in found:
                limb = f"arm.{side}" if slot != "upper_arm" else None
                ends = slot == "forearm" and f"hand.{side}" not in mapping.slots
                name = f"{'forearm' if ends else ARM_NAMES[slot]}.{side}"
                holds = ends or slot == "hand"
                found[own] = PartBone(name, own, limb=limb, holds=holds, ends_arm=ends)
    for number, bone in enumerate(mapping.tail, 1):
        name = f"{TAIL} {number}" if len(mapping.tail) > 1 else TAIL
        found.setdefault(bone, PartBone(name, bone, limb=TAIL))
    trunk: dict[str, list[str | None]] = {
        "seat": [mapping.slots.get("pelvis")],
        "back": [*mapping.spine],
        "neck": [*mapping.neck],
        "head": [mapping.slots.get("head")],
    }
    for name, bones in trunk.items():
        others = [bone for bone in bones if bone and bone not in found]
        for number, bone in enumerate(others, 1):
            sits = name == "seat" and len(legs) == 2
            full = f"{name} {number}" if len(others) > 1 else name
            found[bone] = PartBone(full, bone, holds=sits)
    return list(found.values())


def _leg_names(leg: Limb) -> list[str]:
    """What the parts of a leg are called: "knee.L" of two-legged ones, "front.L knee" of others."""
    shanks = (f"shank {number}" for number in range(1, len(leg.bones)))
    names = [*islice(chain(("thigh", "knee"), shanks), len(leg.bones) - 1), "foot"]
    kind, _, side = leg.name.rpartition(".")
    return [f"{name}.{side}" if kind == "leg" else f"{leg.name} {name}" for name in names]


def parts_in_clip(
    bones: Sequence[PartBone],
    hulls: Sequence[Hull],
    carriers: Carriers,
    skeleton: Skeleton,
    clip: Clip,
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    soles: Sequence[Sole],
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
        soles: Their soles.
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
            each.leg is not None and soles[each.leg].measured_clearance is None,
            each.holds,
            _far_end(pieces[each.bone]) if each.ends_arm else np.zeros(3),
        )


def _piece(hull: Hull, skeleton: Skeleton, clip: Clip) -> Piece:
    """A hull over the frames of a clip, in metres."""
    matrix = clip.world_pose(skeleton.index[hull.bone])
    turn = bone_orientation(matrix)
    in_world = hull.rings @ matrix[0, :3, :3].T
    inverse = np.broadcast_to(quaternion_inverse(turn[0]), (*in_world.shape[:2], 4))
    return Piece(Hull(hull.bone, rotated(inverse, in_world)), matrix[:, :3, 3], turn)


def _far_end(pieces: Sequence[Piece]) -> Floats:
    """The middle of the flesh of a bone where that is furthest from its joint; (3,)."""
    middles = pieces[0].hull.rings.mean(axis=1)
    return np.asarray(middles[int(np.linalg.norm(middles, axis=1).argmax())])


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
