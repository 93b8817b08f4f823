"""Names beside values fit into a sidebar as wide as Blender makes it, in every language.

Blender measures texts without a window too; how much room there is, was seen in one.
"""

from __future__ import annotations

from typing import Any

import blf
import pytest

from blender_bioik.properties import BioIKGoal, BioIKSolver
from blender_bioik.properties.bake import BioIKBake
from blender_bioik.properties.contact import BioIKContact
from blender_bioik.properties.feet import BioIKFeet
from blender_bioik.properties.overlay import BioIKOverlay
from blender_bioik.translations import Catalogue, catalogues

GROUPS = (BioIKGoal, BioIKSolver, BioIKBake, BioIKContact, BioIKFeet, BioIKOverlay)
# Size of Blender's letters, points; room beside a field, beside a checkbox, in a menu and in a menu
# with icons, pixels.
POINTS, NAME, CHECKBOX, MENU, ICON_MENU = 11, 88.0, 114.0, 105.0, 90.0
# Drawn without their names, or not at all.
NAMELESS = {
    *("rna_type", "name", "show", "goals", "grounds", "contacts", "report"),
    *("active_ground", "active_contact", "blend_out", "spine_share"),
}
LANGUAGES = {"en": {}, **catalogues()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_cut_off(language: str) -> None:
    words = LANGUAGES[language]
    wide = [
        f"{group.__name__}.{property_.identifier}: {text}"
        for group in GROUPS
        for property_ in group.bl_rna.properties
        if property_.identifier not in NAMELESS
        for text, room in texts(property_, words)
        if width(text) > room
    ]
    assert wide == []


def texts(property_: Any, words: Catalogue) -> list[tuple[str, float]]:
    """A property's name and those of its items, with the room that there is for each."""
    context = property_.translation_context
    room = CHECKBOX if property_.type == "BOOLEAN" else NAME
    items = getattr(property_, "enum_items", ())
    menu = ICON_MENU if property_.identifier == "type" else MENU
    names = [(property_.name, room), *((item.name, menu) for item in items)]
    return [(words.get((context, name), words.get(("*", name), name)), r) for name, r in names]


def width(text: str) -> float:
    """Width of a text, pixels."""
    blf.size(0, POINTS)
    return float(blf.dimensions(0, text)[0])


def test_widths_are_measured() -> None:
    assert 20.0 < width("Constraints") < width("Constraints as Goals")
