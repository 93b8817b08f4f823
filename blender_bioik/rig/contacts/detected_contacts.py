"""All contacts detected in a clip: those of feet, and of other parts of the body.

What rests above the floor is found where a ground is chosen, as when feet are placed on it.
"""

from __future__ import annotations

from typing import NamedTuple

import bpy
from numpy.typing import ArrayLike

from ...motion.contacts.floor import source_floor
from ...motion.feet import Contact
from ..controls.moved_bones import moved_mapping
from ..errors import RigError
from ..keys.played_source import own_source_played
from ..legs.flesh import body_flesh
from ..legs.ground import chosen_grounds, reading_ground
from ..legs.read_legs import legs_in_clip, read_legs
from ..legs.source_feet import SourceFeet, found_contacts, reading_source_feet
from ..reading import Reading
from ..rests.read_rests import Rests, read_rests
from .plan_settings import region_around
from .read_clip_contacts import read_clip_contacts


class DetectedContacts(NamedTuple):
    """Contacts detected in a clip.

    Attributes:
        source: The feet in the clip.
        contacts: Contacts of feet and other parts, by their numbers among `names`.
        names: Names of the feet and other parts.
        in_place: Whether the clip is animated in place.
        problem: Why what rests above the floor was not looked for; empty if it was.
    """

    source: SourceFeet
    contacts: list[Contact]
    names: list[str]
    in_place: bool
    problem: str = ""


def reading_contacts(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, frames: ArrayLike
) -> Reading[DetectedContacts]:
    """Detect the contacts of a clip, whatever the armature's own are. Leaves the scene as it is.

    Args:
        scene: The scene of the frames.
        armature_object: The armature.
        frames: Frame numbers, one after the other; (f,).

    Raises:
        RigError: The armature has no legs, or cannot be sampled.
    """
    problem = ""
    with own_source_played(scene, armature_object):
        source = yield from reading_source_feet(scene, armature_object, frames)
        if chosen_grounds(armature_object):
            try:
                return (yield from _on_ground(scene, source))
            except RigError as error:
                problem = str(error)
        return _on_floor(source)._replace(problem=problem)


def _on_ground(scene: bpy.types.Scene, source: SourceFeet) -> Reading[DetectedContacts]:
    """Contacts with the chosen ground, as foot placement has them."""
    armature, feet = source.armature, tuple(source.feet)
    legs, _ = legs_in_clip(
        scene, armature, read_legs(armature), source.skeleton, source.clip, source.rate
    )
    around = region_around(feet, source.scale)
    grounds = chosen_grounds(armature)
    terrain = yield from reading_ground(scene, grounds, source.frames, armature, around)
    found = yield from read_clip_contacts(source, legs, feet, terrain, source.scale, edited=False)
    return _detected(source, list(found.feet), found.rests, in_place=found.in_place)


def _on_floor(source: SourceFeet) -> DetectedContacts:
    """Contacts with the source's floor."""
    armature, settings = source.armature, source.armature.bioik.feet
    known = source.feet, source.rate, source.scale, source.origin
    contacts, in_place = found_contacts(settings, *known)
    height = settings.floor_height if settings.floor == "HEIGHT" else None
    flesh = body_flesh(armature, source.skeleton, moved_mapping(armature), source.soles)
    rests = read_rests(
        armature,
        source.skeleton,
        source.clip,
        source.soles,
        (*flesh.body, *flesh.tail),
        source.feet,
        contacts,
        source_floor(source.feet, contacts, height, source.origin),
        source.rate,
        source.scale,
    )
    return _detected(source, contacts, rests, in_place=in_place)


def _detected(
    source: SourceFeet, contacts: list[Contact], rests: Rests, *, in_place: bool
) -> DetectedContacts:
    count = len(source.feet)
    others = (contact._replace(foot=contact.foot + count) for contact in rests.contacts)
    names = [foot.name for foot in source.feet] + [part.name for part in rests.parts]
    return DetectedContacts(source, [*contacts, *others], names, in_place)
