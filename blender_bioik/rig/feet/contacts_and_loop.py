"""Frames, contacts, source floor and region of a clip, and whether it is a loop."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...motion.contacts.floor import source_floor
from ...motion.feet import Contact, Floats, Foot
from ...motion.ground.terrain import Terrain
from ...motion.plan.plan import PlanSettings
from ...motion.solve.loops import Loop, find_loop
from ..clip.cyclic import is_cyclic
from ..clip.sampling import Clip
from ..errors import RigError
from ..legs.contact_store import stored_contacts
from ..legs.source_feet import found_contacts
from ..source.options import BakeOptions
from ..source.source import Source

FEWEST_FRAMES = 3
# How far around the feet the ground matters, metres for a character of 1.6 m.
AROUND = 1.5
# Ground that has moved by more over a loop has moved on, metres for a character of 1.6 m.
SAME_GROUND = 0.001
MOVED_ON = "The ground has moved by the time the clip starts again: not treated as a loop."
NO_CONTACTS = (
    "No contacts were detected in the clip, so no foot is planted: check Source Floor, or add "
    "contacts."
)
NO_OWN_CONTACTS = (
    "The armature's contacts have none in these frames, so no foot is planted: add some, or "
    "disable Use Edited Contacts to detect them in the clip."
)


def read_contacts(
    source: Source, feet: Sequence[Foot], scale: float, loop: Loop | None
) -> tuple[list[Contact], bool, list[str]]:
    """Contacts, whether they were detected in the clip, and notes about them."""
    settings, rate = source.armature.bioik.feet, source.rate
    if settings.contacts_edited:
        own = stored_contacts(settings, [foot.name for foot in feet], source.frames)
        return own, False, [] if own else [NO_OWN_CONTACTS]
    if loop is None:
        contacts, in_place = found_contacts(settings, feet, rate, scale)
    else:
        contacts, in_place = found_contacts(settings, loop.repeated_feet(feet), rate, scale)
        contacts = loop.own_contacts(contacts)
    if in_place and settings.planting != "LOCKED":
        note = (
            "The clip is animated in place: feet follow the height and slope of the ground, "
            "without locks."
        )
        return contacts, True, [note]
    if not contacts:
        return contacts, True, [NO_CONTACTS]
    return contacts, True, []


def plan_settings(settings: bpy.types.PropertyGroup, scale: float) -> PlanSettings:
    """Foot placement settings; the default step height depends on the character's size."""
    chosen = settings.is_property_set("step_up")
    step_up = settings.step_up if chosen else scale * settings.step_up
    return PlanSettings(settings.slope, step_up, settings.ease, settings.swing)


def clip_floor(
    feet: Sequence[Foot], contacts: Sequence[Contact], height: float | None, loop: Loop | None
) -> Floats:
    """Height of the source's floor under each foot; (f, feet)."""
    if loop is None:
        return source_floor(feet, contacts, height)
    again = loop.repeated_feet(feet), loop.repeated_contacts(contacts)
    return np.asarray(loop.own_rows(source_floor(*again, height)))


def read_loop(source: Source, terrain: Terrain, scale: float) -> tuple[Loop | None, list[str]]:
    """How the clip repeats, and notes about it: over ground that has moved on, it does not."""
    wanted = source.armature.bioik.feet.loop
    if wanted == "OFF":
        return None, []
    told = wanted == "ON" or is_cyclic(source.armature)
    loop = find_loop(_heads(source.clip), source.rate, scale, told=told)
    if wanted == "ON" and loop is None:
        return None, [
            "The clip does not continue from its last frame to its first: not treated as a loop."
        ]
    if loop is not None and not terrain.comes_back(loop.period, SAME_GROUND * scale):
        return None, [MOVED_ON] if wanted == "ON" else []
    return loop, []


def _heads(clip: Clip) -> Floats:
    """Heads of all bones in the world; (f, n, 3)."""
    return np.asarray((clip.world[:, None] @ clip.pose)[..., :3, 3])


def region_around(feet: Sequence[Foot], scale: float) -> Floats:
    """Lowest and highest (x, y) of the ground that matters; (2, 2)."""
    points = np.concatenate([foot.points[..., :2].reshape(-1, 2) for foot in feet])
    margin = AROUND * scale
    return np.stack([points.min(axis=0) - margin, points.max(axis=0) + margin])


def refuse_few_frames(options: BakeOptions) -> None:
    """Refuse a range that is too short to be solved.

    Raises:
        RigError: It has too few frames.
    """
    count = len(options.frames())
    if count < FEWEST_FRAMES:
        raise RigError(
            f"The range has only {count} frame{'s' if count > 1 else ''}: foot placement requires "
            f"at least {FEWEST_FRAMES}."
        )
