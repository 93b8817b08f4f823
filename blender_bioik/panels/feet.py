"""Foot placement: ground, settings and button."""

from __future__ import annotations

from typing import Any

import bpy

from ..findings import told
from ..rig.blender.ground_items import shares_ground
from ..rig.clip.character_size import unusual_size
from ..rig.judge.known import known_sentences
from ..ui_state.chosen_armature import chosen_armature
from ..ui_state.problems import legs_problem, placement_problem
from .presets import BIOIK_PT_feet_presets
from .progress import draw_progress
from .result import draw_result
from .sidebar import (
    Sidebar,
    SubPanel,
    active_item,
    chosen_rig,
    show_problem,
    show_text,
    split_column,
)


class BIOIK_UL_grounds(bpy.types.UIList):  # noqa: N801 (Blender's convention)
    """Objects and collections that the character walks on"""  # noqa: D415

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: Any,
        ground: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
    ) -> None:
        """Show the object's or collection's name."""
        chosen = ground.object or ground.collection
        if chosen is None:
            layout.active = False
            layout.label(text="Not Set", icon="QUESTION")
        else:
            icon = "OBJECT_DATA" if ground.object else "OUTLINER_COLLECTION"
            layout.label(text=chosen.name, icon=icon, translate=False)


class BIOIK_PT_feet(Sidebar, bpy.types.Panel):  # noqa: N801
    """Place the character's feet on the ground"""  # noqa: D415

    bl_label = "Foot Placement"

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Show the button of the presets."""
        BIOIK_PT_feet_presets.draw_button(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the ground, the main settings and the button."""
        layout, feet = self.layout, chosen_rig(context).feet
        _draw_grounds(layout, context)
        column = split_column(layout)
        column.prop(feet, "planting")
        column.prop(feet, "slope")
        column.prop(feet, "swing")
        draw_length(column, chosen_rig(context), "step_up")
        layout.separator()
        if not draw_progress(layout):
            problem = placement_problem(context)
            show_problem(layout, problem)
            if problem and problem == legs_problem(chosen_armature(context)):
                layout.operator("bioik.use_guess", icon="CHECKMARK")
            if not problem:
                _draw_findings(layout, context)
        layout.operator("bioik.place_feet", icon="CON_FLOOR")
        armature = chosen_armature(context)
        assert armature is not None
        draw_result(layout, armature)


class BIOIK_PT_feet_body(SubPanel, bpy.types.Panel):  # noqa: N801
    """Movement of the rest of the body"""  # noqa: D415

    bl_label = "Body"
    bl_parent_id = "BIOIK_PT_feet"

    def draw(self, context: bpy.types.Context) -> None:
        """Show pelvis, spine and hands."""
        feet = chosen_rig(context).feet
        column = split_column(self.layout)
        pelvis = column.column(align=True)
        draw_length(pelvis, chosen_rig(context), "pelvis_sideways")
        pelvis.prop(feet, "pelvis_tilt", text="Tilt")
        column.prop(feet, "lean")
        spine = column.column()
        # Without pelvis tilt there is nothing to distribute.
        spine.active = feet.pelvis_tilt > 0.0
        spine.prop(feet, "spine_share", text="Tilt Along Spine")
        column.prop(feet, "body_contacts")
        column.prop(feet, "hands")
        column.prop(feet, "write_to")


class BIOIK_PT_feet_advanced(SubPanel, bpy.types.Panel):  # noqa: N801
    """Advanced foot placement settings"""  # noqa: D415

    bl_label = "Advanced"
    bl_parent_id = "BIOIK_PT_feet"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings for reading the clip and for foot locks."""
        feet = chosen_rig(context).feet
        column = split_column(self.layout)
        column.prop(feet, "floor")
        if feet.floor == "HEIGHT":
            column.prop(feet, "floor_height", text="Height")
        column.prop(feet, "levels")
        column.prop(feet, "loop")
        column.prop(feet, "ease")
        column.prop(feet, "smooth")


def draw_length(layout: bpy.types.UILayout, rig: Any, name: str) -> None:
    """Draw a length in the size of the character, with a button back to that once it is set."""
    row = layout.row(align=True)
    row.prop(rig.lengths, name)
    if rig.feet.is_property_set(name):
        row.operator("bioik.fit_length", text="", icon="LOOP_BACK").length = name


def _draw_findings(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw what is known about the character before anything is solved."""
    armature = chosen_armature(context)
    if armature is not None:
        size = told(unusual_size(context.scene, armature), [])
        for sentence in (*size, *known_sentences(armature)):
            show_text(layout, sentence, "INFO")


def ground_pickers(ground: Any) -> tuple[str, ...]:
    """The pickers shown for a ground: both until one of them is used."""
    if ground.object is not None:
        return ("object",)
    return ("collection",) if ground.collection is not None else ("object", "collection")


def _draw_grounds(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The list that the character stands on, its own or the scene's, and how to change that."""
    armature = chosen_armature(context)
    assert armature is not None
    shared = shares_ground(armature, context.scene)
    owner = context.scene.bioik if shared else armature.bioik.feet
    head = layout.row()
    head.label(text="Ground of the Scene" if shared else "Ground")
    if shared:
        head.operator("bioik.own_ground", text="", icon="UNLINKED")
    elif len(owner.grounds):
        head.operator("bioik.share_ground", text="", icon="WORLD")
    row = layout.row()
    row.template_list(
        "BIOIK_UL_grounds", "", owner, "grounds", owner, "active_ground", rows=2, maxrows=5
    )
    buttons = row.column(align=True)
    buttons.operator("bioik.add_ground", text="", icon="ADD")
    buttons.operator("bioik.remove_ground", text="", icon="REMOVE")
    ground = active_item(owner.grounds, owner.active_ground)
    if ground is not None:
        column = split_column(layout)
        for name in ground_pickers(ground):
            column.prop(ground, name)
