"""Which frames are solved, and where the keys go."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from .frame_range import FrameRange

if TYPE_CHECKING:
    from ..rig.bake import BakeOptions

OUTPUTS = (
    ("NEW_ACTION", "New Action", "Into a copy of the action, which is kept as it is"),
    ("IN_PLACE", "In Place", "Over the action's own keys in the range"),
    ("LAYER", "Layer", "Into an NLA strip that combines with the action below it"),
)


class KeyOptions(FrameRange):
    """Properties of operators that solve a clip and write keys."""

    step: IntProperty(
        name="Frame Step", description="Frames from one key to the next", default=1, min=1
    )
    output: EnumProperty(
        name="Output", description="Where the keys go", items=OUTPUTS, default="NEW_ACTION"
    )
    blend_in: IntProperty(
        name="Blend In",
        description="Frames at the start over which the correction grows from nothing",
        min=0,
        soft_max=50,
    )
    blend_out: IntProperty(
        name="Blend Out",
        description="Frames at the end over which the correction shrinks to nothing",
        min=0,
        soft_max=50,
    )
    mute_constraints: BoolProperty(
        name="Mute Constraints",
        description="Mute constraints of the baked bones, which would act on top of the keys",
        default=True,
    )

    def draw_options(self, layout: bpy.types.UILayout) -> None:
        """Show all of them."""
        layout.use_property_split = True
        self.draw_frames(layout)
        layout.prop(self, "step")
        layout.prop(self, "output")
        column = layout.column(align=True)
        column.prop(self, "blend_in")
        column.prop(self, "blend_out", text="Out")
        layout.prop(self, "mute_constraints")

    def bake_options(self, context: bpy.types.Context, armature: bpy.types.Object) -> "BakeOptions":
        """The same as `rig.bake` takes them.

        Raises:
            RigError: The frames of an action are meant and there is none.
        """
        from ..rig.bake import BakeOptions

        start, end = self.chosen_frames(context, armature)
        return BakeOptions(
            start, end, self.step, self.output, self.blend_in, self.blend_out, self.mute_constraints
        )
