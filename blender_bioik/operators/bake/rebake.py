"""Bake again only the frames that have changed since the last bake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...rig.record.bake_record import stored_inputs
from ...ui_state.chosen_armature import chosen_armature, poll_problem
from ...ui_state.problems import rebaking_problem
from ..long_work import LongWork, Steps

if TYPE_CHECKING:
    from ...rig.report.foot_report import FootReport
    from ...rig.report.report import BakeReport


class BIOIK_OT_rebake(LongWork, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Bake only the frames that have changed since the last bake, into its result"""  # noqa: D415

    bl_idname = "bioik.rebake"
    bl_label = "Re-Bake Changed Frames"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    preparing = "Preparing to bake again"
    doing = "Baking again, step {done} of {total}"
    cancelled = "Baking again cancelled, nothing has changed"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether something was baked and may have changed."""
        return poll_problem(cls, rebaking_problem(context))

    def steps(self, context: bpy.types.Context) -> Steps:
        """The steps of `rig.rebake`, or of `rig.rebake_feet`."""
        armature = chosen_armature(context)
        assert armature is not None
        inputs = stored_inputs(armature)
        if inputs is not None and inputs.feet:
            from ...rig.feet.rebake_feet import reading_refoot, solve_refoot, write_refoot

            return Steps(
                reading_refoot(context.scene, armature),
                solve_refoot,
                lambda plan, solved, _seconds: self._finish(write_refoot(plan, solved)),
            )
        from ...rig.bake.rebake import reading_rebake, solve_rebake, write_rebake

        return Steps(
            reading_rebake(context.scene, armature),
            solve_rebake,
            lambda *solved: self._finish(write_rebake(*solved)),
        )

    def _finish(self, report: BakeReport | FootReport) -> set[str]:
        for note in report.notes:
            self.tell("INFO", note)
        self.tell("WARNING" if report.missed else "INFO", report.summary())
        return {"FINISHED"}
