"""Bake: solve the armature's goals and insert keyframes."""

from typing import TYPE_CHECKING

import bpy

from ...rig.steps import Steps
from ...ui_state.chosen_armature import poll_problem
from ...ui_state.problems import bake_problem, baking_problem
from ...ui_state.result_state import has_placed_feet
from .modal_bake import ModalBake

if TYPE_CHECKING:
    from ...rig.source.options import BakeOptions


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

    problem_of = staticmethod(baking_problem)

    @staticmethod
    def bake_steps(
        scene: bpy.types.Scene, armature: bpy.types.Object, options: "BakeOptions"
    ) -> Steps:
        """The steps of `rig.bake`; where feet were placed, those of placing them with the goals."""
        if has_placed_feet(armature):
            from ...rig.feet.place_feet import place_feet_steps

            return place_feet_steps(scene, armature, options)
        from ...rig.bake.bake import bake_steps

        return bake_steps(scene, armature, options)
