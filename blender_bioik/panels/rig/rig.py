"""The armature shown in the sidebar, and its rig type."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ...rig.errors import RigError
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, picked_armature, problem_with
from ...ui_state.rig_check import is_checked
from ...ui_state.shown_mapping import shown_summary
from ...warm_up_note import NOTE
from ..sidebar import NAMES, Sidebar, active_item, show_problem, show_text
from .rig_types import RIG_TYPES


class BIOIK_PT_rig(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Armature that Bio-IK works on"""  # noqa: D415

    bl_label = "Rig"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Always true: the panel also says that there is no armature."""
        return True

    def draw(self, context: bpy.types.Context) -> None:
        """Draw its name and type, problems, and the note about compiling the solver."""
        column, armature = self.layout.column(), chosen_armature(context)
        _draw_picker(column, context, armature)
        show_problem(column, problem_with(armature))
        show_problem(column, getattr(context.window_manager, NOTE, ""))
        if armature is not None and len(armature.data.bones):
            _draw_type(column, armature)


class BIOIK_UL_unsupported(bpy.types.UIList):  # noqa: N801
    """Constraints that the solver does not support"""  # noqa: D415

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: Any,
        missing: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
    ) -> None:
        """Show bone and constraint."""
        split = layout.split(factor=0.5, align=True)
        split.label(text=missing.name, icon="BONE_DATA", translate=False)
        split.label(text=missing.constraint, translate=False)


class BIOIK_PT_unsupported(Sidebar, bpy.types.Panel):  # noqa: N801
    """Constraints and limits that the solver does not support"""  # noqa: D415

    bl_label = "Unsupported Constraints"
    bl_parent_id = "BIOIK_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the results of the last check, if the rig has not changed since."""
        layout, check = self.layout, context.window_manager.bioik_rig_check
        armature = chosen_armature(context)
        assert armature is not None
        layout.operator("bioik.check_rig", icon="VIEWZOOM")
        if not is_checked(context, armature):
            return
        if not len(check.unsupported):
            layout.label(text="All constraints and limits are supported", icon="CHECKMARK")
            return
        layout.template_list(
            "BIOIK_UL_unsupported", "", check, "unsupported", check, "active", rows=3, maxrows=8
        )
        missing = active_item(check.unsupported, check.active)
        if missing is not None:
            reason = translated(missing.reason)
            show_text(layout, reason[:1].upper() + reason[1:], "INFO")


def _draw_picker(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object | None
) -> None:
    """The armature's name with a pin; a field to choose one if it is pinned or missing."""
    picked = picked_armature(context)
    row = layout.row(align=True)
    if armature is None or picked is not None:
        row.prop(context.scene.bioik, "armature", text="")
    else:
        row.label(text=armature.name, icon="ARMATURE_DATA", translate=False)
        row.operator("bioik.pick_armature", text="", icon="UNPINNED", emboss=False)
    active = context.object
    if picked is not None and active not in (None, picked) and active.type == "ARMATURE":
        text = iface_("Switch to {}").format(active.name)
        layout.operator("bioik.pick_armature", text=text, icon="ARMATURE_DATA", translate=False)


def _draw_type(layout: bpy.types.UILayout, armature: bpy.types.Object) -> None:
    """The rig type and the number of body parts found, or the problem with an assignment."""
    try:
        summary = shown_summary(armature)
    except RigError as error:
        show_text(layout, str(error), "ERROR")
        return
    split = layout.split(factor=NAMES)
    names, values = split.column(align=True), split.column(align=True)
    names.alignment = "RIGHT"
    names.label(text="Type")
    values.label(text=RIG_TYPES.get(summary.family, summary.family))
    names.label(text="Body Parts")
    count = iface_("{} of {}").format(summary.found, summary.known)
    values.label(text=count, translate=False)
