"""All contacts detected in a clip: those of feet, and of other parts of the body."""

from __future__ import annotations

import bpy

from ...motion.contacts.floor import source_floor
from ...motion.feet import Contact
from ..controls.moved_bones import moved_mapping
from ..legs.flesh import body_hulls
from ..legs.source_feet import SourceFeet, found_contacts
from .read_rests import read_rests


def every_contact(
    armature_object: bpy.types.Object, source: SourceFeet
) -> tuple[list[Contact], list[str], bool]:
    """Contacts, the names of what they are of, and whether the clip is animated in place.

    Args:
        armature_object: The armature.
        source: Its feet in the clip.
    """
    settings = armature_object.bioik.feet
    known = source.feet, source.rate, source.scale, source.origin
    contacts, in_place = found_contacts(settings, *known)
    height = settings.floor_height if settings.floor == "HEIGHT" else None
    mapping = moved_mapping(armature_object)
    rests = read_rests(
        armature_object,
        source.skeleton,
        source.clip,
        source.soles,
        body_hulls(armature_object, source.skeleton, mapping, source.soles),
        source.feet,
        contacts,
        source_floor(source.feet, contacts, height, source.origin),
        source.rate,
        source.scale,
    )
    count = len(source.feet)
    others = (contact._replace(foot=contact.foot + count) for contact in rests.contacts)
    names = [foot.name for foot in source.feet] + [part.name for part in rests.parts]
    return [*contacts, *others], names, in_place
