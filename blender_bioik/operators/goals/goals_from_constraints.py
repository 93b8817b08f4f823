"""The rig's constraints as goals of the armature."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.blender.scene_state import selected_bones
from ...rig.goals.constraint_goals import ConstraintGoal, animated_influences, constraint_goals
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem


class BIOIK_OT_goals_from_constraints(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Add goals that do what the rig's own constraints do; the constraints are kept"""  # noqa: D415

    bl_idname = "bioik.goals_from_constraints"
    bl_label = "Goals from Constraints"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature with constraints."""
        if not poll_armature(cls, context):
            return False
        armature = chosen_armature(context)
        if armature is None or not any(len(bone.constraints) for bone in armature.pose.bones):
            return poll_problem(cls, "No bone of the armature has a constraint")
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add the missing goals, and report the constraints that cannot be goals."""
        armature = chosen_armature(context)
        assert armature is not None
        rig = armature.bioik
        bones = selected_bones(armature) if rig.solver.scope == "SELECTED" else None
        goals, unsupported = constraint_goals(armature, bones)
        there = {(goal.name, goal.type, goal.bone) for goal in rig.goals}
        new = [goal for goal in goals if (goal.name, goal.type, goal.bone) not in there]
        for goal in new:
            _add(rig, goal)
        for missing in unsupported + animated_influences(armature, new):
            self.report({"WARNING"}, translated(missing.note))
        if not new:
            self.report(
                {"WARNING"},
                "No constraint can be a goal: press Check Constraints in Rig to see why",
            )
            return {"CANCELLED"}
        rig.active_goal = len(rig.goals) - 1
        self.report({"INFO"}, rpt_("Goals added from constraints: {}").format(len(new)))
        return {"FINISHED"}


def _add(rig: bpy.types.PropertyGroup, goal: ConstraintGoal) -> None:
    added = rig.goals.add()
    for name, value in goal.properties.items():
        setattr(added, name, value)
