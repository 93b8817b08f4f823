"""Re-bake: only the frames that have changed since the last bake."""

from __future__ import annotations

from functools import partial

import bpy

from ...rig.steps import Steps
from ...ui_state.characters import chosen_characters
from ...ui_state.chosen_armature import poll_problem
from ...ui_state.problems import rebaking_problem, update_problem
from .modal_bake import ReportedWork


class BIOIK_OT_rebake(ReportedWork, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Update the last bake by re-baking only the frames that have changed since"""  # noqa: D415

    bl_idname = "bioik.rebake"
    bl_label = "Re-Bake Changed Frames"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    preparing = "Preparing to re-bake"
    doing = "Re-baking, step {done} of {total}"
    cancelled = "Re-bake cancelled, nothing was changed"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether something was baked and may have changed."""
        return poll_problem(cls, rebaking_problem(context))

    def steps(self, context: bpy.types.Context) -> Steps:
        """The steps of `rig.rebake`."""
        from ...rig.rebake.rebake import rebake_steps

        armatures = chosen_characters(context)
        changed = [armature for armature in armatures if not update_problem(armature)]
        return self.steps_of_all(changed, partial(rebake_steps, context.scene))
