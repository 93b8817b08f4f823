"""What parts of the body rest on above the source's floor, in the ground of the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...motion.contacts.contacts import Mask
from ...motion.feet import Contact, Foot
from ...motion.ground.terrain import Terrain
from ...motion.plan.plan import PlanSettings
from ...motion.rests.find_holds import find_holds, held_again, may_hold
from ...motion.solve.loops import Loop
from ..problem.plan_and_place import planned_feet
from ..problem.resting_body import NOTHING, Resting
from ..rests.read_rests import Rests
from ..source.source import Source


def with_holds(
    source: Source,
    root: str,
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    rests: Rests,
    terrain: Terrain,
    settings: PlanSettings,
    scale: float,
    loop: Loop | None,
    hands: Mask,
    *,
    edited: bool,
) -> Rests:
    """What rests, with contacts above the floor as well; no parts if nothing rests.

    Args:
        source: The clip.
        root: The bone above all legs.
        feet: Its feet.
        contacts: Their contacts.
        rests: What rests on the floor.
        terrain: The ground.
        settings: Foot placement settings.
        scale: Size of the character relative to one of 1.6 m.
        loop: How the clip repeats, None if it does not.
        hands: In which rows a hand bears; (f,).
        edited: Whether the contacts are the armature's own.

    Raises:
        RigError: There is no ground under the character.
    """
    lowest = np.asarray(rests.floor.min(axis=1), float)
    own = list(rests.contacts)
    if own if edited else may_hold(rests.parts, lowest, source.rate, scale):
        pelvis = source.clip.world_pose(source.skeleton.index[root])[:, :3, 3]
        resting = Resting(rests.parts, rests.contacts) if own else NOTHING
        plan, _ = planned_feet(
            source.armature.name,
            feet,
            contacts,
            rests.floor,
            pelvis,
            terrain,
            source.rate,
            scale,
            settings,
            loop,
            hands,
            resting,
        )
        known = lowest, plan.body, terrain
        if edited:
            own = held_again(rests.parts, own, *known, scale)
        else:
            own += find_holds(rests.parts, own, *known, source.rate, scale)
    return replace(rests, parts=rests.parts if own else (), contacts=tuple(own))
