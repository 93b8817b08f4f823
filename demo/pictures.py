"""Contact sheets and films of the demo by Blender's Workbench engine; no screen needed."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from .body import linear, material

Pixels = NDArray[np.float32]  # (height, width, 4), the top row first, 0 to 1

SHEET_CELL = (258, 440)  # width and height of one picture in the sheet, pixels
FILM_CELL = (320, 300)
PANORAMA = (1560, 420)
GAP = 8
CAPTION = 34
PAPER = (0.97, 0.97, 0.98)
INK = (0.16, 0.18, 0.22)


def contact_sheet(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    rows: Mapping[str, bpy.types.Action],
    frames: Sequence[int],
    path: Path,
) -> None:
    """Write a PNG with one row for each action and one column for each frame.

    Args:
        scene: With a camera.
        armature: The object that plays the actions.
        rows: The caption of each row and its action, from top to bottom.
        frames: Scene frames, from left to right.
        path: Where the PNG goes.
    """
    width, height = SHEET_CELL
    size = len(frames) * (width + GAP) + GAP
    parts = [_paper(size, GAP)]
    for title, action in rows.items():
        pictures = render_frames(scene, armature, action, frames, SHEET_CELL, samples="5")
        parts.append(caption(title, size, CAPTION))
        parts.append(_side_by_side(pictures, height))
        parts.append(_paper(size, GAP))
    numbers = [caption(f"frame {frame}", width, CAPTION - 8, middle=True) for frame in frames]
    parts.append(_side_by_side(numbers, CAPTION - 8))
    save_png(np.concatenate(parts), path)


def film(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    columns: Mapping[str, bpy.types.Action],
    frames: Sequence[int],
    fps: int,
    path: Path,
) -> None:
    """Write an MP4 with the actions side by side.

    Args:
        scene: With a camera.
        armature: The object that plays the actions.
        columns: The caption of each column and its action, from left to right.
        frames: Scene frames, one for each picture of the film.
        fps: Pictures a second.
        path: Where the film goes.
    """
    width, height = FILM_CELL
    titles = _side_by_side([caption(title, width, CAPTION) for title in columns], CAPTION)
    takes = [
        render_frames(scene, armature, action, frames, FILM_CELL, samples="FXAA")
        for action in columns.values()
    ]
    with tempfile.TemporaryDirectory() as folder:
        pictures = []
        for i, cells in enumerate(zip(*takes, strict=True)):
            picture = np.concatenate(
                [titles, _side_by_side(cells, height), _paper(titles.shape[1], 2)]
            )
            pictures.append(Path(folder, f"{i:05d}.png"))
            save_png(picture, pictures[-1])
        _encode(pictures, fps, path)


def panorama(
    scene: bpy.types.Scene,
    camera: bpy.types.Object,
    armature: bpy.types.Object,
    rows: Mapping[str, bpy.types.Action],
    things: Sequence[bpy.types.Object],
    frames: Sequence[int],
    path: Path,
) -> None:
    """Write a PNG with one row for each action, which shows several frames in one picture.

    Args:
        scene: The scene.
        camera: The camera.
        armature: The object that plays the actions.
        rows: The caption of each row and its action, from top to bottom.
        things: Moving objects, shown once for each frame.
        frames: Scene frames.
        path: Where the PNG goes.
    """
    width, height = PANORAMA
    parts = []
    for title, action in rows.items():
        picture = _exposed(scene, camera, armature, action, things, frames)
        parts += [caption(title, width + 2 * GAP, CAPTION), _side_by_side([picture], height)]
    parts.append(_paper(width + 2 * GAP, GAP))
    save_png(np.concatenate(parts), path)


def render_frames(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    action: bpy.types.Action,
    frames: Sequence[int],
    size: tuple[int, int],
    samples: str,
) -> list[Pixels]:
    """Render frames of an action through the scene's camera; frame and action are put back.

    Args:
        scene: Scene to render; its render settings become the demo's.
        armature: The object that plays the action.
        action: Played while rendering.
        frames: Scene frames.
        size: Width and height, pixels.
        samples: Workbench's anti-aliasing setting: "OFF", "FXAA", "5", "8", "11", "16" or "32".
    """
    _studio(scene, size, samples)
    before = scene.frame_current, armature.animation_data.action
    try:
        _play(armature, action)
        pictures = []
        for frame in frames:
            scene.frame_set(frame)
            pictures.append(_render(scene))
        return pictures
    finally:
        _play(armature, before[1])
        scene.frame_set(before[0])


def _exposed(
    scene: bpy.types.Scene,
    camera: bpy.types.Object,
    armature: bpy.types.Object,
    action: bpy.types.Action,
    things: Sequence[bpy.types.Object],
    frames: Sequence[int],
) -> Pixels:
    """Render several frames of moving objects into one picture; everything is restored."""
    _studio(scene, PANORAMA, "5")
    before = scene.frame_current, armature.animation_data.action, scene.camera
    copies: list[bpy.types.Object] = []
    try:
        _play(armature, action)
        for frame in frames:
            scene.frame_set(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            copies += [_still(thing.evaluated_get(depsgraph)) for thing in things]
        for copy in copies:
            scene.collection.objects.link(copy)
        for thing in things:
            thing.hide_render = True
        scene.camera = camera
        return _render(scene)
    finally:
        for thing in things:
            thing.hide_render = False
        for copy in copies:
            bpy.data.meshes.remove(copy.data)
        scene.camera = before[2]
        _play(armature, before[1])
        scene.frame_set(before[0])


def _still(evaluated: bpy.types.Object) -> bpy.types.Object:
    """Return a copy of an object as it is now, not linked to a scene."""
    copy = bpy.data.objects.new("Still", bpy.data.meshes.new_from_object(evaluated))
    copy.matrix_world = evaluated.matrix_world
    return copy


def caption(text: str, width: int, height: int, *, middle: bool = False) -> Pixels:
    """Return a line of text set by Blender, on paper."""
    scene = bpy.data.scenes.new("Caption")
    curve = bpy.data.curves.new("Caption", "FONT")
    curve.body, curve.size = text, 0.62
    curve.align_x, curve.align_y = "CENTER" if middle else "LEFT", "CENTER"
    ink = material("Ink", INK)
    curve.materials.append(ink)
    letters = bpy.data.objects.new("Caption", curve)
    camera = bpy.data.objects.new("Caption", bpy.data.cameras.new("Caption"))
    world = bpy.data.worlds.new("Caption")
    try:
        for thing in (letters, camera):
            scene.collection.objects.link(thing)
        # The line is one unit high; its left end is the picture's.
        camera.data.type, camera.data.sensor_fit = "ORTHO", "VERTICAL"
        camera.data.ortho_scale = 1.0
        camera.location = (0.0 if middle else width / height / 2 - GAP / height, 0.0, 5.0)
        scene.camera, scene.world = camera, world
        world.color = linear(PAPER)
        _studio(scene, (width, height), "16")
        scene.display.shading.light = "FLAT"
        scene.display.shading.show_shadows = False
        scene.display.shading.show_cavity = False
        scene.display.shading.show_object_outline = False
        return _render(scene)
    finally:
        bpy.data.scenes.remove(scene)
        bpy.data.curves.remove(curve)
        bpy.data.materials.remove(ink)
        bpy.data.cameras.remove(camera.data)
        bpy.data.worlds.remove(world)


def save_png(pixels: Pixels, path: Path) -> None:
    """Write pixels as a PNG file."""
    height, width, _ = pixels.shape
    image = bpy.data.images.new(path.stem, width, height, alpha=False)
    try:
        image.pixels.foreach_set(np.ascontiguousarray(pixels[::-1], np.float32).ravel())
        image.filepath_raw, image.file_format = str(path), "PNG"
        image.save()
    finally:
        bpy.data.images.remove(image)


def _studio(scene: bpy.types.Scene, size: tuple[int, int], samples: str) -> None:
    """Set Workbench up like a photographer's studio."""
    render = scene.render
    render.engine = "BLENDER_WORKBENCH"
    render.resolution_x, render.resolution_y = size
    render.resolution_percentage = 100
    scene.view_settings.view_transform = "Standard"
    scene.display.render_aa = samples
    scene.display.light_direction = (0.45, 0.8, 0.28)  # to the left, up, ahead
    shading = scene.display.shading
    shading.light, shading.color_type = "STUDIO", "MATERIAL"
    shading.studio_light = "paint.sl"
    shading.show_shadows, shading.shadow_intensity = True, 0.4
    shading.show_cavity, shading.cavity_type = True, "BOTH"
    shading.show_object_outline = True
    shading.object_outline_color = linear(INK)


