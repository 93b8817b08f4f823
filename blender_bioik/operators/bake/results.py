"""Removing a result, or using it as the source of the next one."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, poll_problem
from ...ui_state.result_state import keeping_problem, removing_problem


class BIOIK_OT_remove_result(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Remove the result that plays, and play the source exactly as before"""  # noqa: D415

    bl_idname = "bioik.remove_result"
    bl_label = "Remove Result"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a result with a source."""
        return poll_problem(cls, removing_problem(chosen_armature(context)))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        from ...rig.result.give_back import give_source_back

        armature = chosen_armature(context)
        assert armature is not None
        try:
            name = give_source_back(context.scene, armature)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        self.report({"INFO"}, rpt_('Removed the result "{}"').format(name))
        return {"FINISHED"}


class BIOIK_OT_use_result_as_source(bpy.types.Operator):  # noqa: N801
    """Keep the result for good: the next bake or foot placement starts from it"""  # noqa: D415

    bl_idname = "bioik.use_result_as_source"
    bl_label = "Use Result as Source"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a result."""
        return poll_problem(cls, keeping_problem(chosen_armature(context)))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget what it was made from."""
        from ...rig.result.give_back import use_result_as_source

        armature = chosen_armature(context)
        assert armature is not None
        names = use_result_as_source(armature)
        self.report({"INFO"}, rpt_('"{}" is a source now').format('", "'.join(names)))
        return {"FINISHED"}
