"""The list of goals, and what the chosen one asks for."""

from __future__ import annotations

from typing import Any

import bpy

from .goal_details import draw_goal
from .presets import BIOIK_PT_goal_presets
from .sidebar import Sidebar, active_item, chosen_rig


class BIOIK_UL_goals(bpy.types.UIList):  # noqa: N801 (Blender's convention)
    """What the armature's poses shall fulfil"""  # noqa: D415

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
        """Show kind, name and weight, and whether it is solved."""
        split = layout.split(factor=0.75, align=True)
        split.active = goal.enabled
        kind = goal.kind
        split.prop(goal, "name", text="", icon=kind.icon, emboss=False, placeholder=kind.label)
        split.prop(goal, "weight", text="", emboss=False)
        layout.prop(goal, "enabled", text="")


class BIOIK_MT_goals(bpy.types.Menu):  # noqa: N801
    """What is done with goals less often"""  # noqa: D415

    bl_label = "Goal Specials"

    def draw(self, _context: bpy.types.Context) -> None:
        """Show it."""
        self.layout.operator("bioik.goals_from_constraints", icon="CONSTRAINT_BONE")


class BIOIK_PT_goals(Sidebar, bpy.types.Panel):  # noqa: N801
    """What poses shall fulfil"""  # noqa: D415

    bl_label = "Goals"

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Show the button of the presets."""
        BIOIK_PT_goal_presets.draw_button(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Show the list, and the goal that is chosen in it."""
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