def _play(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    data = armature.animation_data
    data.action = action
    if hasattr(data, "action_slot") and data.action_slot is None:  # Blender 4.4 and later
        data.action_slot = data.action_suitable_slots[0]


def _render(scene: bpy.types.Scene) -> Pixels:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "picture.png")
        _picture_format(scene)
        scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True, scene=scene.name)
        image = bpy.data.images.load(str(path))
        width, height = image.size
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)[::-1]


def _picture_format(scene: bpy.types.Scene) -> None:
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):  # Blender 5.0 and later
        settings.media_type = "IMAGE"
    settings.file_format, settings.color_mode = "PNG", "RGB"


def _encode(pictures: Sequence[Path], fps: int, path: Path) -> None:
    """Make an MP4 of picture files with Blender's sequencer."""
    scene = bpy.data.scenes.new("Film")
    try:
        editor = scene.sequence_editor_create()
        strips = editor.strips if hasattr(editor, "strips") else editor.sequences  # 4.4 and later
        strip = strips.new_image("Film", str(pictures[0]), channel=1, frame_start=1)
        for picture in pictures[1:]:
            strip.elements.append(picture.name)
        width, height = strip.elements[0].orig_width, strip.elements[0].orig_height
        render = scene.render
        render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
        render.fps = fps
        scene.view_settings.view_transform = "Standard"
        scene.frame_start, scene.frame_end = 1, len(pictures)
        settings = render.image_settings
        if hasattr(settings, "media_type"):
            settings.media_type = "VIDEO"
        settings.file_format = "FFMPEG"
        render.ffmpeg.format, render.ffmpeg.codec = "MPEG4", "H264"
        render.ffmpeg.constant_rate_factor = "HIGH"
        render.filepath = str(path)
        bpy.ops.render.render(animation=True, scene=scene.name)
    finally:
        bpy.data.scenes.remove(scene)


def _side_by_side(pictures: Sequence[Pixels], height: int) -> Pixels:
    parts = [_paper(GAP, height)]
    for picture in pictures:
        parts += [picture, _paper(GAP, height)]
    return np.concatenate(parts, axis=1)


def _paper(width: int, height: int) -> Pixels:
    return np.full((height, width, 4), (*PAPER, 1.0), np.float32)
