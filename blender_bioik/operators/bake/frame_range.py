"""The frame range of an operator."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
import math
from typing import Any

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, IntProperty

from ...properties.bake import FRAME_END, FRAME_START, RANGE
from ...rig.errors import RigError
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
        """First and last frame.

        Raises:
            RigError: The range is the action's and there is no action.
        """
        return frames_of(self, context.scene, armature)

    def draw_frames(self, layout: bpy.types.UILayout) -> None:
        """Show the range, and start and end where these are the range."""
        draw_frames(layout, self)


def frames_of(settings: Any, scene: bpy.types.Scene, armature: bpy.types.Object) -> tuple[int, int]:
    """First and last frame of a range, as an operator or an armature's settings have it.

    Raises:
        RigError: The range is the action's and there is no action.
    """
    if settings.range == "CUSTOM":
        return settings.frame_start, settings.frame_end
    if settings.range == "ACTION":
        data = armature.animation_data
        if data is None or data.action is None:
            problem = rpt_('"{}" has no action: choose another range.')
            raise RigError(problem.format(armature.name))
        start, end = data.action.frame_range
        return math.floor(start), math.ceil(end)
    if scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_start, scene.frame_end
