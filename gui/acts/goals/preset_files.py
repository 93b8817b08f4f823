"""Presets to files and back, through Blender's file browser."""

from __future__ import annotations

from pathlib import Path

import bpy

from ...hand import Pause
from ...session import Session
from ...view import area_of, middle_of, override
from ..feet.character import rig

NAME, FILE = "On a file", "exported.json"


def export_and_import(session: Session) -> Pause:
    """Export the goals' preset, remove it, and import it again."""
    # In the window itself: a second one could not be pictured.
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    kind = "FEET"
    rig().feet.slope = 0.5
    with override():
        bpy.ops.bioik.save_preset(kind=kind, name=NAME)
        bpy.ops.bioik.export_preset("INVOKE_DEFAULT", kind=kind, name=NAME)
    yield from _choose(session, "exporting a preset")
    session.check("a file is written", _file(session).exists())
    with override():
        bpy.ops.bioik.remove_preset(kind=kind, name=NAME)
        bpy.ops.bioik.import_preset("INVOKE_DEFAULT")
    yield from _choose(session, "importing a preset")
    rig().feet.slope = 1.0
    with override():
        bpy.ops.bioik.apply_preset(kind=kind, name=NAME)
    session.check("the imported preset is applied", abs(rig().feet.slope - 0.5) < 1e-6)


def _choose(session: Session, picture: str) -> Pause:
    """Name the file in the browser, and press Enter in it."""
    yield 1.0
    browser = area_of("FILE_BROWSER")
    parameters = browser.spaces.active.params
    parameters.directory = str(session.out).encode()
    parameters.filename = FILE
    yield from session.picture(picture)
    yield from session.hand.move(middle_of("FILE_BROWSER"))
    yield from session.hand.key("RET")
    yield 1.0


def _file(session: Session) -> Path:
    return session.out / FILE
