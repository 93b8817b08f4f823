"""Parts of the body that rest in a clip, and the joints that move for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...motion.feet import Contact, Foot
from ...motion.rests.find_rests import find_rests, support_level
from ...motion.rests.part import Part
from ...motion.solve.loops import Loop
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..controls.moved_bones import moved_mapping
from ..transforms import Floats
from .contact_store import stored_contacts
from .flesh import carriers, foot_hulls
from .leg_joints import LegSetup
from .read_legs import with_upper
from .resting_parts import part_bones, parts_in_clip
from .source_feet import origin_height
from .upper_body import resting_body


@dataclass(frozen=True, eq=False)
class Rests:
    """What rests in a clip besides feet.

    Attributes:
        legs: The moving bones.
        parts: Parts of the body; none if none rests.
        contacts: Their contacts.
        floor: Height of the source's floor under each foot; (f, feet).
    """

    legs: LegSetup
    parts: tuple[Part, ...]
    contacts: tuple[Contact, ...]
    floor: Floats


def read_rests(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    clip: Clip,
    legs: LegSetup,
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    floor: Floats,
    rate: float,
    scale: float,
    loop: Loop | None,
) -> Rests:
    """Find what rests besides feet, or take it from the armature's contacts if these were edited.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        clip: Their animation.
        legs: Its legs.
        feet: Its feet.
        contacts: Their contacts.
        floor: Height of the source's floor under each foot; (f, feet).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        loop: How the clip repeats, None if it does not.

    Raises:
        RigError: A contact is of a part that there is not.
    """
    settings = armature_object.bioik.feet
    nothing = Rests(legs, (), (), floor)
    if not settings.body_contacts:
        return nothing
    mapping = moved_mapping(armature_object)
    bones = part_bones(mapping, legs.soles)
    carried = carriers(skeleton, mapping, legs.soles)
    lowest = np.asarray(floor.min(axis=1), float)
    found = list(
        parts_in_clip(
            bones, legs.hulls, carried, skeleton, clip, feet, contacts, lowest, scale
        )
    )
    if not found:
        return nothing
    if not contacts and settings.floor != "HEIGHT":
        lowest = support_level(found, lowest, origin_height(clip), scale)
    if settings.contacts_edited:
        names = [bone.name for bone in bones]
        own = stored_contacts(settings, [*(foot.name for foot in feet), *names], clip.frames)
        wanted = {names[each.foot - len(feet)] for each in own if each.foot >= len(feet)}
    else:
        wanted = {found[each.foot].name for each in _found(found, lowest, rate, scale, loop)}
    if not wanted:
        return nothing
    legs = replace(legs, foot_hulls=foot_hulls(armature_object, skeleton, legs.soles))
    hulls = (*legs.hulls, *legs.foot_hulls)
    parts = list(
        parts_in_clip(bones, hulls, carried, skeleton, clip, feet, contacts, lowest, scale)
    )
    if settings.contacts_edited:
        numbers = {part.name: number for number, part in enumerate(parts)}
        rests = [
            each._replace(foot=numbers[names[each.foot - len(feet)]])
            for each in own
            if each.foot >= len(feet)
        ]
    else:
        rests = _found(parts, lowest, rate, scale, loop)
    resting = [parts[contact.foot].bone for contact in rests]
    legs = replace(legs, resting=tuple(part.bone for part in parts))
    upper = resting_body(legs.upper, skeleton, mapping, legs.root, legs.soles, resting)
    if not contacts:
        floor = np.broadcast_to(lowest[:, None], floor.shape)
    return Rests(
        with_upper(armature_object, mapping, legs, upper), tuple(parts), tuple(rests), floor
    )


def _found(
    parts: Sequence[Part], floor: Floats, rate: float, scale: float, loop: Loop | None
) -> list[Contact]:
    """Contacts of parts in a clip, also over the seam of a loop."""
    if loop is None:
        return find_rests(parts, floor, rate, scale)
    repeated = find_rests(loop.repeated_parts(parts), floor[loop.rows], rate, scale)
    return loop.own_contacts(repeated)
