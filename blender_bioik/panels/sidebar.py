"""What the panels of the sidebar have in common."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.chosen_armature import chosen_armature


class Sidebar:
    """Where a panel is, and that it is about an armature."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Bio-IK"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature to show the settings of."""
        return chosen_armature(context) is not None


def chosen_rig(context: bpy.types.Context) -> Any:
    """`Object.bioik` of the armature that the sidebar is about."""
    armature = chosen_armature(context)
    assert armature is not None
    return armature.bioik


def active_item(items: Any, index: int) -> Any:
    """The item that is chosen in a list, None if none is."""
    return items[index] if 0 <= index < len(items) else None


def split_column(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """A column of settings: names on the left, values on the right, no dots for keyframes."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout.column()


def show_problem(layout: bpy.types.UILayout, problem: str) -> None:
    """Say why the button below cannot be pressed, if it cannot."""
    if problem:
        layout.label(text=problem, icon="INFO")
