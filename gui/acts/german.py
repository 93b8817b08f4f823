"""Another language: the sidebar in German."""

from __future__ import annotations

import importlib

import bpy
from bpy.app.translations import pgettext_iface

from ..hand import Pause
from ..session import Session
from ..view import middle_of
from .setup import MODULE

REASON = (
    'its Orientation goal would have no effect because the constraint "A" moves the bone afterwards'
)
ENGLISH = 'There is no preset "Waltz": choose another one.'


def in_german(session: Session) -> Pause:
    """Switch the language, look at the sidebar, and go back to English."""
    view = bpy.context.preferences.view
    if not bpy.app.build_options.international:
        print("not run: this Blender has only English")
        return
    sentences = importlib.import_module(f"{MODULE}.translations.sentences")
    # The presets of the act before are still open, and would hide half of the sidebar.
    yield from session.hand.key("ESC")
    yield from session.hand.move(middle_of("VIEW_3D"))
    yield 0.3
    view.language = "de_DE"
    view.use_translate_interface = view.use_translate_tooltips = True
    yield from session.picture("in German")
    session.check("labels are German", pgettext_iface("Max Step Height") != "Max Step Height")
    session.check("buttons are German", pgettext_iface("Place Feet", "Operator") != "Place Feet")
    session.check("errors are German", sentences.translated(ENGLISH).startswith("Es gibt keine"))
    session.check("goals in errors are German", "„Ausrichtung“" in sentences.translated(REASON))
    view.language = "en_US"
    yield 0.5
    session.check("English is back", sentences.translated(ENGLISH) == ENGLISH)
