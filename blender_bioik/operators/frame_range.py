"""The frames an operator works on."""

import math
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ..rig.errors import RigError

RANGES = (
    ("SCENE", "Scene", "The scene's frames, or its preview range if that is on"),
    ("ACTION", "Action", "The frames of the armature's action"),
    ("CUSTOM", "Custom", "From the start frame to the end frame"),
)


class FrameRange:
    """Properties of operators that work on a range of frames.

    Start and end frame have the names and defaults they have in Blender's own `nla.bake`. A script
    that gives one of them and no range means these frames.
    """

    range: EnumProperty(
        name="Range", description="Which frames to work on", items=RANGES, default="SCENE"
    )
    frame_start: IntProperty(name="Start Frame", description="First frame", default=1)
    frame_end: IntProperty(name="End Frame", description="Last frame", default=250)

    def chosen_frames(
        self, context: bpy.types.Context, armature: bpy.types.Object
    ) -> tuple[int, int]:
        """First and last frame.

        Raises:
            RigError: The frames of an action are meant and there is none.
        """
        scene = context.scene
        kind = self._chosen_range()
        if kind == "CUSTOM":
            return self.frame_start, self.frame_end
        if kind == "ACTION":
            data = armature.animation_data
            if data is None or data.action is None:
                raise RigError(f'"{armature.name}" has no action: choose another range.')
            start, end = data.action.frame_range
            return math.floor(start), math.ceil(end)
        if scene.use_preview_range:
            return scene.frame_preview_start, scene.frame_preview_end
        return scene.frame_start, scene.frame_end

    def draw_frames(self, layout: bpy.types.UILayout) -> None:
        """Show the range, and start and end where these are the range."""
        layout.prop(self, "range")
        if self._chosen_range() == "CUSTOM":
            column = layout.column(align=True)
            column.prop(self, "frame_start")
            column.prop(self, "frame_end", text="End")

    def _chosen_range(self) -> str:
        given: Any = self.properties.is_property_set  # type: ignore[attr-defined]
        if not given("range") and (given("frame_start") or given("frame_end")):
            return "CUSTOM"
        return str(self.range)
