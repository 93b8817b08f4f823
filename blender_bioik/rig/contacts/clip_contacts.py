"""Contacts, source floor and bearing hands of a clip, by the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from ...findings import IN_PLACE, Finding
from ...motion.contacts.contacts import Mask
from ...motion.contacts.floor import source_floor
from ...motion.contacts.hands import hands_bear
from ...motion.feet import Contact, Floats, Foot
from ...motion.solve.loops import Loop
from ..legs.contact_store import stored_contacts
from ..legs.leg_joints import LegSetup
from ..legs.source_feet import SourceFeet, found_contacts, origin_height
from ..mapping.chosen import rig_mapping
from ..rests.resting_parts import part_names
from ..source.source import Source

PlayedClip: TypeAlias = Source | SourceFeet
"""A clip that was read: armature, skeleton, clip, frames and rate."""

NO_CONTACTS = (
    "No contacts were detected in the clip, so no foot is planted: check Source Floor, or add "
    "contacts."
)
NO_OWN_CONTACTS = (
    "The armature's contacts have none in these frames, so no foot is planted: add some, or "
    "disable Use Edited Contacts to detect them in the clip."
)


def read_contacts(
    played: PlayedClip, feet: Sequence[Foot], scale: float, loop: Loop | None, *, edited: bool
) -> tuple[list[Contact], bool, list[str]]:
    """Contacts of feet, whether they slide because the clip is in place, and notes about them.

    Args:
        played: The clip.
        feet: Its feet.
        scale: Size of the character relative to one of 1.6 m.
        loop: How the clip repeats, None if it does not.
        edited: Whether to take the armature's own contacts.

    Raises:
        RigError: One of the armature's own is of something that there is not.
    """
    settings, rate = played.armature.bioik.feet, played.rate
    if edited:
        names = [*(foot.name for foot in feet), *part_names(played.armature)]
        every = stored_contacts(settings, names, played.frames)
        own = [contact for contact in every if contact.foot < len(feet)]
        return own, False, [] if every else [NO_OWN_CONTACTS]
    around = feet if loop is None else loop.repeated_feet(feet)
    origin = origin_height(played.clip)
    contacts, in_place = found_contacts(settings, around, rate, scale, origin)
    if loop is not None:
        contacts = loop.own_contacts(contacts)
    if in_place and settings.planting != "LOCKED":
        note = (
            "The clip is animated in place: feet follow the height and slope of the ground, "
            "without locks."
        )
        return contacts, in_place, [note]
    return contacts, in_place, [] if contacts else [NO_CONTACTS]


def in_place_findings(contacts: Sequence[Contact], planting: str, *, found: bool) -> list[Finding]:
    """What was decided about the feet of a clip that is animated in place.

    Args:
        contacts: Its contacts.
        planting: The user's choice, "AUTO" if it is left to the clip.
        found: Whether the contacts were detected.
    """
    if planting != "AUTO" or not found or not contacts or not all(c.slides for c in contacts):
        return []
    return [Finding("the clip is animated in place, and its feet slide as in the source", IN_PLACE)]


def clip_floor(
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    height: float | None,
    origin: float,
    loop: Loop | None,
) -> Floats:
    """Height of the source's floor under each foot; (f, feet)."""
    if loop is None:
        return source_floor(feet, contacts, height, origin)
    again = loop.repeated_feet(feet), loop.repeated_contacts(contacts)
    return np.asarray(loop.own_rows(source_floor(*again, height, origin)))


def bearing_hands(source: PlayedClip, legs: LegSetup, scale: float) -> Mask:
    """In which rows of a clip a hand bears; (f,)."""
    clip, index = source.clip, source.skeleton.index
    slots = rig_mapping(source.armature).slots
    hands = [bone for slot, bone in slots.items() if slot.startswith("hand")]
    paths = [
        clip.world_pose(index[bone])[:, :3, 3]
        for bone in hands
        if bone in index and bone not in legs.leg_bones
    ]
    pelvis = clip.world_pose(index[legs.root])[:, :3, 3]
    return hands_bear(paths, pelvis, source.rate, scale)
