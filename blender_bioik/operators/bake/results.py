"""Removing a result, or using it as the source of the next one."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...translations.sentences import translated
from ...ui_state.characters import chosen_characters, problem_of_all
from ...ui_state.chosen_armature import poll_problem
from ...ui_state.result_state import keeping_problem, removing_problem


class BIOIK_OT_remove_result(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Remove the result that plays, and play the source exactly as before"""  # noqa: D415

    bl_idname = "bioik.remove_result"
    bl_label = "Remove Result"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a result with a source."""
        return poll_problem(cls, problem_of_all(context, removing_problem))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it, and those of other selected characters."""
        from ...rig.result.give_back import give_source_back

        removed = 0
        for armature in chosen_characters(context):
            if removing_problem(armature):
                continue
            try:
                name = give_source_back(context.scene, armature)
            except RigError as error:
                self.report({"WARNING"}, translated(str(error)))
                continue
            removed += 1
            self.report({"INFO"}, rpt_('Removed the result "{}"').format(name))
        return {"FINISHED"} if removed else {"CANCELLED"}


class BIOIK_OT_use_result_as_source(bpy.types.Operator):  # noqa: N801
    """Keep the result for good: the next bake or foot placement starts from it"""  # noqa: D415

    bl_idname = "bioik.use_result_as_source"
    bl_label = "Use Result as Source"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a result."""
        return poll_problem(cls, problem_of_all(context, keeping_problem))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget what it was made from, also for other selected characters."""
        from ...rig.result.give_back import use_result_as_source

        names: list[str] = []
        for armature in chosen_characters(context):
            if not keeping_problem(armature):
                names += use_result_as_source(armature)
        self.report({"INFO"}, rpt_('"{}" is a source now').format('", "'.join(names)))
        return {"FINISHED"}
