"""Contacts stored in the .blend file: frame ranges in which a foot or other part rests."""

from collections.abc import Callable

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from ..translations import OWN
from .goal import OVERRIDE
from .search_undo import typed_step

POINTS = (
    ("HEEL", "Heel", "Heel of the foot"),
    ("BALL", "Ball", "Ball of the foot, at which a planted foot is locked"),
    ("TIP", "Tip", "Tip of the toes"),
    ("PART", "Part of the Body", "The lowest points of another part of the body, such as a hand"),
)
PART = "PART"

# What to do with what is above the source's floor; a contact's own choice comes first.
LEVELS = (
    (
        "AUTO",
        "Automatic",
        "Match the ground where it has steps of these heights; else put uneven ground and a few "
        "steps on the ground, and keep the height of what is higher or borne by hands",
    ),
    ("MATCH", "Match", "Use the steps of the ground at about these heights"),
    ("PUT", "Put on Ground", "Put feet on the ground, whatever their height in the clip"),
    ("KEEP", "Keep Height", "Keep the height above the floor, as on a ladder that is not there"),
)

# Functions that return the feet of an armature. `ui_state` adds one, which detects them.
FOOT_NAMES: list[Callable[[bpy.types.Object], list[str]]] = []


def _mark_edited(contact: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    """Use the edited contacts instead of detecting new ones."""
    contact.id_data.bioik.feet.contacts_edited = True


def _start_changed(contact: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Move the end too: no contact ends before it starts."""
    if contact.frame_end < contact.frame_start:
        contact.frame_end = contact.frame_start
    _mark_edited(contact, context)


def _end_changed(contact: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Move the start too."""
    if contact.frame_start > contact.frame_end:
        contact.frame_start = contact.frame_end
    _mark_edited(contact, context)


def _foot_changed(contact: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Push the undo step last, after everything else has changed."""
    _mark_edited(contact, context)
    typed_step("foot")(contact, context)


def feet_of(contact: bpy.types.PropertyGroup, _context: object, typed: str) -> list[str]:
    """Feet that a contact can belong to, filtered by the typed text."""
    names = [name for names_of in FOOT_NAMES for name in names_of(contact.id_data)]
    return [name for name in names if typed.lower() in name.lower()]


class BioIKContact(bpy.types.PropertyGroup):
    """A sole point, or another part of the body, on the ground over a range of frames."""

    foot: StringProperty(
        name="Foot",
        description="Name of the leg, such as leg.L, or of another part, such as hand.L",
        search=feet_of,
        update=_foot_changed,
        override=OVERRIDE,
    )
    point: EnumProperty(
        name="Sole Point",
        translation_context=OWN,
        description="Part of the foot that is in contact with the ground",
        items=POINTS,
        default="BALL",
        update=_mark_edited,
        override=OVERRIDE,
    )
    frame_start: IntProperty(
        name="Start",
        description="First frame of the contact",
        update=_start_changed,
        override=OVERRIDE,
    )
    frame_end: IntProperty(
        name="End",
        description="Last frame of the contact",
        update=_end_changed,
        override=OVERRIDE,
    )
    level: EnumProperty(
        name="Level",
        description="What to do if the foot is above the source's floor, on a step, box or rung. "
        "Automatic uses the setting of the clip",
        items=LEVELS,
        default="AUTO",
        update=_mark_edited,
        override=OVERRIDE,
    )
    slides: BoolProperty(
        name="Sliding",
        description="Intentional slide: stays grounded but may move",
        update=_mark_edited,
        override=OVERRIDE,
    )
