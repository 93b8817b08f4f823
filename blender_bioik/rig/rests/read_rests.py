"""Parts of the body that rest in a clip, found or as the armature's contacts say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...motion.body.hull import Hull
from ...motion.feet import Contact, Foot
from ...motion.rests.find_rests import find_rests, support_level
from ...motion.rests.part import Part
from ...motion.solve.loops import Loop
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..controls.moved_bones import moved_mapping
from ..legs.contact_store import stored_contacts
from ..legs.flesh import carriers, foot_hulls
from ..legs.source_feet import origin_height
from ..soles.soles import Sole
from ..transforms import Floats
from .resting_parts import Limb, part_bones, parts_in_clip


@dataclass(frozen=True, eq=False)
class Rests:
    """What rests in a clip besides feet.

    Attributes:
        floor: Height of the source's floor under each foot; (f, feet).
        parts: Parts of the body; none if no other contacts are wanted.
        contacts: Their contacts.
        foot_hulls: The flesh of feet, which may rest on their sides.
        low_arms: Bones of arms that have to bend out of the ground.
    """

    floor: Floats
    parts: tuple[Part, ...] = ()
    contacts: tuple[Contact, ...] = ()
    foot_hulls: tuple[Hull, ...] = ()
    low_arms: tuple[str, ...] = ()


def read_rests(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    clip: Clip,
    soles: Sequence[Sole],
    hulls: Sequence[Hull],
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    floor: Floats,
    rate: float,
    scale: float,
    loop: Loop | None = None,
    *,
    edited: bool = False,
) -> Rests:
    """Find what rests besides feet.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        clip: Their animation.
        soles: Its soles.
        hulls: Its flesh above the feet.
        feet: Its feet.
        contacts: Their contacts.
        floor: Height of the source's floor under each foot; (f, feet).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        loop: How the clip repeats, None if it does not.
        edited: Whether to take it from the armature's own contacts.

    Raises:
        RigError: A contact is of a part that there is not.
    """
    settings, nothing = armature_object.bioik.feet, Rests(floor)
    if not settings.body_contacts:
        return nothing
    mapping = moved_mapping(armature_object)
    bones = part_bones(mapping, [Limb(sole.name, sole.bones) for sole in soles])
    carried = carriers(skeleton, mapping, soles)
    lowest = np.asarray(floor.min(axis=1), float)

    def parts_of(some: Sequence[Hull]) -> list[Part]:
        known = skeleton, clip, feet, contacts, soles, lowest, scale
        return list(parts_in_clip(bones, some, carried, *known))

    body = parts_of(hulls)
    if not contacts and settings.floor != "HEIGHT" and body:
        lowest = support_level(body, lowest, origin_height(clip), scale)
    if not (edited or _found(body, lowest, rate, scale, loop)):
        return Rests(floor, tuple(body))
    on_sides = foot_hulls(armature_object, skeleton, soles)
    parts = parts_of((*hulls, *on_sides))
    if edited:
        names = [*(foot.name for foot in feet), *(bone.name for bone in bones)]
        rests = _stored(settings, names, len(feet), parts, clip.frames)
    else:
        rests = _found(parts, lowest, rate, scale, loop)
    if not rests:
        return Rests(floor, tuple(body))
    if not contacts:
        floor = np.broadcast_to(lowest[:, None], floor.shape)
    return Rests(floor, tuple(parts), tuple(rests), on_sides)


def _stored(
    settings: bpy.types.PropertyGroup,
    names: Sequence[str],
    feet: int,
    parts: Sequence[Part],
    frames: Floats,
) -> list[Contact]:
    """The armature's own contacts of parts; those without flesh rest on nothing."""
    numbers = {part.name: number for number, part in enumerate(parts)}
    own = stored_contacts(settings, names, frames)
    return [
        contact._replace(foot=numbers[names[contact.foot]])
        for contact in own
        if contact.foot >= feet and names[contact.foot] in numbers
    ]


def _found(
    parts: Sequence[Part], floor: Floats, rate: float, scale: float, loop: Loop | None
) -> list[Contact]:
    """Contacts of parts in a clip, also over the seam of a loop."""
    if loop is None:
        return find_rests(parts, floor, rate, scale)
    repeated = find_rests(loop.repeated_parts(parts), floor[loop.rows], rate, scale)
    return loop.own_contacts(repeated)
