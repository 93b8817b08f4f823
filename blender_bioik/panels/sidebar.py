"""What the panels of the sidebar have in common."""

from __future__ import annotations

import math
import textwrap
from functools import lru_cache
from typing import Any

import bpy

from ..translations import OWN
from ..translations.sentences import translated
from ..ui_state.chosen_armature import chosen_armature

# Width of a letter, about, and of what is beside a text, in pixels of a screen without scaling.
LETTER, MARGIN = 6.3, 60.0

# Share of the width that names take on the left, as Blender's own property split.
NAMES = 0.4


class Place:
    """Where the panels are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Bio-IK"
    bl_translation_context = OWN


class Sidebar(Place):
    """A panel about an armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature to show the settings of."""
        return chosen_armature(context) is not None


class SubPanel(Place):
    """A panel inside another one; where that one is not shown, Blender does not ask for it."""

    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)


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
        show_text(layout, problem, "INFO")


def show_text(layout: bpy.types.UILayout, text: str, icon: str, share: float = 1.0) -> None:
    """Show a sentence, in as many lines as it takes: labels would cut it off.

    Args:
        layout: Where it is shown.
        text: The sentence.
        icon: What is before its first line.
        share: How much of the sidebar's width the layout has.
    """
    column = layout.column(align=True)
    text = translated(bpy.app.translations.pgettext_iface(text))
    for number, line in enumerate(_wrapped(text, room_for_letters(share))):
        below = "NONE" if icon == "NONE" else "BLANK1"
        column.label(text=line, icon=below if number else icon, translate=False)


def show_hint(layout: bpy.types.UILayout, text: str) -> None:
    """Say below a setting what it does to the motion, in a few faint words."""
    column = layout.column(align=True)
    column.active = False
    text = bpy.app.translations.pgettext_iface(text)
    for line in _wrapped(text, room_for_letters()):
        row = column.row()
        row.alignment = "RIGHT"
        row.label(text=line, translate=False)


def sidebar_width() -> float:
    """Width of the sidebar in pixels of a screen without scaling; without end if there is none."""
    region = bpy.context.region
    if region is None or region.type != "UI":
        return math.inf
    return float(region.width / bpy.context.preferences.system.ui_scale)


@lru_cache(maxsize=256)
def _wrapped(text: str, letters: int) -> list[str]:
    """A sentence in lines, remembered: it is drawn again and again."""
    return textwrap.wrap(text, letters)


def room_for_letters(share: float = 1.0) -> int:
    """How many letters fit beside an icon, in a share of the sidebar's width."""
    width = share * sidebar_width()
    return max(16, int((width - MARGIN) / LETTER)) if math.isfinite(width) else 1000
