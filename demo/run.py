"""Build the demo scenes, place feet and bake goals, save before and after, and picture both."""

from __future__ import annotations

import time
from pathlib import Path

import bpy

from . import course, feet, goals, pictures, stage
from .gait import FPS
from .walk import FIRST_FRAME

OUT = Path(__file__).parent / "out"
FILM_STEP = 2  # on twos: a software renderer draws every picture twice
WAY_FRAMES = range(9, course.LAST_FRAME, 18)  # no multiple of a step: every figure another pose
GOAL_FRAMES = (8, 27, 49, 66, 100, 122)
BEFORE, AFTER = "before: a walk made on a flat floor", "after: feet placed on hills and stairs"


def main() -> None:
    """Run the demo and leave everything in demo/out."""
    OUT.mkdir(exist_ok=True)
    clock = _Clock()
    placed = _place_feet(clock)
    reached = _bake_goals(clock)
    # At the end, because Blender prints a line for each picture.
    print(*clock.laps, "", *placed, "", *reached, "", f"Look into {OUT}", sep="\n")


def _place_feet(clock: _Clock) -> list[str]:
    """The walk on hills and stairs; returns the report."""
    built = course.build()
    source = _kept_action(built.armature)
    _save("before.blend")
    clock.lap("build the course")
    report = feet.place(built)
    placed = built.armature.animation_data.action
    _save("after.blend")
    clock.lap("place the feet")
    scene, armature = built.scene, built.armature
    (body,) = armature.children
    takes = {BEFORE: source, AFTER: placed}
    sheet = OUT / "contact_sheet.png"
    pictures.panorama(scene, built.panorama, armature, takes, [body], WAY_FRAMES, sheet)
    clock.lap("contact sheet")
    frames = range(FIRST_FRAME, course.LAST_FRAME, FILM_STEP)
    takes = {"before": source, "after": placed}
    film = OUT / "before_after.mp4"
    pictures.film(scene, armature, takes, frames, FPS // FILM_STEP, film)
    clock.lap("film")
    return report


def _bake_goals(clock: _Clock) -> list[str]:
    """The walk with things to look at, hold and avoid; returns the report."""
    built = stage.build()
    source = _kept_action(built.armature)
    clock.lap("build the stage")
    reached = goals.bake(built)
    baked = built.armature.animation_data.action
    _save("goals.blend")
    clock.lap("bake the goals")
    takes = {"before": source, "after": baked}
    sheet = OUT / "goals_contact_sheet.png"
    pictures.contact_sheet(built.scene, built.armature, takes, GOAL_FRAMES, sheet)
    clock.lap("contact sheet of the goals")
    return reached


def _kept_action(armature: bpy.types.Object) -> bpy.types.Action:
    """The source, made to stay in the file when another action takes its place."""
    source = armature.animation_data.action
    source.use_fake_user = True
    return source


def _save(name: str) -> None:
    path = OUT / name
    path.unlink(missing_ok=True)  # otherwise Blender keeps it as a backup
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
