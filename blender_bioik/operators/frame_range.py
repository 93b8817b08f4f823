"""The frames an operator works on."""

import bpy
from bpy.props import EnumProperty, IntProperty

RANGES = (
    ("SCENE", "Scene", "The scene's frames, or its preview range if that is on"),
    ("ACTION", "Action", "The frames of the armature's action"),
    ("CUSTOM", "Custom", "From the start frame to the end frame"),
)


class FrameRange:
    """Properties of operators that work on a range of frames."""

    range: EnumProperty(
        name="Range", description="Which frames to work on", items=RANGES, default="SCENE"
    )
    frame_start: IntProperty(name="Start Frame", description="First frame", default=1)
    frame_end: IntProperty(name="End Frame", description="Last frame", default=250)

    def chosen_frames(
        self, context: bpy.types.Context, armature: bpy.types.Object
    ) -> tuple[int, int]:
        """First and last frame."""
        scene, data = context.scene, armature.animation_data
        if self.range == "CUSTOM":
            return self.frame_start, self.frame_end
        if self.range == "ACTION" and data is not None and data.action is not None:
            start, end = data.action.frame_range
            return int(start), int(end)
        if scene.use_preview_range:
            return scene.frame_preview_start, scene.frame_preview_end
        return scene.frame_start, scene.frame_end
