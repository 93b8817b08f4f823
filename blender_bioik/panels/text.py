"""Sentences in a narrow sidebar."""

from __future__ import annotations

import textwrap

import bpy

# Pixels that a letter takes on average, at an interface scale of one.
LETTER = 6.2
# What a panel's frame and an icon take away.
MARGIN = 60
FEWEST_LETTERS = 20


def draw_sentence(
    layout: bpy.types.UILayout, context: bpy.types.Context, sentence: str, icon: str = "NONE"
) -> None:
    """Show a sentence over as many lines as the region's width asks for."""
    region = context.region
    scale = context.preferences.system.ui_scale
    width = region.width / scale if region is not None else 0.0
    letters = max(FEWEST_LETTERS, int((width - MARGIN) / LETTER))
    column = layout.column(align=True)
    column.scale_y = 0.8
    for number, line in enumerate(textwrap.wrap(sentence, letters)):
        mark = icon if number == 0 or icon == "NONE" else "BLANK1"
        column.label(text=line, icon=mark, translate=False)
