"""Copies of goals: duplicated, or mirrored to the other side of the body.

Modules that need numpy are imported on use, to keep Blender's startup fast.
"""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...translations.sentences import translated
from ...ui_state.chosen_armature import poll_problem
from .goals import poll_goal, rig_of


class BIOIK_OT_duplicate_goal(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Duplicate the active goal; both follow the same target"""  # noqa: D415

    bl_idname = "bioik.duplicate_goal"
    bl_label = "Duplicate Goal"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active goal."""
        return poll_goal(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Insert the copy below, and make it active."""
        from ...rig.goals.goal_order import copy_goal

        rig = rig_of(context)
        try:
            copy_goal(rig.id_data, rig.active_goal)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        rig.active_goal += 1
        return {"FINISHED"}


class BIOIK_OT_mirror_goal(bpy.types.Operator):  # noqa: N801
    """Add or update the mirrored goal for the other side of the body, with a target of its own"""  # noqa: D415

    bl_idname = "bioik.mirror_goal"
    bl_label = "Mirror Goal"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active goal belongs to a side."""
        if not poll_goal(cls, context):
            return False
        rig = rig_of(context)
        if "bone" not in rig.goals[rig.active_goal].kind.uses:
            return poll_problem(
                cls, "The goal controls the whole body: choose one of an arm or a leg"
            )
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add or update it, and make it active."""
        from ...rig.goals.mirrored_goal import mirror_goal

        rig = rig_of(context)
        try:
            mirrored = mirror_goal(context, rig.id_data, rig.active_goal)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        rig.active_goal = mirrored.number
        name = rig.goals[mirrored.number].name
        if not mirrored.is_new:
            self.report({"INFO"}, rpt_('Updated the goal "{}"').format(name))
        elif mirrored.target is not None:
            told = rpt_('Added the goal "{}" with the target "{}"')
            self.report({"INFO"}, told.format(name, mirrored.target.name))
        else:
            self.report({"INFO"}, rpt_('Added the goal "{}"').format(name))
        return {"FINISHED"}
