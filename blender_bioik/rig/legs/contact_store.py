"""Contacts kept on the armature: between frames that animators see and rows of a clip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ...motion.feet import BALL, POINT_NAMES, Contact
from ..errors import RigError

POINT_ITEMS = tuple(name.upper() for name in POINT_NAMES)
# What is stored for parts of the body that are no feet.
PART_ITEM = "PART"


def stored_contacts(
    settings: bpy.types.PropertyGroup, feet_names: Sequence[str], frames: ArrayLike
) -> list[Contact]:
    """The contacts kept on an armature, as rows of a clip.

    Args:
        settings: `Object.bioik.feet`.
        feet_names: Names of the clip's feet, and of other parts of the body.
        frames: Frame numbers of the clip, ascending; (f,).

    Returns:
        Contacts by foot, point and time, cut to the clip. One that begins while another of the
        same point lasts ends that one.

    Raises:
        RigError: A contact is of a foot that there is not.
    """
    at = np.asarray(frames, float)
    found = []
    for stored in settings.contacts:
        if stored.foot not in feet_names:
            raise RigError(
                f"The contact from frame {stored.frame_start} to {stored.frame_end} is for the "
                f'foot "{stored.foot}", which the armature does not have: choose one of '
                f"{', '.join(feet_names)}, or remove the contact."
            )
        first = int(np.searchsorted(at, stored.frame_start, side="left"))
        stop = int(np.searchsorted(at, stored.frame_end, side="right"))
        foot = feet_names.index(stored.foot)
        point = BALL if stored.point == PART_ITEM else POINT_ITEMS.index(stored.point)
        found.append(Contact(foot, point, first, stop, stored.slides, stored.level))
    return _without_overlaps(found)


def store_contacts(
    settings: bpy.types.PropertyGroup,
    contacts: Iterable[Contact],
    feet_names: Sequence[str],
    frames: ArrayLike,
    feet: int | None = None,
) -> None:
    """Keep contacts of a clip on an armature, in place of those it has, as found ones.

    Args:
        settings: `Object.bioik.feet`.
        contacts: The contacts, in rows of the clip.
        feet_names: Names of the clip's feet, and of other parts of the body.
        frames: Frame numbers of the clip; (f,).
        feet: How many of the names are those of feet; None for all of them.
    """
    at = np.asarray(frames, float)
    settings.contacts.clear()
    for contact in contacts:
        stored = settings.contacts.add()
        stored.foot = feet_names[contact.foot]
        is_part = feet is not None and contact.foot >= feet
        stored.point = PART_ITEM if is_part else POINT_ITEMS[contact.point]
        stored.frame_start = round(at[contact.first])
        stored.frame_end = round(at[contact.stop - 1])
        stored.slides, stored.level = contact.slides, contact.level
        name_contact(settings, stored)
    settings.active_contact = 0
    settings.contacts_edited = False


def name_contact(settings: bpy.types.PropertyGroup, contact: bpy.types.PropertyGroup) -> None:
    """Give a contact a unique name, by which library overrides identify it."""
    point = "" if contact.point == PART_ITEM else f" {contact.point.lower()}"
    name = f"{contact.foot}{point} {contact.frame_start}"
    taken = {other.name for other in settings.contacts}
    numbered = (f"{name}.{number:03}" for number in range(1, len(taken) + 2))
    contact.name = name if name not in taken else next(n for n in numbered if n not in taken)


def _without_overlaps(contacts: list[Contact]) -> list[Contact]:
    kept: list[Contact] = []
    for contact in sorted(contacts, key=lambda c: c[:4]):
        if kept and kept[-1][:2] == contact[:2] and kept[-1].stop > contact.first:
            kept[-1] = kept[-1]._replace(stop=contact.first)
        kept.append(contact)
    return [contact for contact in kept if contact.first < contact.stop]
