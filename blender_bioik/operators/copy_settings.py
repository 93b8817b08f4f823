"""Copying settings from the active character to the other selected ones."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ..ui_state.characters import chosen_characters
from ..ui_state.chosen_armature import poll_armature, poll_problem

GROUPS = ("feet", "bake", "solver")
# Of the clip or of what was done with it, not of how it is done.
LEFT_OUT = {
    *("contacts_edited", "active_ground", "active_contact", "floor", "floor_height"),
    *("report", "known", "name"),
}


class BIOIK_OT_copy_settings(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Copy settings of foot placement, bake and solver to the other selected characters"""  # noqa: D415

    bl_idname = "bioik.copy_settings"
    bl_label = "Copy Settings to Selected"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether several characters are selected."""
        if not poll_armature(cls, context):
            return False
        several = len(chosen_characters(context)) > 1
        return poll_problem(cls, "" if several else "Select other armatures too")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy them; contacts, grounds, goals and the source's floor stay."""
        first, *others = chosen_characters(context)
        for other in others:
            for group in GROUPS:
                _copy(getattr(first.bioik, group), getattr(other.bioik, group))
        self.report({"INFO"}, rpt_("Copied settings to other characters: {}").format(len(others)))
        return {"FINISHED"}


def _copy(settings: Any, wanted: Any) -> None:
    for prop in settings.bl_rna.properties:
        name = prop.identifier
        if prop.is_readonly or prop.type in {"COLLECTION", "POINTER"} or name in LEFT_OUT:
            continue
        if settings.is_property_set(name):
            setattr(wanted, name, getattr(settings, name))
        else:
            # What was not set follows the size of the character.
            wanted.property_unset(name)
