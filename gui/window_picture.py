"""The story of the picture that shows sidebar and overlay, for the guide."""

from __future__ import annotations

import bpy

from . import crop
from .acts.feet.character import ON_A_HILL, armature, rig
from .acts.setup import MODULE, wait_for_solver
from .hand import Pause, Place
from .session import Session, take_picture
from .view import area_of, override, region_of, show_sidebar

# The part of the view's height, from below, in which the overlay is.
BAND = (0.23, 0.7)


def story(session: Session) -> Pause:
    """Place the feet, and look at them from the side."""
    bpy.context.preferences.system.use_region_overlap = False
    bpy.ops.preferences.addon_enable(module=MODULE)
    yield from show_sidebar()
    yield from wait_for_solver(session)
    rig().feet.grounds.add().object = bpy.data.objects["Hills"]
    armature().show_in_front = False
    with override():
        bpy.context.view_layer.objects.active = armature()
        bpy.ops.bioik.place_feet()
        bpy.ops.object.select_all(action="DESELECT")
    bpy.context.workspace.bioik_overlay.show = True
    bpy.context.scene.frame_set(ON_A_HILL)
    view = area_of("VIEW_3D").spaces.active
    view.overlay.show_floor = view.overlay.show_axis_x = view.overlay.show_axis_y = False
    view.overlay.show_cursor = view.show_gizmo = view.show_region_toolbar = False
    look = view.region_3d
    look.view_perspective = "PERSP"
    look.view_location = (0.0, -3.6, 0.75)
    look.view_distance = 4.2
    look.view_rotation = (0.62, 0.45, 0.38, 0.52)
    area = area_of("VIEW_3D")
    yield from session.hand.move(Place(area.x + 200, area.y + 60))
    yield 2.0
    whole = session.out / "window.png"
    take_picture(whole)
    pixels = crop.pixels_of(whole)
    whole.unlink()
    view_pixels = pixels[area.y : area.y + area.height, area.x : area.x + area.width]
    crop.save(view_pixels, session.out / "window.jpg")
    band = slice(*(round(share * area.height) for share in BAND))
    width = region_of(area, "UI").x - area.x
    crop.save(view_pixels[band, :width], session.out / "overlay.jpg")
