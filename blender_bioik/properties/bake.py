"""Which frames are baked and where the keys go, as it is kept on the armature object."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from .goal import OVERRIDE

# What settings and operators have in common. Start, end and step have the names and defaults they
# have in Blender's own `nla.bake`.
RANGE = {
    "name": "Range",
    "description": "Which frames to work on",
    "items": (
        ("SCENE", "Scene", "The scene's frames, or its preview range if that is on"),
        ("ACTION", "Action", "The frames of the armature's action"),
        ("CUSTOM", "Custom", "From the start frame to the end frame"),
    ),
    "default": "SCENE",
}
FRAME_START = {"name": "Start Frame", "description": "First frame", "default": 1}
FRAME_END = {"name": "End Frame", "description": "Last frame", "default": 250}
STEP = {
    "name": "Frame Step",
    "description": "Frames from one key to the next",
    "default": 1,
    "min": 1,
    "soft_max": 10,
}
OUTPUT = {
    "name": "Output",
    "description": "Where the keys go",
    "items": (
        ("NEW_ACTION", "New Action", "Into a copy of the action, which is kept as it is"),
        ("IN_PLACE", "In Place", "Over the action's own keys in the range"),
        ("LAYER", "Layer", "Into an NLA strip that combines with the action below it"),
    ),
    "default": "NEW_ACTION",
}
BLEND_IN = {
    "name": "Blend In",
    "description": "Frames at the start over which the correction grows from nothing",
    "min": 0,
    "soft_max": 50,
}
BLEND_OUT = {
    "name": "Blend Out",
    "description": "Frames at the end over which the correction shrinks to nothing",
    "min": 0,
    "soft_max": 50,
}
MUTE_CONSTRAINTS = {
    "name": "Mute Constraints",
    "description": "Mute constraints of the baked bones, which would act on top of the keys",
    "default": True,
}


class BioIKBake(bpy.types.PropertyGroup):
    """What is baked and where to."""

    range: EnumProperty(**RANGE, override=OVERRIDE)
    frame_start: IntProperty(**FRAME_START, override=OVERRIDE)
    frame_end: IntProperty(**FRAME_END, override=OVERRIDE)
    step: IntProperty(**STEP, override=OVERRIDE)
    output: EnumProperty(**OUTPUT, override=OVERRIDE)
    blend_in: IntProperty(**BLEND_IN, override=OVERRIDE)
    blend_out: IntProperty(**BLEND_OUT, override=OVERRIDE)
    mute_constraints: BoolProperty(**MUTE_CONSTRAINTS, override=OVERRIDE)
    rebake_blend: IntProperty(
        name="Blend",
        description="Frames beside the changed ones over which the old result becomes the new",
        default=8,
        min=0,
        soft_max=50,
        override=OVERRIDE,
    )
    report: StringProperty(
        name="Report",
        description="What the last bake or placing of feet reached, as JSON",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
