"""Cuts pictures of the window. Used inside Blender."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.float32]
QUALITY = 85
# Pixels along the edges of a region.
RIM = 6
# Every row and column of a menu has more than this of its background.
MENU_PIXELS = 40
# Maximum height of fields in it, which have their own background.
FIELD_PIXELS = 30


class Box(NamedTuple):
    """A part of the window, pixels from its lower left corner."""

    left: int
    below: int
    right: int
    above: int


def pixels_of(picture: Path) -> Pixels:
    """A picture's pixels: (height, width, 4), from below as Blender counts them."""
    image = bpy.data.images.load(str(picture))
    width, height = image.size
    pixels = np.empty(width * height * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)


def region_pixels(picture: Path, region: bpy.types.Region) -> Pixels:
    """The part of a picture of the whole window that shows a region."""
    window = pixels_of(picture)
    return window[region.y : region.y + region.height, region.x : region.x + region.width]


def menu_box(before: Path, after: Path) -> Box:
    """Where a menu or popover has appeared between two pictures.

    Raises:
        LookupError: There is none.
    """
    ground = bpy.context.preferences.themes[0].user_interface.wcol_menu_back.inner[:3]
    was, now = (
        np.all(np.abs(pixels_of(picture)[..., :3] - ground) < 0.01, axis=2)
        for picture in (before, after)
    )
    new = now & ~was
    below, above = _longest_run(new.sum(axis=1) > MENU_PIXELS)
    columns = np.flatnonzero(new[below : above + 1].sum(axis=0) > MENU_PIXELS)
    if not len(columns):
        raise LookupError("No menu has opened")
    return Box(int(columns[0]), below, int(columns[-1]), above)


def _longest_run(flags: NDArray[np.bool_]) -> tuple[int, int]:
    """First and last index of the longest run of True, with gaps as high as a field in it."""
    there = np.flatnonzero(flags)
    runs = np.split(there, np.flatnonzero(np.diff(there) > FIELD_PIXELS) + 1)
    longest = max(runs, key=len)
    return (int(longest[0]), int(longest[-1])) if len(longest) else (0, 0)


def without_empty_rows(pixels: Pixels) -> Pixels:
    """Without the empty rows below; the region's rim and a mark at its right are ignored."""
    inner = pixels[RIM:, RIM : pixels.shape[1] // 2]
    empty = np.all(np.abs(inner - inner[0, 0]) < 0.01, axis=(1, 2))
    return pixels[int(np.argmin(empty)) :]


def save(pixels: Pixels, path: Path) -> None:
    """Write a picture, as JPEG or PNG depending on its name."""
    height, width, _ = pixels.shape
    image: Any = bpy.data.images.new(path.stem, width, height)
    image.pixels.foreach_set(np.ascontiguousarray(pixels).ravel())
    image.filepath_raw = str(path)
    image.file_format = "JPEG" if path.suffix == ".jpg" else "PNG"
    image.save(quality=QUALITY)
    bpy.data.images.remove(image)
