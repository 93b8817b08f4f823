"""What rests besides feet: parts on the source's floor, and on things above it in the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...motion.contacts.contacts import Mask
from ...motion.feet import Contact, Floats, Foot
from ...motion.ground.terrain import Terrain
from ...motion.plan.plan import PlanSettings
from ...motion.rests.find_holds import find_holds, held_again, may_hold
from ...motion.rests.resting import NOTHING, Resting
from ...motion.solve.loops import Loop
from ..legs.leg_joints import LegSetup
from ..problem.plan_and_place import planned_feet
from ..rests.read_rests import Rests, read_rests
from .clip_contacts import PlayedClip


def read_resting(
    source: PlayedClip,
    legs: LegSetup,
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    floor: Floats,
    terrain: Terrain,
    settings: PlanSettings,
    scale: float,
    loop: Loop | None,
    hands: Mask,
    *,
    edited: bool,
) -> Rests:
    """What rests besides feet; no parts if nothing does.

    Args:
        source: The clip.
        legs: Its legs.
        feet: Its feet.
        contacts: Their contacts.
        floor: Height of the source's floor under each foot; (f, feet).
        terrain: The ground.
        settings: Foot placement settings.
        scale: Size of the character relative to one of 1.6 m.
        loop: How the clip repeats, None if it does not.
        hands: In which rows a hand bears; (f,).
        edited: Whether the contacts are the armature's own.

    Raises:
        RigError: A contact is of a part that there is not, or there is no ground under the
            character.
    """
    clip, rate = source.clip, source.rate
    rests = read_rests(
        source.armature,
        source.skeleton,
        clip,
        legs.soles,
        (*legs.hulls, *legs.tail),
        feet,
        contacts,
        floor,
        rate,
        scale,
        loop,
        edited=edited,
    )
    lowest = np.asarray(rests.floor.min(axis=1), float)
    own = list(rests.contacts)
    if own if edited else may_hold(rests.parts, lowest, rate, scale):
        pelvis = clip.world_pose(source.skeleton.index[legs.root])[:, :3, 3]
        known = Resting(rests.parts, rests.contacts) if own else NOTHING
        name, floor = source.armature.name, rests.floor
        where = pelvis, terrain, rate, scale
        plan, _ = planned_feet(name, feet, contacts, floor, *where, settings, loop, hands, known)
        ground = lowest, plan.body, terrain
        if edited:
            own = held_again(rests.parts, own, *ground, scale)
        else:
            own += find_holds(rests.parts, feet, own, *ground, rate, scale)
    return replace(rests, parts=rests.parts if own else (), contacts=tuple(own))
