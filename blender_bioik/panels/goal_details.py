"""Details of a goal: only the properties that its type uses."""

from __future__ import annotations

from typing import Any

import bpy

from ..translations import OWN
from ..ui_state.scene_armatures import is_in_view_layer
from .sidebar import SubPanel, active_item, chosen_rig, show_text, split_column

# Properties that name a bone of the goal's own armature.
BONES = ("bone", "other_bone")
# Properties that are replaced by another bone of the armature.
TARGET = ("target", "subtarget", "point")


def shown_properties(goal: Any) -> tuple[str, ...]:
    """Names of the properties that matter to a goal as it is set, in the order they are shown."""
    uses: tuple[str, ...] = goal.kind.uses
    if "other_bone" in uses and goal.other_bone:
        uses = tuple(name for name in uses if name not in TARGET)
    if goal.target is None or goal.target.type != "ARMATURE":
        uses = tuple(name for name in uses if name != "subtarget")
    return uses


def searched_bones(goal: Any, name: str) -> Any:
    """The armature whose bones a property is chosen from, None if it names no bone."""
    if name in BONES:
        return goal.id_data.data
    return goal.target.data if name == "subtarget" else None


def is_missing(goal: Any, name: str) -> bool:
    """Whether a property names a missing bone, or lacks a required one."""
    searched = searched_bones(goal, name)
    if searched is None:
        return False
    value = getattr(goal, name)
    return value not in searched.bones if value else name == "bone"


def draw_goal(layout: bpy.types.UILayout, goal: Any) -> None:
    """Draw its properties and its weight."""
    column = split_column(layout)
    column.prop(goal, "type")
    if not goal.kind.known:
        show_text(column, "Enable the add-on that provides this type of goal", "ERROR")
    for name in shown_properties(goal):
        searched = searched_bones(goal, name)
        if searched is None:
            _draw_value(column, goal, name)
            continue
        field = column.column()
        field.alert = is_missing(goal, name)
        field.prop_search(goal, name, searched, "bones")
    column.separator()
    column.prop(goal, "weight")
    column.prop(goal, "influence")


def has_lost_target(goal: Any) -> bool:
    """Whether its target was deleted from the scene: the goal still refers to it."""
    return goal.target is not None and not is_in_view_layer(bpy.context, goal.target)


def _draw_value(column: bpy.types.UILayout, goal: Any, name: str) -> None:
    """Draw a property other than a bone; a deleted target in red, with a hint."""
    if name != "target" or not has_lost_target(goal):
        column.prop(goal, name)
        return
    field = column.column()
    field.alert = True
    field.prop(goal, name)
    show_text(column, "The target is not in the view layer: choose another one", "ERROR")


class GoalPanel(SubPanel):
    """A panel for the active goal."""

    bl_parent_id = "BIOIK_PT_goals"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active goal."""
        return _active_goal(context) is not None


class BIOIK_PT_goal_reach(GoalPanel, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """When a goal counts as reached, and what moves for it"""  # noqa: D415

    bl_label = "Reach"

    def draw(self, context: bpy.types.Context) -> None:
        """Show chain and tolerance."""
        goal = _active_goal(context)
        column = split_column(self.layout)
        column.prop(goal, "chain")
        if goal.chain == "LENGTH":
            column.prop(goal, "chain_length")
        # Some types are always preferences.
        if not goal.kind.soft:
            column.prop(goal, "is_preference")
        tolerance = column.column()
        tolerance.active = not goal.is_soft
        tolerance.prop(goal, "tolerance_angle" if goal.kind.angle else "tolerance")


class BIOIK_PT_goal_frames(GoalPanel, bpy.types.Panel):  # noqa: N801
    """When a goal is solved"""  # noqa: D415

    bl_label = "Frame Range"

    def draw_header(self, context: bpy.types.Context) -> None:
        """Show whether it is only for some frames."""
        self.layout.prop(_active_goal(context), "use_frame_range", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Show which."""
        goal = _active_goal(context)
        column = split_column(self.layout)
        column.active = goal.use_frame_range
        frames = column.column(align=True)
        frames.prop(goal, "frame_start")
        frames.prop(goal, "frame_end")
        blend = column.column(align=True)
        blend.prop(goal, "blend_in")
        blend.prop(goal, "blend_out", text="Out", text_ctxt=OWN)


def _active_goal(context: bpy.types.Context) -> Any:
    rig = chosen_rig(context)
    return active_item(rig.goals, rig.active_goal)
