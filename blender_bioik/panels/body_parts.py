"""Which bones are which parts of the body: detected, or chosen by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ..operators.chosen_armature import chosen_armature
from .sidebar import Sidebar, named_row, show_text

if TYPE_CHECKING:
    from ..rig.mapping.parts import Part


class BIOIK_PT_body_parts(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Which bones are which parts of the body"""  # noqa: D415

    bl_label = "Body Parts"
    bl_parent_id = "BIOIK_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature that has bones."""
        armature = chosen_armature(context)
        return armature is not None and bool(len(armature.data.bones))

    def draw(self, context: bpy.types.Context) -> None:
        """Show each part with what is detected, or what was chosen instead."""
        from ..rig.mapping.parts import body_parts
        from ..rig.mapping.remembered import detected_mapping

        armature = chosen_armature(context)
        assert armature is not None
        detected = detected_mapping(armature)
        for note in detected.notes:
            show_text(self.layout, note, "INFO")
        column = self.layout.column(align=True)
        parts = body_parts(detected)
        limb = parts[0].limb
        for part in parts:
            if part.limb != limb:
                column.separator(factor=0.5)
                limb = part.limb
            _draw_part(column, armature, part)
        known = {part.slot for part in parts}
        for slot in dict.fromkeys(slot.name for slot in armature.bioik.slots):
            if slot not in known:  # chosen on a rig that had another shape
                _draw_chosen(column, armature, slot, slot, several=True)
        self.layout.operator("bioik.clear_parts", icon="FILE_REFRESH")


def _draw_part(layout: bpy.types.UILayout, armature: bpy.types.Object, part: Part) -> None:
    """A part as it is detected, with a pen to change it; or what was chosen instead."""
    if part.slot in armature.bioik.slots:
        _draw_chosen(layout, armature, part.slot, part.label, several=part.several)
        detected = iface_("Detected: {}").format(_bones_text(part))
        row = named_row(layout, "")
        row.active = False
        row.label(text=detected, translate=False)
        return
    row = named_row(layout, part.label)
    bones = row.row()
    bones.active = bool(part.bones)
    bones.label(text=_bones_text(part), icon="BONE_DATA", translate=False)
    choose = row.operator("bioik.choose_part", text="", icon="GREASEPENCIL", emboss=False)
    choose.slot = part.slot


def _draw_chosen(
    layout: bpy.types.UILayout, armature: bpy.types.Object, slot: str, label: str, *, several: bool
) -> None:
    """Fields for the bones of a part, with what clears the choice behind the first."""
    bones = armature.data.bones
    chosen = [choice for choice in armature.bioik.slots if choice.name == slot]
    for number, choice in enumerate(chosen):
        row = named_row(layout, "" if number else label)
        row.alert = bool(choice.bone) and choice.bone not in bones
        row.prop_search(choice, "bone", armature.data, "bones", text="")
        if number:
            out = row.operator("bioik.clear_part", text="", icon="REMOVE")
            out.slot, out.index = slot, number
            continue
        if several:
            row.operator("bioik.add_part_bone", text="", icon="ADD").slot = slot
        row.operator("bioik.clear_part", text="", icon="X").slot = slot


def _bones_text(part: Part) -> str:
    """The bones of a part, short."""
    if not part.bones:
        return iface_("None")
    first, last = part.bones[0], part.bones[-1]
    return first if len(part.bones) == 1 else f"{first} - {last}"
