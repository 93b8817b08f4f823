"""The third story of `make test-gui`: every panel as wide as Blender makes it, in two languages.

Nothing is checked but that all of it is drawn: the pictures show whether a text is cut off.
"""

from __future__ import annotations

import bpy

from .acts.setup import wait_for_solver
from .hand import Pause
from .pictures import (
    bake_goals,
    begin,
    picture_of_live,
    picture_of_panel,
    picture_of_solutions,
    place_feet,
)
from .session import Session

LANGUAGES = {"en": "en_US", "de": "de_DE"}


def story(session: Session) -> Pause:
    """Goals are baked, then feet are placed; each time all panels are pictured."""
    panels = yield from begin()
    yield from wait_for_solver(session)
    yield from bake_goals()
    out = session.out
    for language, locale in LANGUAGES.items():
        session.out = out / language
        session.out.mkdir()
        yield from speak(locale)
        for name in ("rig", "feet", "goals", "solver", "bake"):
            yield from picture_of_panel(session, name, panels[name])
        yield from picture_of_panel(session, "report", panels["report"])
        (session.out / "panel_report.png").rename(session.out / "panel_report_goals.png")
        yield from picture_of_live(session, panels["live"])
        yield from picture_of_solutions(session, panels["solutions"])
    yield from place_feet()
    for language, locale in LANGUAGES.items():
        session.out = out / language
        yield from speak(locale)
        for name in ("report", "overlay", "feet"):
            yield from picture_of_panel(session, name, panels[name])
    session.out = out


def speak(locale: str) -> Pause:
    """Switch the language."""
    view = bpy.context.preferences.view
    view.language = locale
    view.use_translate_interface = True
    yield 0.5
