"""Build the demo scene, bake it, save it before and after, and picture both."""

from __future__ import annotations

import time
from pathlib import Path

import bpy

from . import goals, pictures, stage
from .gait import FPS
from .walk import FIRST_FRAME, LAST_FRAME

OUT = Path(__file__).parent / "out"
FILM_STEP = 2  # on twos: a software renderer draws every picture twice
SHEET_FRAMES = (8, 27, 49, 66, 100, 122)


def main() -> None:
    """Run the demo and leave everything in demo/out."""
    OUT.mkdir(exist_ok=True)
    clock = _Clock()
    built = stage.build()
    source = built.armature.animation_data.action
    # Kept when the bake puts its own action in its place.
    source.use_fake_user = True
    _save("before.blend")
    clock.lap("build the scene")

    reached = goals.bake(built)
    baked = built.armature.animation_data.action
    _save("after.blend")
    clock.lap("bake")

    takes = {"before": source, "after": baked}
    pictures.contact_sheet(
        built.scene, built.armature, takes, SHEET_FRAMES, OUT / "contact_sheet.png"
    )
    clock.lap("contact sheet")
    pictures.film(
        built.scene,
        built.armature,
        takes,
        range(FIRST_FRAME, LAST_FRAME, FILM_STEP),
        FPS // FILM_STEP,
        OUT / "before_after.mp4",
    )
    clock.lap("film")
    # At the end, because Blender prints a line for each picture.
    print(*clock.laps, *reached, f"Look into {OUT}", sep="\n")


def _save(name: str) -> None:
    path = OUT / name
    path.unlink(missing_ok=True)  # or Blender keeps it as a backup beside the new one
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, compress=True)


class _Clock:
    """Notes how long each part took."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.laps: list[str] = []

    def lap(self, what: str) -> None:
        now = time.perf_counter()
        self.laps.append(f"{what}: {now - self._last:.1f} s")
        self._last = now
