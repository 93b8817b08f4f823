"""Settings of foot placement, stored on the armature object."""

from collections.abc import Callable
from typing import Any

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
from .contact import LEVELS, BioIKContact
from .goal import OVERRIDE

# Each returns the size of a character relative to one of 1.6 m. The shared UI state registers here:
# it reads these settings, so they must not import it.
SIZES: list[Callable[[bpy.types.Object], float]] = []


class BioIKGround(bpy.types.PropertyGroup):
    """Ground for the feet: an object or a collection."""

    object: PointerProperty(
        name="Object",
        description="Object to use as ground, including its modifiers",
        type=bpy.types.Object,
        override=OVERRIDE,
    )
    collection: PointerProperty(
        name="Collection",
        description="Collection whose objects are used as ground",
        type=bpy.types.Collection,
        override=OVERRIDE,
    )


class BioIKFeet(bpy.types.PropertyGroup):
    """Settings of foot placement."""

    grounds: CollectionProperty(
        name="Ground",
        description="Objects and collections that the character walks on",
        type=BioIKGround,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )
    active_ground: IntProperty(
        name="Active Ground", description="Active item in the list of grounds", override=OVERRIDE
    )
    contacts: CollectionProperty(
        name="Contacts",
        description="Frame ranges in which each sole point is on the ground",
        type=BioIKContact,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )
    active_contact: IntProperty(
        name="Active Contact", description="Active item in the list of contacts", override=OVERRIDE
    )
    contacts_edited: BoolProperty(
        name="Use Edited Contacts",
        description="Use the contacts in this list instead of detecting them in the clip",
        override=OVERRIDE,
    )
    floor: EnumProperty(
        name="Source Floor",
        description="Floor that the clip was animated on",
        items=(
            (
                "FOUND",
                "From Clip",
                "Estimate the floor from the feet in the clip, even if it drifts or tilts",
            ),
            ("HEIGHT", "Height", "Use a fixed height"),
        ),
        default="FOUND",
        override=OVERRIDE,
    )
    floor_height: FloatProperty(
        name="Floor Height",
        description="Height of the floor that the clip was animated on",
        unit="LENGTH",
        override=OVERRIDE,
    )
    levels: EnumProperty(
        name="Levels",
        description="What to do with steps, boxes and rungs that the clip climbs",
        items=LEVELS,
        default="AUTO",
        override=OVERRIDE,
    )
    body_contacts: BoolProperty(
        name="Body Contacts",
        description="Hands, knees, seat, back and other parts that rest on the floor in the clip, "
        "or above it on something that the ground has, rest on the ground as feet do",
        default=True,
        override=OVERRIDE,
    )
    planting: EnumProperty(
        name="Planted Feet",
        description="How feet behave while they are on the ground",
        items=(
            ("AUTO", "Automatic", "Locked, unless the clip is animated in place"),
            ("LOCKED", "Locked", "Feet do not move while they are on the ground"),
            (
                "FOLLOW",
                "Follow Ground",
                "Feet follow the height and slope of the ground and may slide",
            ),
        ),
        default="AUTO",
        override=OVERRIDE,
    )
    slope: FloatProperty(
        name="Follow Slope",
        description="How strongly feet align with the slope of the ground",
        subtype="FACTOR",
        default=1.0,
        min=0.0,
        max=1.0,
        override=OVERRIDE,
    )
    step_up: FloatProperty(
        name="Max Step Height",
        description="Avoid steps higher than this where lower ground is nearby",
        unit="LENGTH",
        default=0.5,
        min=0.0,
        soft_max=1.0,
        override=OVERRIDE,
    )
    ease: FloatProperty(
        name="Ease",
        translation_context=OWN,
        description="Time to blend into and out of a foot lock",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        default=0.0,
        min=0.0,
        soft_max=0.2,
        override=OVERRIDE,
    )
    smooth: FloatProperty(
        name="Smooth Source",
        description="Time over which the movement of pelvis and legs is averaged before feet are "
        "placed, against the noise of recordings. It also softens quick movements",
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
        default=0.0,
        min=0.0,
        soft_max=0.1,
        override=OVERRIDE,
    )
    swing: FloatProperty(
        name="Swing Height",
        description="How much of its animated height a foot keeps while it swings over the ground",
        subtype="FACTOR",
        default=0.6,
        min=0.0,
        max=1.0,
        override=OVERRIDE,
    )
    pelvis_sideways: FloatProperty(
        name="Pelvis Sideways",
        description="Sideways pelvis movement allowed for comfort",
        unit="LENGTH",
        default=0.014,
        min=0.001,
        soft_max=0.2,
        override=OVERRIDE,
    )
    pelvis_tilt: FloatProperty(
        name="Pelvis Tilt",
        description="Maximum pelvis tilt to help the legs reach the ground",
        subtype="ANGLE",
        unit="ROTATION",
        default=0.0,
        min=0.0,
        max=0.785398,
        override=OVERRIDE,
    )
    lean: FloatProperty(
        name="Lean",
        translation_context=OWN,
        description="How much of the ground's slope the upper body leans with: forward uphill, "
        "back downhill. The head keeps looking ahead. 0 keeps the upper body as animated",
        subtype="FACTOR",
        default=0.3,
        min=0.0,
        max=1.0,
        override=OVERRIDE,
    )
    spine_share: BoolProperty(
        name="Distribute Tilt Along Spine",
        description="Distribute the pelvis tilt along the whole spine instead of its first bone "
        "only; requires a Pelvis Tilt above zero",
        override=OVERRIDE,
    )
    hands: EnumProperty(
        name="Hands",
        description="How hands behave when the body moves up or down",
        items=(
            ("BODY", "With Body", "Hands keep their pose and move with the body"),
            ("WORLD", "In World", "Hands stay in place in world space, for example on a rail"),
        ),
        default="BODY",
        override=OVERRIDE,
    )
    write_to: EnumProperty(
        name="Write To",
        description="What gets the keyframes of legs that are moved by IK",
        items=(
            (
                "CONTROLS",
                "Controls",
                "Keyframe the rig's own controls: feet, toes, poles and body; the legs stay in IK",
            ),
            ("FK", "FK", "Keyframe the FK controls and switch the legs to FK"),
        ),
        default="CONTROLS",
        override=OVERRIDE,
    )
    loop: EnumProperty(
        name="Loop",
        description="Whether the clip continues from its last frame to its first",
        items=(
            ("AUTO", "Automatic", "Treat as a loop if the first and last frames match"),
            ("ON", "Loop", "Treat as a loop"),
            ("OFF", "No Loop", "Do not loop"),
        ),
        default="AUTO",
        override=OVERRIDE,
    )
    plot: BoolProperty(
        name="Plot Quality",
        description="Write the report's metrics as F-curves on the armature, to view in the Graph "
        "Editor",
        default=True,
        override=OVERRIDE,
    )
    markers: BoolProperty(
        name="Mark Worst Frames",
        description="Add timeline markers to the frames with the largest errors",
        default=True,
        override=OVERRIDE,
    )


def _length(name: str) -> dict[str, Any]:
    """The definition of a length that is shown in the size of the character until it is set."""

    def get(self: bpy.types.PropertyGroup) -> float:
        feet = self.id_data.bioik.feet
        value: float = getattr(feet, name)
        if feet.is_property_set(name) or not SIZES:
            return value
        return value * SIZES[0](self.id_data)

    def set_(self: bpy.types.PropertyGroup, value: float) -> None:
        setattr(self.id_data.bioik.feet, name, value)

    return {"get": get, "set": set_, "unit": "LENGTH", "override": OVERRIDE}


class BioIKLengths(bpy.types.PropertyGroup):
    """Lengths of foot placement as they are for the character: nothing is stored here."""

    step_up: FloatProperty(
        name="Max Step Height",
        description="Avoid steps higher than this where lower ground is nearby. By default in "
        "proportion to the character's legs",
        min=0.0,
        soft_max=1.0,
        **_length("step_up"),
    )
    pelvis_sideways: FloatProperty(
        name="Pelvis Sideways",
        description="Sideways pelvis movement allowed for comfort. By default in proportion to the "
        "character's legs",
        min=0.001,
        soft_max=0.2,
        **_length("pelvis_sideways"),
    )
