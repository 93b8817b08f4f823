"""Bake again only the frames that have changed since the last bake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import contexts, pgettext_iface

from ...rig.record.bake_record import rebake_problem, stored_inputs
from ...rig.watch.change_watch import known_change
from ...ui_state.chosen_armature import chosen_armature, poll_problem, problem_with
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


def rebaking_problem(context: bpy.types.Context) -> str:
    """Why nothing can be baked again, with the way out; nothing if it can."""
    armature = chosen_armature(context)
    if problem := problem_with(armature):
        return problem
    assert armature is not None
    if problem := rebake_problem(armature):
        return problem
    change = known_change(armature)
    unchanged = change is not None and change.first is None
    return "Nothing has changed since the last bake" if unchanged else ""


def rebaking_text(armature: Any) -> str:
    """What the button says: the frames that have changed, where they are known."""
    change = known_change(armature)
    if change is None or change.first is None or rebake_problem(armature):
        return pgettext_iface(BIOIK_OT_rebake.bl_label, contexts.operator_default)
    return pgettext_iface("Re-Bake {} - {}").format(change.first, change.last)
