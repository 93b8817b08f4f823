"""The frame range of an operator."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty

from ...properties.bake import FRAME_END, FRAME_START, RANGE
from ...rig.keys.clip_frames import chosen_frames
from ...ui_state.frame_range import draw_frames

# Operators do not remember their last values: the settings on the armature count.
FORGOTTEN = {"SKIP_SAVE"}


class FrameRange:
    """Properties of operators that work on a range of frames.

    Values that are not given come from the armature's settings (`Object.bioik.bake`). A script that
    gives a start or end frame and no range means these frames.
    """

    range: EnumProperty(**RANGE, options=FORGOTTEN)
    frame_start: IntProperty(**FRAME_START, options=FORGOTTEN)
    frame_end: IntProperty(**FRAME_END, options=FORGOTTEN)

    def take_settings(self, armature: bpy.types.Object) -> None:
        """Copy values that are not given from an armature's settings."""
        properties: Any = self.properties  # type: ignore[attr-defined]
        given = properties.is_property_set
        if not given("range") and (given("frame_start") or given("frame_end")):
            self.range = "CUSTOM"
        settings = armature.bioik.bake
        for prop in settings.bl_rna.properties:
            name = prop.identifier
            if name in properties.bl_rna.properties and not prop.is_readonly and not given(name):
                setattr(self, name, getattr(settings, name))

    def chosen_frames(
        self, context: bpy.types.Context, armature: bpy.types.Object
    ) -> tuple[int, int]:
        """First and last frame."""
        return chosen_frames(self, context.scene, armature)

    def draw_frames(self, layout: bpy.types.UILayout) -> None:
        """Show the range, and start and end where these are the range."""
        draw_frames(layout, self)
