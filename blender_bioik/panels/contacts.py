"""Contacts of the feet with the ground, detected or edited."""

from __future__ import annotations

from array import array
from functools import lru_cache
from operator import itemgetter
from typing import Any

import bpy

from ..properties.contact import PART, POINTS
from ..translations import OWN
from .sidebar import SubPanel, active_item, chosen_rig, split_column

LABELS = {point: label for point, label, _ in POINTS}
"""Sole points as they are shown."""
# Icons of contacts at the current frame, and of the others.
STANDS, PASSED = "DECORATE_KEYFRAME", "DECORATE_ANIMATE"


class BIOIK_UL_contacts(bpy.types.UIList):  # noqa: N801 (Blender's convention)
    """Frame ranges in which each sole point is on the ground"""  # noqa: D415

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: Any,
        contact: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
    ) -> None:
        """Show foot, sole point and frames; those at the current frame have a filled icon."""
        start, end = contact.frame_start, contact.frame_end
        icon = STANDS if start <= context.scene.frame_current <= end else PASSED
        split = layout.split(factor=0.65, align=True)
        # Labels, not fields: in a narrow sidebar fields would cut the numbers off.
        split.label(text=contact_label(contact), icon=icon, translate=False)
        split.label(text=f"{start} - {end}", translate=False)

    def filter_items(
        self, _context: bpy.types.Context, data: Any, property_name: str
    ) -> tuple[list[int], list[int]]:
        """Sort by time, and filter by name if a name is typed."""
        contacts = getattr(data, property_name)
        shown: list[int] = []
        if self.filter_name:
            by_name = bpy.types.UI_UL_list.filter_items_by_name
            shown = by_name(self.filter_name, self.bitflag_filter_item, contacts)
        return shown, _places(_frames(contacts, "frame_start"), _frames(contacts, "frame_end"))


class BIOIK_PT_contacts(SubPanel, bpy.types.Panel):  # noqa: N801
    """Frame ranges in which feet are on the ground"""  # noqa: D415

    bl_label = "Contacts"
    bl_parent_id = "BIOIK_PT_feet"

    def draw(self, context: bpy.types.Context) -> None:
        """Show the list, and the contact that is chosen in it."""
        layout, feet = self.layout, chosen_rig(context).feet
        layout.operator("bioik.find_contacts", icon="VIEWZOOM")
        row = layout.row()
        row.template_list(
            "BIOIK_UL_contacts", "", feet, "contacts", feet, "active_contact", rows=4, maxrows=10
        )
        buttons = row.column(align=True)
        buttons.operator("bioik.add_contact", text="", icon="ADD")
        buttons.operator("bioik.remove_contact", text="", icon="REMOVE")
        split_column(layout).prop(feet, "contacts_edited")
        contact = active_item(feet.contacts, feet.active_contact)
        if contact is not None:
            _draw_contact(layout, contact)


def _frames(contacts: Any, name: str) -> bytes:
    """The first or the last frame of each, read in one call because lists redraw often."""
    frames = array("i", bytes(4 * len(contacts)))
    contacts.foreach_get(name, frames)
    return frames.tobytes()


@lru_cache(maxsize=8)
def _places(starts: bytes, ends: bytes) -> list[int]:
    """Positions of the contacts in the list, sorted by first and last frame."""
    times = enumerate(zip(array("i", starts), array("i", ends), strict=True))
    places: list[int] = bpy.types.UI_UL_list.sort_items_helper(list(times), key=itemgetter(1))
    return places


def contact_label(contact: Any) -> str:
    """Foot and sole point, or the other part of the body, as shown in the list."""
    if contact.point == PART:
        return str(contact.foot)
    return f"{contact.foot} {bpy.app.translations.pgettext_iface(LABELS[contact.point], OWN)}"


def _draw_contact(layout: bpy.types.UILayout, contact: Any) -> None:
    column = split_column(layout)
    column.prop(contact, "foot")
    if contact.point != PART:
        column.prop(contact, "point")
    frames = column.column(align=True)
    frames.prop(contact, "frame_start")
    frames.prop(contact, "frame_end")
    column.prop(contact, "slides")
    if contact.point != PART:
        column.prop(contact, "level", expand=True)
    row = layout.row(align=True)
    row.operator("bioik.move_contact", text="Earlier", icon="TRIA_LEFT").frames = -1
    row.operator("bioik.move_contact", text="Later", icon="TRIA_RIGHT").frames = 1
    layout.operator("bioik.split_contact", text="Split at Current Frame")
