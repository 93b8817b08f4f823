"""Settings of foot placement as they are kept in the .blend file, on the armature object."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
)

from ..translations import OWN
from .contact import BioIKContact
from .goal import OVERRIDE


class BioIKGround(bpy.types.PropertyGroup):
    """Something that feet stand on: an object or a collection of them."""

    object: PointerProperty(
        name="Object",
        description="Object whose surface feet stand on, with its modifiers",
        type=bpy.types.Object,
        override=OVERRIDE,
    )
    collection: PointerProperty(
        name="Collection",
        description="Collection of objects that feet stand on",
        type=bpy.types.Collection,
        override=OVERRIDE,
    )


class BioIKFeet(bpy.types.PropertyGroup):
    """How feet are placed on the ground."""

    grounds: CollectionProperty(
        name="Ground",
        description="What the character walks on",
        type=BioIKGround,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )
    active_ground: IntProperty(
        name="Active Ground", description="The ground chosen in the list", override=OVERRIDE
    )
    contacts: CollectionProperty(
        name="Contacts",
        description="When which sole point stands on the ground",
        type=BioIKContact,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )
    active_contact: IntProperty(
        name="Active Contact", description="The contact chosen in the list", override=OVERRIDE
    )
    contacts_edited: BoolProperty(
        name="Own Contacts",
        description="Use the contacts as they are here, instead of finding them in the clip",
        override=OVERRIDE,
    )
    floor: EnumProperty(
        name="Source Floor",
        description="Where the floor is that the clip was made on",
        items=(
            ("FOUND", "From Clip", "Where the feet stand in the clip, also if it drifts or tilts"),
            ("HEIGHT", "Height", "At a height that is known"),
        ),
        default="FOUND",
        override=OVERRIDE,
    )
    floor_height: FloatProperty(
        name="Floor Height",
        description="Height of the floor that the clip was made on",
        unit="LENGTH",
        override=OVERRIDE,
    )
    planting: EnumProperty(
        name="Planted Feet",
        description="Whether feet on the ground stay at their places",
        items=(
            ("AUTO", "Automatic", "Locked, unless the clip walks in place"),
            ("LOCKED", "Locked", "Feet on the ground do not move"),
            ("FOLLOW", "Follow Ground", "Feet follow height and slope of the ground, and slide"),
        ),
        default="AUTO",
        override=OVERRIDE,
    )
    slope: FloatProperty(
        name="Follow Slope",
        description="How much of the ground's slope feet take on",
        subtype="FACTOR",
        default=1.0,
        min=0.0,
        max=1.0,
        override=OVERRIDE,
    )
    step_up: FloatProperty(
        name="Highest Step",
        description="Ground higher than this above where feet come from is avoided if there is "
        "other ground near by",
        unit="LENGTH",
        default=0.5,
        min=0.0,
        soft_max=1.0,
        override=OVERRIDE,
    )
    ease: FloatProperty(
        name="Ease",
        translation_context=OWN,
        description="Time over which a planted foot is caught and let go",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        default=0.0,
        min=0.0,
        soft_max=0.2,
        override=OVERRIDE,
    )
    swing: FloatProperty(
        name="Swing Height",
        description="How much of its animated height a swinging foot keeps above the ground",
        subtype="FACTOR",
        default=0.6,
        min=0.0,
        max=1.0,
        override=OVERRIDE,
    )
    pelvis_sideways: FloatProperty(
        name="Pelvis Sideways",
        description="How far the pelvis may move aside without need",
        unit="LENGTH",
        default=0.014,
        min=0.001,
        soft_max=0.2,
        override=OVERRIDE,
    )
    pelvis_tilt: FloatProperty(
        name="Pelvis Tilt",
        description="How far the pelvis may tilt to help the legs reach",
        subtype="ANGLE",
        unit="ROTATION",
        default=0.0,
        min=0.0,
        max=0.785398,
        override=OVERRIDE,
    )
    spine_share: BoolProperty(
        name="Spine Shares",
        description="Let the whole spine take up the pelvis' tilt, not only its first bone; "
        "for this the pelvis must be allowed to tilt",
        override=OVERRIDE,
    )
    hands: EnumProperty(
        name="Hands",
        description="What hands keep to when the body moves up and down",
        items=(
            ("BODY", "With Body", "Hands keep their pose and move with the body"),
            ("WORLD", "In World", "Hands stay at their places in the world, as on a rail"),
        ),
        default="BODY",
        override=OVERRIDE,
    )
    loop: EnumProperty(
        name="Loop",
        description="Whether the clip goes on from its last frame with its first",
        items=(
            ("AUTO", "Automatic", "If its first and last frame are the same"),
            ("ON", "Loop", "It does"),
            ("OFF", "No Loop", "It does not"),
        ),
        default="AUTO",
        override=OVERRIDE,
    )
    plot: BoolProperty(
        name="Plot Quality",
        description="Write the report's numbers as curves of the armature, for the Graph Editor",
        default=True,
        override=OVERRIDE,
    )
    markers: BoolProperty(
        name="Mark Worst Frames",
        description="Put markers on the timeline where something could not be met",
        default=True,
        override=OVERRIDE,
    )
