"""Choosing what to do where the clip climbs, and placing feet again."""

import bpy
from bpy.props import EnumProperty

from ...properties.contact import LEVELS
from ...rig.record.bake_record import rebake_problem
from ...rig.steps import Steps
from ...ui_state.chosen_armature import chosen_armature, poll_problem, problem_with
from ..bake.modal_bake import ReportedWork


class BIOIK_OT_choose_levels(ReportedWork, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Place the feet again, with another choice of what to do where the clip climbs"""  # noqa: D415

    bl_idname = "bioik.choose_levels"
    bl_label = "Choose Levels"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # noqa: RUF012 (Blender reads it as it is)

    preparing = "Preparing to place feet again"
    doing = "Placing feet again, step {done} of {total}"
    cancelled = "Foot placement cancelled: Levels are as chosen, the keyframes as before"

    levels: EnumProperty(
        name="Levels", description="What to do where the clip climbs", items=LEVELS
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether feet were placed that can be placed again."""
        armature = chosen_armature(context)
        problem = problem_with(armature)
        if not problem and armature is not None:
            problem = rebake_problem(armature)
        return poll_problem(cls, problem)

    def steps(self, context: bpy.types.Context) -> Steps:
        """Choose, and re-bake."""
        from ...rig.rebake.rebake import rebake_steps

        armature = chosen_armature(context)
        assert armature is not None
        armature.bioik.feet.levels = self.levels
        return self.reported_steps(rebake_steps(context.scene, armature))
