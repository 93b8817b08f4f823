"""Frame range and output options of operators."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from ...properties.bake import BLEND_IN, BLEND_OUT, MUTE_CONSTRAINTS, OUTPUT, STEP
from ...translations import OWN
from .frame_range import FORGOTTEN, FrameRange

if TYPE_CHECKING:
    from ...rig.source.options import BakeOptions


class KeyOptions(FrameRange):
    """Properties of operators that solve a clip and insert keyframes."""

    step: IntProperty(**STEP, options=FORGOTTEN)
    output: EnumProperty(**OUTPUT, options=FORGOTTEN)
    blend_in: IntProperty(**BLEND_IN, options=FORGOTTEN)
    blend_out: IntProperty(**BLEND_OUT, options=FORGOTTEN)
    mute_constraints: BoolProperty(**MUTE_CONSTRAINTS, options=FORGOTTEN)

    def draw_options(self, layout: bpy.types.UILayout) -> None:
        """Show all of them."""
        layout.use_property_split = True
        self.draw_frames(layout)
        layout.prop(self, "step")
        layout.prop(self, "output")
        column = layout.column(align=True)
        column.prop(self, "blend_in")
        column.prop(self, "blend_out", text="Out", text_ctxt=OWN)
        layout.prop(self, "mute_constraints")

    def bake_options(self, context: bpy.types.Context, armature: bpy.types.Object) -> "BakeOptions":
        """The options of a bake; values that are not given come from the armature's settings."""
        from ...rig.source.options import BakeOptions

        self.take_settings(armature)
        start, end = self.chosen_frames(context, armature)
        return BakeOptions(
            start, end, self.step, self.output, self.blend_in, self.blend_out, self.mute_constraints
        )
