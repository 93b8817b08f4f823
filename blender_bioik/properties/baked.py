"""Source and result of the last bake, stored on the armature object."""

import bpy
from bpy.props import IntProperty, PointerProperty, StringProperty

from .goal import OVERRIDE


class BioIKBaked(bpy.types.PropertyGroup):
    """The last bake of an armature, to compare its result with its source."""

    source: PointerProperty(
        name="Source",
        description="Action that was baked; empty if it was baked in place",
        type=bpy.types.Action,
        override=OVERRIDE,
    )
    result: PointerProperty(
        name="Result",
        description="Action that contains the baked keyframes",
        type=bpy.types.Action,
        override=OVERRIDE,
    )
    frame_start: IntProperty(name="Start", description="First baked frame", override=OVERRIDE)
    frame_end: IntProperty(name="End", description="Last baked frame", override=OVERRIDE)
    run: IntProperty(
        name="Run",
        description="Number of the bake, incremented by each bake and restored by undo",
        override=OVERRIDE,
    )
    inputs: StringProperty(
        name="Inputs",
        description="Digest of the bake's inputs for each frame, to detect changed frames",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
