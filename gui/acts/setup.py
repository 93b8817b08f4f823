"""Enable the extension, and pick the character and its ground."""

from __future__ import annotations

import importlib

import bpy
from mathutils import Vector

from ..hand import Pause
from ..session import Session
from ..view import area_of, find_button, place_of, region_of, show_sidebar
from .feet.character import GROUND, armature, bone_place, rig

MODULE = "bl_ext.user_default.blender_bioik"
# Where the preferences have their checkboxes, as shares of the region's width.
CHECKBOXES = (0.04, 0.045, 0.035)
# How long to wait for the compilation at most, seconds.
COMPILING_S = 900.0


def enable(session: Session) -> Pause:
    """Enable the extension with its checkbox in the preferences."""
    area = area_of("VIEW_3D")
    area.type = "PREFERENCES"
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Bio-IK"
    yield 1.0
    wanted = r"preferences\.addon_enable"
    place = yield from find_button(session.hand, wanted, area, "WINDOW", CHECKBOXES)
    yield from session.hand.click(place)
    yield 1.0
    yield from session.picture("enabled")
    session.check("enabled by its checkbox", MODULE in bpy.context.preferences.addons)
    area.type = "VIEW_3D"
    yield from show_sidebar()
    session.check("the sidebar has a tab", region_of(area, "UI").active_panel_category == "Bio-IK")


def look_at_character() -> None:
    """Look at character and ground from the side."""
    view = area_of("VIEW_3D").spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_location = (0.0, -1.2, 0.8)
    view.view_distance = 7.0
    view.view_rotation = (0.62, 0.45, 0.38, 0.52)


def pick(session: Session) -> Pause:
    """Click the ground, then the character with Shift; add the ground, pin the character."""
    hand, ground = session.hand, bpy.data.objects[GROUND]
    look_at_character()
    yield from session.picture("the scene")
    yield from hand.click(place_of(Vector((0.5, -3.0, 0.2))))
    session.check("a click picks the ground", _active() == ground)
    yield from hand.click(bone_place("spine"), shift=True)
    session.check("a click picks the character", _active() in (armature(), *armature().children))
    yield from session.press(r"bioik\.add_ground")
    session.check("the ground is listed", [item.object for item in rig().feet.grounds] == [ground])
    yield from session.press(r"bioik\.pick_armature")
    session.check("the character is pinned", bpy.context.scene.bioik.armature == armature())
    yield from session.picture("picked")


def wait_for_solver(session: Session) -> Pause:
    """Wait until the kernels are compiled; that begins some time after the extension is enabled."""
    warm_up_note = importlib.import_module(f"{MODULE}.warm_up_note")
    yield from session.until(lambda: not warm_up_note.is_compiling(), COMPILING_S)
    told = bpy.context.window_manager.bioik_note
    session.check("the solver is compiled", not (warm_up_note.is_compiling() or told))


def _active() -> bpy.types.Object:
    return bpy.context.view_layer.objects.active
