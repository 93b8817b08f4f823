"""Bake settings stored on the armature object: frame range and output."""

import math

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ..translations import OWN
from .goal import OVERRIDE

# Definitions shared by settings and operators. Start, end and step have the names and defaults of
# Blender's own `nla.bake`.
RANGE = {
    "name": "Range",
    "description": "Frames to process",
    "items": (
        ("SCENE", "Scene", "The scene's frame range, or its preview range if enabled"),
        (
            "ACTION",
            "Clip",
            "The frames of the armature's own animation: its action and NLA strips. Those of the "
            "scene where the animation repeats, or has no frames of its own",
        ),
        ("CUSTOM", "Custom", "The frames from Start Frame to End Frame"),
    ),
    "default": "ACTION",
}
FRAME_START = {"name": "Start Frame", "description": "First frame", "default": 1}
FRAME_END = {"name": "End Frame", "description": "Last frame", "default": 250}
STEP = {
    "name": "Frame Step",
    "description": "Number of frames from one keyframe to the next",
    "default": 1,
    "min": 1,
    "soft_max": 10,
}
OUTPUT = {
    "name": "Output",
    "description": "Where to write the keyframes",
    "items": (
        (
            "NEW_ACTION",
            "New Action",
            "Write to a copy of the action and keep the original unchanged",
        ),
        ("IN_PLACE", "In Place", "Overwrite the action's keyframes within the range"),
        ("LAYER", "Layer", "Write to an NLA strip that combines with the action below it"),
    ),
    "default": "NEW_ACTION",
}
BLEND_IN = {
    "name": "Blend In",
    "description": "Number of frames over which the correction is blended in at the start",
    "min": 0,
    "soft_max": 50,
}
BLEND_OUT = {
    "name": "Blend Out",
    "description": "Number of frames over which the correction is blended out at the end",
    "min": 0,
    "soft_max": 50,
}
MUTE_CONSTRAINTS = {
    "name": "Mute Constraints",
    "description": "Mute constraints of the baked bones, which would otherwise be evaluated on "
    "top of the keyframes",
    "default": True,
}
KEYS = {
    "name": "Keyframes",
    "translation_context": OWN,
    "description": "How many keyframes to write",
    "items": (
        ("ALL", "Every Frame", "A keyframe on every frame"),
        ("FEW", "Few", "Few Bezier keyframes that stay within a tolerance, to be edited by hand"),
    ),
    "default": "ALL",
}
TOLERANCE = {
    "name": "Tolerance",
    "description": "How far feet, hands and other ends of limbs may be off with few keyframes; "
    "half of that while they are planted. The default is in proportion to the character",
    "unit": "LENGTH",
    "precision": 4,
    "default": 0.0005,
    "min": 0.00001,
    "soft_max": 0.01,
}
TOLERANCE_ANGLE = {
    "name": "Tolerance Angle",
    "description": "How far feet, hands and other ends of limbs may be turned with few keyframes",
    "subtype": "ANGLE",
    "unit": "ROTATION",
    "default": math.radians(0.1),
    "min": math.radians(0.001),
    "soft_max": math.radians(5.0),
}


class BioIKBake(bpy.types.PropertyGroup):
    """Settings of a bake."""

    range: EnumProperty(**RANGE, override=OVERRIDE)
    frame_start: IntProperty(**FRAME_START, override=OVERRIDE)
    frame_end: IntProperty(**FRAME_END, override=OVERRIDE)
    step: IntProperty(**STEP, override=OVERRIDE)
    output: EnumProperty(**OUTPUT, override=OVERRIDE)
    blend_in: IntProperty(**BLEND_IN, override=OVERRIDE)
    blend_out: IntProperty(**BLEND_OUT, override=OVERRIDE)
    mute_constraints: BoolProperty(**MUTE_CONSTRAINTS, override=OVERRIDE)
    keys: EnumProperty(**KEYS, override=OVERRIDE)
    tolerance: FloatProperty(**TOLERANCE, override=OVERRIDE)
    tolerance_angle: FloatProperty(**TOLERANCE_ANGLE, override=OVERRIDE)
    rebake_blend: IntProperty(
        name="Blend",
        description="Number of frames around the changed ones over which the old result blends "
        "into the new one",
        default=8,
        min=0,
        soft_max=50,
        override=OVERRIDE,
    )
    report: StringProperty(
        name="Report",
        description="Report of the last bake or foot placement, as JSON",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
    known: StringProperty(
        name="Known",
        description="What is known about the clip since its contacts were detected, as JSON",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
