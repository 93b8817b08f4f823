"""Placing feet, the list of grounds, and the quality curves."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.steps import Steps
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from ...ui_state.problems import placement_problem
from ..bake.modal_bake import ModalBake
from ..library_items import poll_own

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

    @staticmethod
    def bake_steps(
        scene: bpy.types.Scene, armature: bpy.types.Object, options: "BakeOptions"
    ) -> Steps:
        """The steps of `rig.feet`."""
        from ...rig.feet.place_feet import place_feet_steps

        return place_feet_steps(scene, armature, options)


class BIOIK_OT_add_ground(bpy.types.Operator):  # noqa: N801
    """Add the selected meshes to the ground, or an empty slot if none is selected"""  # noqa: D415

    bl_idname = "bioik.add_ground"
    bl_label = "Add Ground"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Append them to the list, and make the last one active."""
        armature = chosen_armature(context)
        assert armature is not None
        settings = armature.bioik.feet
        there = {ground.object for ground in settings.grounds}
        chosen = [
            selected
            for selected in context.selected_objects
            if selected.type == "MESH"
            and selected.find_armature() != armature
            and selected not in there
        ]
        for ground in chosen or [None]:
            added = settings.grounds.add()
            added.object = ground
            # Library overrides identify it by its name.
            added.name = _free_name(settings.grounds, ground.name if ground else "Ground")
        settings.active_ground = len(settings.grounds) - 1
        return {"FINISHED"}


class BIOIK_OT_remove_ground(bpy.types.Operator):  # noqa: N801
    """Remove the active ground from the list"""  # noqa: D415

    bl_idname = "bioik.remove_ground"
    bl_label = "Remove Ground"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active ground."""
        if not poll_armature(cls, context):
            return False
        settings = _settings(context)
        if not 0 <= settings.active_ground < len(settings.grounds):
            return poll_problem(cls, "Select a ground in the list")
        ground = settings.grounds[settings.active_ground]
        way_out = "The ground comes from the library: choose another object for it instead"
        return poll_own(cls, ground, "bioik.feet.grounds", way_out)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it, and make the previous one active."""
        settings = _settings(context)
        settings.grounds.remove(settings.active_ground)
        settings.active_ground = max(0, min(settings.active_ground, len(settings.grounds) - 1))
        return {"FINISHED"}


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


def _settings(context: bpy.types.Context) -> Any:
    armature = chosen_armature(context)
    assert armature is not None
    return armature.bioik.feet


def _free_name(grounds: Any, name: str) -> str:
    """The name, with a numeric suffix if another ground has it."""
    taken = {ground.name for ground in grounds}
    numbered = (f"{name}.{number:03}" for number in range(1, len(taken) + 2))
    return name if name not in taken else next(n for n in numbered if n not in taken)
