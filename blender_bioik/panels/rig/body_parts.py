"""Bones of each body part: detected, or assigned by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ...ui_state.chosen_armature import chosen_armature
from ...ui_state.shown_mapping import shown_mapping
from ..sidebar import NAMES, Sidebar, room_for_letters, show_text

if TYPE_CHECKING:
    from ...rig.mapping.parts import Part


class BIOIK_PT_body_parts(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Bones of each body part"""  # noqa: D415

    bl_label = "Body Parts"
    bl_parent_id = "BIOIK_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature that has bones."""
        armature = chosen_armature(context)
        return armature is not None and bool(len(armature.data.bones))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw each part with its detected or assigned bones."""
        armature = chosen_armature(context)
        assert armature is not None
        detected = shown_mapping(armature)
        for note in detected.notes:
            show_text(self.layout, note, "INFO")
        parts, table = detected.parts, Table(self.layout, armature)
        limb = parts[0].limb
        for part in parts:
            if part.limb != limb:
                table.separate()
                limb = part.limb
            table.draw_part(part)
        known = {part.slot for part in parts}
        for slot in table.chosen:
            if slot not in known:  # assigned on a rig with a different structure
                table.draw_chosen(slot, slot, several=True)
        self.layout.operator("bioik.clear_parts", icon="FILE_REFRESH")


class Table:
    """Body parts, their bones, and a button for each.

    In columns rather than rows: there are many parts, and each layout call costs time.

    Attributes:
        chosen: Bones assigned by hand, by slot.
    """

    def __init__(self, layout: bpy.types.UILayout, armature: bpy.types.Object) -> None:
        self._armature = armature.data
        split = layout.split(factor=NAMES)
        self._names, right = split.column(align=True), split.row(align=True)
        self._bones, self._buttons = right.column(align=True), right.column(align=True)
        self._names.alignment = "RIGHT"
        self.chosen: dict[str, list[Any]] = {}
        for choice in armature.bioik.slots:
            self.chosen.setdefault(choice.name, []).append(choice)

    def separate(self) -> None:
        """Add a separator."""
        for column in (self._names, self._bones, self._buttons):
            column.separator(factor=0.5)

    def draw_part(self, part: Part) -> None:
        """Draw a part with its detected bones and an edit button, or with its assigned bones."""
        if part.slot in self.chosen:
            self.draw_chosen(part.slot, part.label, several=part.several)
            self._draw_faint(self._names, iface_("Detected"), "NONE", "RIGHT")
            self._draw_faint(self._bones, _bones_text(part), "BLANK1")
            self._buttons.label(text="", icon="BLANK1")
            return
        self._names.label(text=part.label)
        pen = self._buttons.operator(
            "bioik.choose_part", text="", icon="GREASEPENCIL", emboss=False
        )
        pen.slot = part.slot
        if not part.bones:
            self._draw_faint(self._bones, _bones_text(part), "BONE_DATA")
            return
        first, *others = _bones_lines(part)
        self._bones.label(text=first, icon="BONE_DATA", translate=False)
        for line in others:
            self._names.label(text="")
            self._bones.label(text=line, icon="BLANK1", translate=False)
            self._buttons.label(text="", icon="BLANK1")

    def draw_chosen(self, slot: str, label: str, *, several: bool) -> None:
        """Draw fields for the bones of a part, with a revert button after the first."""
        for number, choice in enumerate(self.chosen[slot]):
            self._names.label(text="" if number else label)
            row = self._bones.row(align=True)
            row.alert = bool(choice.bone) and choice.bone not in self._armature.bones
            row.prop_search(choice, "bone", self._armature, "bones", text="")
            if number:
                out = self._buttons.operator("bioik.clear_part", text="", icon="REMOVE")
                out.slot, out.index = slot, number
                continue
            if several:
                row.operator("bioik.add_part_bone", text="", icon="ADD").slot = slot
            self._buttons.operator("bioik.clear_part", text="", icon="X").slot = slot

    @staticmethod
    def _draw_faint(column: bpy.types.UILayout, text: str, icon: str, side: str = "EXPAND") -> None:
        row = column.row()
        row.alignment = side
        row.active = False
        row.label(text=text, icon=icon, translate=False)


def _bones_lines(part: Part) -> tuple[str, ...]:
    """The bones of a part; first and last on two lines if they do not fit on one."""
    text = _bones_text(part)
    if len(part.bones) == 1 or len(text) <= room_for_letters(1.0 - NAMES):
        return (text,)
    return f"{part.bones[0]} -", part.bones[-1]


def _bones_text(part: Part) -> str:
    """The bones of a part, as first and last."""
    if not part.bones:
        return iface_("None")
    first, last = part.bones[0], part.bones[-1]
    return first if len(part.bones) == 1 else f"{first} - {last}"
