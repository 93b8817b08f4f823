"""Comparing a result with its source."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, poll_problem
from ...ui_state.result_state import comparing_problem


class BIOIK_OT_compare(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Switch between the result and its source; both are kept"""  # noqa: D415

    bl_idname = "bioik.compare"
    bl_label = "Compare Result with Source"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a result, and its source."""
        return poll_problem(cls, comparing_problem(chosen_armature(context)))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Show the other one."""
        from ...rig.result.compare import show_other

        armature = chosen_armature(context)
        assert armature is not None
        try:
            shown = show_other(armature)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        self.report({"INFO"}, rpt_("The result plays") if shown else rpt_("The source plays"))
        return {"FINISHED"}
