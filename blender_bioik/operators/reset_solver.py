"""Resetting the solver's settings."""

from typing import Any

import bpy

from ..ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem


class BIOIK_OT_reset_solver(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Reset all solver settings to their default values"""  # noqa: D415

    bl_idname = "bioik.reset_solver"
    bl_label = "Reset to Defaults"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether any setting differs from its default."""
        if not poll_armature(cls, context):
            return False
        if not _changed(_solver(context)):
            return poll_problem(cls, "All settings already have their default values")
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Reset them."""
        solver = _solver(context)
        for name in _changed(solver):
            solver.property_unset(name)
        return {"FINISHED"}


def _solver(context: bpy.types.Context) -> Any:
    armature = chosen_armature(context)
    assert armature is not None
    return armature.bioik.solver


def _changed(solver: Any) -> list[str]:
    """Names of the settings that differ from their defaults."""
    return [
        setting.identifier
        for setting in solver.bl_rna.properties
        if setting.type in ("BOOLEAN", "INT", "FLOAT", "ENUM")
        and getattr(solver, setting.identifier) != setting.default
    ]
