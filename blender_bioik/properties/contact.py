"""Contacts as they are kept in the .blend file: when which sole point stands on the ground."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from .goal import OVERRIDE


def _mark_edited(contact: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    """Keep what the user has changed from being found anew."""
    contact.id_data.bioik.feet.contacts_edited = True


class BioIKContact(bpy.types.PropertyGroup):
    """A sole point that stands on the ground for some frames."""

    foot: StringProperty(
        name="Foot",
        description="Name of the leg, as in leg.L",
        update=_mark_edited,
        override=OVERRIDE,
    )
    point: EnumProperty(
        name="Sole Point",
        description="The part of the foot that stands",
        items=(
            ("HEEL", "Heel", "The heel"),
            ("BALL", "Ball", "The ball, which a planted foot is locked by"),
            ("TIP", "Tip", "The tip of the toes"),
        ),
        default="BALL",
        update=_mark_edited,
        override=OVERRIDE,
    )
    frame_start: IntProperty(
        name="Start",
        description="First frame in which it stands",
        update=_mark_edited,
        override=OVERRIDE,
    )
    frame_end: IntProperty(
        name="End",
        description="Last frame in which it stands",
        update=_mark_edited,
        override=OVERRIDE,
    )
    slides: BoolProperty(
        name="Slides",
        description="It slides on purpose: it stays on the ground, but not at its place",
        update=_mark_edited,
        override=OVERRIDE,
    )
