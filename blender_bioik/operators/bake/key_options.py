"""Frame range and output options of operators."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from ...properties.bake import (
    BLEND_IN,
    BLEND_OUT,
    KEYS,
    MUTE_CONSTRAINTS,
    OUTPUT,
    STEP,
    TOLERANCE,
    TOLERANCE_ANGLE,
)
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
    keys: EnumProperty(**KEYS, options=FORGOTTEN)
    tolerance: FloatProperty(**TOLERANCE, options=FORGOTTEN)
    tolerance_angle: FloatProperty(**TOLERANCE_ANGLE, options=FORGOTTEN)

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
        layout.prop(self, "keys")
        if self.keys == "FEW":
            column = layout.column(align=True)
            column.prop(self, "tolerance")
            column.prop(self, "tolerance_angle", text="Angle")

    def bake_options(self, context: bpy.types.Context, armature: bpy.types.Object) -> "BakeOptions":
        """The options of a bake; values that are not given come from the armature's settings."""
        from ...rig.source.options import BakeOptions, Tolerance

        given = self.properties.is_property_set("tolerance")  # type: ignore[attr-defined]
        given |= armature.bioik.bake.is_property_set("tolerance")
        self.take_settings(armature)
        start, end = self.chosen_frames(context, armature)
        few = Tolerance(self.tolerance if given else None, self.tolerance_angle)
        return BakeOptions(
            start,
            end,
            self.step,
            self.output,
            self.blend_in,
            self.blend_out,
            self.mute_constraints,
            few if self.keys == "FEW" else None,
        )
