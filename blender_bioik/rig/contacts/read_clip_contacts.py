"""Everything that touches the ground in a clip: feet, and what rests besides them."""

from __future__ import annotations

from dataclasses import dataclass

from ...motion.contacts.contacts import Mask
from ...motion.feet import Contact, Floats, Foot
from ...motion.ground.terrain import Terrain
from ...motion.plan.plan import PlanSettings
from ...motion.solve.loops import Loop
from ..legs.leg_joints import LegSetup
from ..legs.source_feet import origin_height
from ..reading import Reading, all_read
from ..rests.read_rests import Rests
from .clip_contacts import PlayedClip, bearing_hands, clip_floor, read_contacts
from .clip_loop import read_loop
from .plan_settings import plan_settings
from .read_resting import read_resting


@dataclass(frozen=True, eq=False)
class ClipContacts:
    """The contacts of a clip, and what they were found with.

    Attributes:
        feet: Contacts of feet.
        found: Whether they were detected in the clip.
        in_place: Whether feet slide because the clip is animated in place.
        rests: What rests besides feet, and the source's floor.
        planning: Settings of the plan.
        loop: How the clip repeats, None if it does not.
        hands: In which rows a hand bears; (f,).
        notes: Notes about the contacts and the loop.
    """

    feet: tuple[Contact, ...]
    found: bool
    in_place: bool
    rests: Rests
    planning: PlanSettings
    loop: Loop | None
    hands: Mask
    notes: tuple[str, ...]


def read_clip_contacts(
    played: PlayedClip,
    legs: LegSetup,
    feet: tuple[Foot, ...],
    terrain: Terrain,
    scale: float,
    *,
    edited: bool,
) -> Reading[ClipContacts]:
    """Find the contacts of a clip, or take the armature's own.

    Args:
        played: The clip.
        legs: Its legs.
        feet: Its feet.
        terrain: The ground.
        scale: Size of the character relative to one of 1.6 m.
        edited: Whether to take the armature's own.

    Raises:
        RigError: A contact is of something that there is not, or there is no ground under the
            character.
    """
    settings = played.armature.bioik.feet
    loop, loop_notes = read_loop(played, terrain, scale)
    contacts, in_place, notes = read_contacts(played, feet, scale, loop, edited=edited)
    yield all_read(played.frames)
    height: float | None = settings.floor_height if settings.floor == "HEIGHT" else None
    floor: Floats = clip_floor(feet, contacts, height, origin_height(played.clip), loop)
    hands = bearing_hands(played, legs, scale)
    planning = plan_settings(settings, scale)
    rests = read_resting(
        played,
        legs,
        feet,
        contacts,
        floor,
        terrain,
        planning,
        scale,
        loop,
        hands,
        edited=edited,
    )
    return ClipContacts(
        tuple(contacts),
        not edited,
        in_place,
        rests,
        planning,
        loop,
        hands,
        (*loop_notes, *notes),
    )
