"""What the last bake came from and went to, kept in the .blend file, on the armature object."""

import bpy
from bpy.props import IntProperty, PointerProperty, StringProperty

from .goal import OVERRIDE


class BioIKBaked(bpy.types.PropertyGroup):
    """The last bake of an armature, for what compares its result with its source."""

    source: PointerProperty(
        name="Source",
        description="The action that was baked; none if it was changed in place",
        type=bpy.types.Action,
        override=OVERRIDE,
    )
    result: PointerProperty(
        name="Result",
        description="The action that holds the baked keys",
        type=bpy.types.Action,
        override=OVERRIDE,
    )
    frame_start: IntProperty(name="Start", description="First baked frame", override=OVERRIDE)
    frame_end: IntProperty(name="End", description="Last baked frame", override=OVERRIDE)
    run: IntProperty(
        name="Run",
        description="Number of the bake, one more each time; undo takes it back",
        override=OVERRIDE,
    )
    inputs: StringProperty(
        name="Inputs",
        description="What the bake was made from, frame by frame, to tell which frames change",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
