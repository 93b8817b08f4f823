"""Common parts of the sidebar's panels."""

from __future__ import annotations

import math
import textwrap
from functools import lru_cache
from typing import Any

import bpy

from ..translations import OWN
from ..translations.sentences import translated
from ..ui_state.chosen_armature import chosen_armature
from ..ui_state.problems import NO_GOALS

# Approximate width of a letter, and of the space around a text, in unscaled pixels.
LETTER, MARGIN = 6.3, 60.0

# Share of the width for names on the left, as in Blender's own property split.
NAMES = 0.4


class Place:
    """Location of the panels."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Bio-IK"
    bl_translation_context = OWN


class Sidebar(Place):
    """A panel that needs an armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature to show the settings of."""
        return chosen_armature(context) is not None


class SubPanel(Place):
    """A sub-panel; Blender only polls it if its parent is shown."""

    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 (Blender reads it as it is)


def chosen_rig(context: bpy.types.Context) -> Any:
    """`Object.bioik` of the armature in the sidebar."""
    armature = chosen_armature(context)
    assert armature is not None
    return armature.bioik


def active_item(items: Any, index: int) -> Any:
    """The active item of a list, None if there is none."""
    return items[index] if 0 <= index < len(items) else None


def split_column(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """A column of settings: names on the left, values on the right, no dots for keyframes."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout.column()


def show_problem(layout: bpy.types.UILayout, problem: str) -> None:
    """Draw the reason why the button below is disabled, if it is.

    A character may have no goals because none are wanted: then only the button's tooltip says so.
    """
    if problem and problem != NO_GOALS:
        show_text(layout, problem, "INFO")


def show_text(
    layout: bpy.types.UILayout, text: str, icon: str, share: float = 1.0, margin: float = 0.0
) -> None:
    """Draw a sentence on as many lines as it needs: labels would clip it.

    Args:
        layout: Where it is shown.
        text: The sentence.
        icon: Icon before its first line.
        share: How much of the sidebar's width the layout has.
        margin: Space around the layout, unscaled pixels.
    """
    column = layout.column(align=True)
    text = translated(bpy.app.translations.pgettext_iface(text))
    for number, line in enumerate(_wrapped(text, room_for_letters(share, margin))):
        below = "NONE" if icon == "NONE" else "BLANK1"
        column.label(text=line, icon=below if number else icon, translate=False)


def show_hint(layout: bpy.types.UILayout, text: str) -> None:
    """Draw a short, faint hint about a setting's effect below it."""
    column = layout.column(align=True)
    column.active = False
    text = bpy.app.translations.pgettext_iface(text)
    for line in _wrapped(text, room_for_letters()):
        row = column.row()
        row.alignment = "RIGHT"
        row.label(text=line, translate=False)


def sidebar_width() -> float:
    """Width of the sidebar in unscaled pixels; infinite if there is none."""
    region = bpy.context.region
    if region is None or region.type != "UI":
        return math.inf
    return float(region.width / bpy.context.preferences.system.ui_scale)


@lru_cache(maxsize=256)
def _wrapped(text: str, letters: int) -> list[str]:
    """A sentence wrapped into lines; cached because it is drawn often."""
    return textwrap.wrap(text, letters)


def room_for_letters(share: float = 1.0, margin: float = 0.0) -> int:
    """Number of letters that fit next to an icon, in a share of the sidebar's width."""
    width = share * sidebar_width() - margin
    return max(16, int((width - MARGIN) / LETTER)) if math.isfinite(width) else 1000
