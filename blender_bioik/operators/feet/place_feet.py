"""Placing feet, and the quality curves."""

from typing import TYPE_CHECKING

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.steps import Steps
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from ...ui_state.problems import placement_problem, placing_problem
from ..bake.modal_bake import ModalBake

if TYPE_CHECKING:
    from ...rig.source.options import BakeOptions


class BIOIK_OT_place_feet(ModalBake, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Place the feet on the ground on every frame and keyframe the result"""  # noqa: D415

    bl_idname = "bioik.place_feet"
    bl_label = "Place Feet"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    preparing = "Planning footsteps"
    doing = "Placing feet, step {done} of at most {total}"
    cancelled = "Foot placement cancelled, nothing was changed"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a character and ground for it."""
        return poll_problem(cls, placement_problem(context))

    problem_of = staticmethod(placing_problem)

    @staticmethod
    def bake_steps(
        scene: bpy.types.Scene, armature: bpy.types.Object, options: "BakeOptions"
    ) -> Steps:
        """The steps of `rig.feet`."""
        from ...rig.feet.place_feet import place_feet_steps

        return place_feet_steps(scene, armature, options)


class BIOIK_OT_remove_quality(bpy.types.Operator):  # noqa: N801
    """Remove the quality curves and markers written by foot placement"""  # noqa: D415

    bl_idname = "bioik.remove_quality"
    bl_label = "Remove Quality Curves"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove them."""
        from ...rig.report.metric_curves import remove_metrics

        armature = chosen_armature(context)
        assert armature is not None
        count = remove_metrics(context.scene, armature)
        self.report({"INFO"}, rpt_("Removed {} curves").format(count))
        return {"FINISHED"}
