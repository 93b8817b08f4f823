"""The list of goals, and the details of the active one."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.goal_names import goal_label
from ..rig.report.goal_errors import GoalError, error_of
from .goal_details import draw_goal
from .presets import BIOIK_PT_goal_presets
from .sidebar import Sidebar, active_item, chosen_rig, sidebar_width

# Sidebar width, in unscaled pixels, from which a row shows everything about a goal.
WIDE = 360.0


class BIOIK_UL_goals(bpy.types.UIList):  # noqa: N801 (Blender's convention)
    """Goals of the armature"""  # noqa: D415

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: Any,
        goal: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
    ) -> None:
        """Draw type, name, error, and whether it is enabled; bone and weight if there is room."""
        error = error_of(goal.id_data, goal_label(goal))
        draw = _draw_wide if sidebar_width() >= WIDE else _draw_narrow
        row = layout.row(align=True)
        draw(row, goal, error)
        row.prop(goal, "enabled", text="")


class BIOIK_MT_goals(bpy.types.Menu):  # noqa: N801
    """More operations on goals"""  # noqa: D415

    bl_label = "Goal Specials"

    def draw(self, _context: bpy.types.Context) -> None:
        """Show it."""
        self.layout.operator("bioik.duplicate_goal", icon="DUPLICATE")
        self.layout.operator("bioik.mirror_goal", icon="MOD_MIRROR")
        self.layout.separator()
        self.layout.operator("bioik.goals_from_constraints", icon="CONSTRAINT_BONE")


class BIOIK_PT_goals(Sidebar, bpy.types.Panel):  # noqa: N801
    """Goals for the armature's poses"""  # noqa: D415

    bl_label = "Goals"

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Show the button of the presets."""
        BIOIK_PT_goal_presets.draw_button(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list and the active goal."""
        rig = chosen_rig(context)
        row = self.layout.row()
        row.template_list(
            "BIOIK_UL_goals", "", rig, "goals", rig, "active_goal", rows=5 if rig.goals else 3
        )
        buttons = row.column(align=True)
        buttons.operator_menu_enum("bioik.add_goal", "type", text="", icon="ADD")
        buttons.operator("bioik.remove_goal", text="", icon="REMOVE")
        buttons.separator()
        buttons.menu("BIOIK_MT_goals", text="", icon="DOWNARROW_HLT")
        if rig.goals:
            buttons.separator()
            buttons.operator("bioik.move_goal", text="", icon="TRIA_UP").direction = "UP"
            buttons.operator("bioik.move_goal", text="", icon="TRIA_DOWN").direction = "DOWN"
        goal = active_item(rig.goals, rig.active_goal)
        if goal is not None:
            draw_goal(self.layout, goal)


def error_text(error: GoalError) -> str:
    """An error, short enough for a list: "0.3 mm", "12 mm", "1.25 m", "4.0°"."""
    if error.unit == "degrees":
        return f"{error.value:.1f}°"
    if error.value >= 1000.0:
        return f"{error.value / 1000.0:.2f} m"
    return f"{error.value:.0f} mm" if error.value >= 10.0 else f"{error.value:.1f} mm"


def _draw_wide(layout: bpy.types.UILayout, goal: Any, error: GoalError | None) -> None:
    """Type, name, bone, error if there is one, and weight."""
    split = layout.split(factor=0.8 if error is None else 0.6, align=True)
    split.active = goal.enabled
    names = split.row(align=True)
    _draw_name(names, goal)
    if "bone" in goal.kind.uses and goal.bone not in goal_label(goal):
        bone = names.row()
        bone.active = False
        bone.label(text=goal.bone, translate=False)
    numbers = split.row(align=True)
    if error is not None:
        _draw_error(numbers.row(), error)
    numbers.prop(goal, "weight", text="", emboss=False)


def _draw_narrow(layout: bpy.types.UILayout, goal: Any, error: GoalError | None) -> None:
    """Type, name, and error if there is one; the weight is below the list."""
    row = layout.row(align=True)
    row.active = goal.enabled
    _draw_name(row, goal)
    if error is not None:
        # As narrow as possible, to leave the name the rest of the row.
        number = row.row()
        number.alignment = "RIGHT"
        _draw_error(number, error)


def _draw_name(layout: bpy.types.UILayout, goal: Any) -> None:
    kind = goal.kind
    layout.prop(goal, "name", text="", icon=kind.icon, emboss=False, placeholder=kind.label)


def _draw_error(layout: bpy.types.UILayout, error: GoalError) -> None:
    layout.alert = not error.reached
    layout.label(text=error_text(error), translate=False)
