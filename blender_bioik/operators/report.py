"""Operators of the last report."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
import json

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import IntProperty

from ..ui_state.chosen_armature import chosen_armature, poll_problem
from ..ui_state.running import work_problem


class BIOIK_OT_go_to_frame(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Go to the frame with the worst value"""  # noqa: D415

    bl_idname = "bioik.go_to_frame"
    bl_label = "Go to Frame"
    # Consecutive jumps are one undo step, as with Blender's own frame jumps.
    bl_options = {"UNDO_GROUPED", "INTERNAL"}  # noqa: RUF012 (Blender reads it as it is)
    bl_undo_group = "Frame Change"

    frame: IntProperty(name="Frame", description="Frame to go to", options={"SKIP_SAVE"})

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """The tooltip, with the frame."""
        return pgettext_tip("Go to frame {}, which has the worst value").format(properties.frame)

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Whether no operation that changes frames itself is running."""
        return poll_problem(cls, work_problem())

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Go there."""
        context.scene.frame_set(self.frame)
        return {"FINISHED"}


class BIOIK_OT_copy_report(bpy.types.Operator):  # noqa: N801
    """Copy the full report to the clipboard as JSON"""  # noqa: D415

    bl_idname = "bioik.copy_report"
    bl_label = "Copy Report as JSON"
    bl_options = {"REGISTER", "INTERNAL"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a report."""
        armature = chosen_armature(context)
        there = armature is not None and armature.bioik.bake.report
        return poll_problem(cls, "" if there else "Bake goals or place feet first")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Put it on the clipboard."""
        armature = chosen_armature(context)
        assert armature is not None
        context.window_manager.clipboard = report_json(armature)
        self.report({"INFO"}, "Report copied to the clipboard")
        return {"FINISHED"}


def report_json(armature: bpy.types.Object) -> str:
    """An armature's report as indented JSON; a broken one as stored."""
    text: str = armature.bioik.bake.report
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        return text
