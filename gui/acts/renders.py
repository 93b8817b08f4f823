"""The overlay is seen in the 3D View, and never in renders."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from ..crop import Pixels, pixels_of, region_pixels
from ..hand import Pause
from ..session import Session, take_picture
from ..view import area_of, override, region_of
from .feet.character import armature

SIZE = (320, 240)
# Where the camera is, seen from the character, metres.
AWAY = Vector((3.0, -3.0, 1.5))
# Blender smooths its own lines a little differently now and then: each picture is made so often
# with the overlay and without, by turns. What the overlay draws is in all of the first ones.
ROUNDS = 3
# A little more than one step of a colour's 256, of 1.
STEP = 0.005


def overlay_not_in_renders(session: Session) -> Pause:
    """Draw the 3D View, render it and render the camera's picture, with the overlay and without."""
    _set_camera()
    bpy.context.view_layer.objects.active = armature()
    made: dict[str, Callable[[Path], Pixels]] = {
        "the 3D View": _seen,
        "a render": _rendered,
        "a viewport render": _rendered_view,
    }
    for name, make in made.items():
        shown, hidden = [], []
        for _ in range(ROUNDS):
            hidden.append((yield from _pixels(session, name, make, overlay=False)))
            shown.append((yield from _pixels(session, name, make, overlay=True)))
        other = _changed(shown, hidden)
        print(f"The overlay changes {other} pixels of {name}", flush=True)
        session.check(f"{name} is not empty", len(np.unique(hidden[0])) > 10)
        is_right = other > 100 if make is _seen else other == 0
        session.check(f"the overlay is {'' if make is _seen else 'not '}in {name}", is_right)


def _pixels(
    session: Session, name: str, make: Callable[[Path], Pixels], *, overlay: bool
) -> Generator[float, None, Pixels]:
    bpy.context.workspace.bioik_overlay.show = overlay
    area_of("VIEW_3D").tag_redraw()
    yield 1.0
    return make(session.out / f"{name}, overlay {'on' if overlay else 'off'}.png")


def _changed(shown: list[Pixels], hidden: list[Pixels]) -> int:
    """How many pixels differ in every picture with the overlay from every one without."""
    lighter = np.min(shown, axis=0) > np.max(hidden, axis=0) + STEP
    darker = np.max(shown, axis=0) < np.min(hidden, axis=0) - STEP
    return int((lighter | darker).any(axis=-1).sum())


def _set_camera() -> None:
    """A camera that sees the character."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    middle = armature().matrix_world @ armature().pose.bones["spine"].head
    camera.location = middle + AWAY
    camera.rotation_euler = (-AWAY).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera
    render = scene.render
    render.engine = "BLENDER_WORKBENCH"
    render.resolution_x, render.resolution_y = SIZE
    render.resolution_percentage = 100
    render.image_settings.file_format = "PNG"


def _seen(path: Path) -> Pixels:
    """The view without the sidebar, which shows whether the overlay is enabled."""
    take_picture(path)
    area = area_of("VIEW_3D")
    view = region_pixels(path, region_of(area, "WINDOW"))
    return view[:, : region_of(area, "UI").x - region_of(area, "WINDOW").x]


def _rendered(path: Path) -> Pixels:
    bpy.context.scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return pixels_of(path)


def _rendered_view(path: Path) -> Pixels:
    bpy.context.scene.render.filepath = str(path)
    with override():
        bpy.ops.render.opengl(write_still=True, view_context=True)
    return pixels_of(path)
