"""Bake: solve the armature's goals and insert keyframes."""

import bpy

from ...ui_state.chosen_armature import poll_problem
from ...ui_state.problems import bake_problem
from .modal_bake import BakeSteps, ModalBake


class BIOIK_OT_bake(ModalBake, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Solve the armature's goals on every frame and keyframe the result"""  # noqa: D415

    bl_idname = "bioik.bake"
    bl_label = "Bake Goals"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    preparing = "Preparing to bake"
    doing = "Baking frame {done} of {total}"
    cancelled = "Bake cancelled, nothing was changed"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to bake."""
        return poll_problem(cls, bake_problem(context))

    @staticmethod
    def bake_steps() -> BakeSteps:
        """The steps of `rig.bake`."""
        from ...rig.bake.bake import reading_bake, solve_bake, write_bake

        return BakeSteps(reading_bake, solve_bake, write_bake)
