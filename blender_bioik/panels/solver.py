"""Panels of the solver's settings."""

from __future__ import annotations

from typing import Any

import bpy

from .presets import BIOIK_PT_solver_presets
from .sidebar import Sidebar, SubPanel, chosen_rig, show_hint, show_text, split_column


class BIOIK_PT_solver(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Settings for solving the goals"""  # noqa: D415

    bl_label = "Solver"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Show the button of the presets."""
        BIOIK_PT_solver_presets.draw_button(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings that affect the motion."""
        solver = chosen_rig(context).solver
        column = split_column(self.layout)
        column.prop(solver, "displacement")
        show_hint(column, displacement_hint(solver))
        column.prop(solver, "smoothness")
        show_hint(column, smoothness_hint(solver))
        self.layout.operator("bioik.reset_solver", icon="LOOP_BACK")


class BIOIK_PT_solver_bones(SubPanel, bpy.types.Panel):  # noqa: N801
    """Bones that may move"""  # noqa: D415

    bl_label = "Bones"
    bl_parent_id = "BIOIK_PT_solver"

    def draw(self, context: bpy.types.Context) -> None:
        """Show which bones move, and how far."""
        solver = chosen_rig(context).solver
        column = split_column(self.layout)
        column.prop(solver, "scope", text="Bones to Move")
        column.prop(solver, "use_limits")
        column.prop(solver, "move_root")
        column.prop(solver, "read_constraints")


class BIOIK_PT_solver_search(SubPanel, bpy.types.Panel):  # noqa: N801
    """How poses are searched for"""  # noqa: D415

    bl_label = "Search"
    bl_parent_id = "BIOIK_PT_solver"

    def draw(self, context: bpy.types.Context) -> None:
        """Show strategy and effort."""
        solver = chosen_rig(context).solver
        column = split_column(self.layout)
        column.prop(solver, "strategy")
        show_hint(column, strategy_hint(solver))
        column.prop(solver, "evaluations")
        show_hint(column, "Higher: reaches harder goals")
        evolution = column.column()
        evolution.active = solver.strategy != "LOCAL"
        evolution.prop(solver, "population")
        show_hint(evolution, "Higher: finds rarer poses")
        elites = evolution.row()
        elites.alert = has_too_many_elites(solver)
        elites.prop(solver, "elites")
        if has_too_many_elites(solver):
            show_text(column, "Elites must be fewer than the population", "ERROR")
        else:
            show_hint(evolution, "Higher: keeps more alternatives")
        seed = column.column()
        seed.active = solver.strategy != "LOCAL"
        seed.prop(solver, "seed")
        show_hint(seed, "Change it to try other poses")


def displacement_hint(solver: Any) -> str:
    """Hint about the effect of keeping the animation."""
    if solver.displacement <= 0.0:
        return "Bones may drift from the animation"
    return "Higher: closer to the animation"


def smoothness_hint(solver: Any) -> str:
    """Hint about the effect of smoothness."""
    if solver.smoothness <= 0.0:
        return "Independent frames: corrections may jump"
    return "Higher: smoother corrections"


def strategy_hint(solver: Any) -> str:
    """Hint about the strategy: its tooltip."""
    items = solver.bl_rna.properties["strategy"].enum_items
    return str(items[solver.strategy].description)


def has_too_many_elites(solver: Any) -> bool:
    """Whether the elites fill the whole population, which the solver refuses."""
    return bool(solver.elites >= solver.population)
