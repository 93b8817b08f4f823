"""Runs in a Blender window: draws the sidebar and the overlay many times, and notes how long.

blender --factory-startup --python benchmarks/drawing_child.py -- CODE_FOLDER RESULT.json REDRAWS
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import bpy

BONES, CONTACTS, GOALS = 65, 40, 10
STRIDES = 10
# Between redraws, seconds: each of them shall be one of its own.
PAUSE = 0.06
PANEL_CALLS = ("poll", "draw", "draw_header", "draw_header_preset")


class Clock:
    """Adds up the time of calls, without counting those inside others twice.

    Both by the clock on the wall and of Blender's own thread, which leaves out what other programs
    take of a busy machine, and the threads that draw in place of a graphics card.
    """

    def __init__(self) -> None:
        self.wall = self.own = 0.0
        self._depth = 0

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*given: Any, **named: Any) -> Any:
            self._depth += 1
            wall, own = time.perf_counter(), time.thread_time()
            try:
                return call(*given, **named)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.wall += time.perf_counter() - wall
                    self.own += time.thread_time() - own

        return measured

    def take(self) -> tuple[float, float]:
        """Milliseconds since the last time: of the thread, and by the clock."""
        taken = 1000.0 * self.own, 1000.0 * self.wall
        self.wall = self.own = 0.0
        return taken


def main(code: str, result: str, redraws: str) -> None:
    sys.path.insert(0, code)
    panels, overlay = Clock(), Clock()
    steps = measure(panels, overlay, int(redraws), Path(result))

    def step() -> float | None:
        try:
            return next(steps)
        except BaseException as error:  # the end, too: nobody is there to close the window
            if not isinstance(error, StopIteration):
                traceback.print_exc()
            sys.stdout.flush()
            os._exit(0 if isinstance(error, StopIteration) else 3)

    bpy.app.timers.register(step, first_interval=1.5, persistent=True)


def measure(panels: Clock, overlay: Clock, redraws: int, result: Path) -> Iterator[float]:
    """Everything in turn; yields the seconds until the next step."""
    register(panels, overlay)
    scene, armature = build()
    area = next(a for a in bpy.context.window.screen.areas if a.type == "VIEW_3D")
    space = area.spaces.active
    space.show_region_ui = True
    space.region_3d.view_location = (0.0, -2.0, 0.5)
    space.region_3d.view_distance = 8.0
    yield 1.0
    sidebar = next(region for region in area.regions if region.type == "UI")
    sidebar.active_panel_category = "Bio-IK"
    yield 1.0
    found: dict[str, Any] = {}
    for name, moving, shown in (
        ("off", False, False),
        ("still", False, True),
        ("playing", True, True),
    ):
        bpy.context.workspace.bioik_overlay.show = shown
        area.tag_redraw()
        yield 1.0
        times: dict[str, list[tuple[float, float]]] = {"panels": [], "overlay": []}
        for k in range(redraws):
            if moving:
                scene.frame_set(scene.frame_start + k)
            panels.take(), overlay.take()
            area.tag_redraw()
            yield PAUSE
            for kind, clock in (("panels", panels), ("overlay", overlay)):
                if (taken := clock.take())[1] > 0.0:
                    times[kind].append(taken)
        found[name] = {
            kind: {
                "own": median(own for own, _ in each),
                "wall": median(wall for _, wall in each),
                "worst": max(own for own, _ in each),
                "redraws": len(each),
            }
            for kind, each in times.items()
            if each
        }
    import gpu

    result.write_text(
        json.dumps(
            {
                "blender": bpy.app.version_string,
                "renderer": f"{gpu.platform.renderer_get()}, {gpu.platform.backend_type_get()}",
                "bones": len(armature.data.bones),
                "contacts": len(armature.bioik.feet.contacts),
                "goals": len(armature.bioik.goals),
                "problem": problem(),
                "times": found,
            }
        ),
        encoding="utf-8",
    )


def register(panels: Clock, overlay: Clock) -> None:
    """Register the extension with clocks around what draws, and all panels open."""
    import blender_bioik
    from blender_bioik import panels as drawn
    from blender_bioik.overlay import handler

    for cls in drawn.CLASSES:
        if not issubclass(cls, bpy.types.Panel):
            continue
        cls.bl_options = set(getattr(cls, "bl_options", ())) - {"DEFAULT_CLOSED"}
        for name in PANEL_CALLS:
            if hasattr(cls, name):
                setattr(cls, name, _method(panels, name, getattr(cls, name)))
    handler._draw = overlay.timed(handler._draw)
    blender_bioik.register()


def _method(clock: Clock, name: str, call: Callable[..., Any]) -> Any:
    """A panel's method with a clock around it; Blender wants it to have two arguments."""
    timed = clock.timed(call)
    if name == "poll":  # bound to its class already
        return classmethod(lambda _cls, context: timed(context))
    return lambda self, context: timed(self, context)  # noqa: PLW0108


def problem() -> str:
    """Why the overlay has stopped, if it has."""
    from blender_bioik.overlay import handler

    return handler.problem()


def build() -> tuple[bpy.types.Scene, bpy.types.Object]:
    """A character that walks, with contacts, goals that were solved, and a source."""
    from blender_bioik.goal_types import BUILT_IN
    from blender_bioik.rig.report.goal_errors import GoalError, keep_errors
    from blender_bioik.rig.trace.read_trace import read_trace
    from blender_bioik.rig.trace.trace import keep_trace
    from demo import character, walk
    from demo.gait import CYCLE_FRAMES

    for other in list(bpy.data.objects):
        bpy.data.objects.remove(other)
    scene = bpy.context.scene
    armature = character.build(scene.collection)
    _add_bones(armature)
    walk.animate(armature, strides=STRIDES)
    scene.frame_start, scene.frame_end = walk.FIRST_FRAME, walk.FIRST_FRAME + STRIDES * CYCLE_FRAMES
    baked = armature.bioik.baked
    baked.source = armature.animation_data.action
    baked.result = armature.animation_data.action.copy()
    armature.animation_data.action = baked.result
    every = (scene.frame_end - scene.frame_start) // CONTACTS
    for k in range(CONTACTS):
        contact = armature.bioik.feet.contacts.add()
        contact.name = str(k)
        contact.foot, contact.slides = ("leg.L", "leg.R")[k % 2], k % 5 == 0
        contact.frame_start = scene.frame_start + k * every
        contact.frame_end = contact.frame_start + 2 * every - 2
    for k in range(GOALS):
        goal = armature.bioik.goals.add()
        goal.type, goal.name = BUILT_IN[k % 4].identifier, f"Goal {k}"
        goal.bone, goal.point = armature.data.bones[4 * k].name, (0.1 * k, -1.0, 1.0)
    errors = ((goal.name, GoalError(3.0, "mm", False)) for goal in armature.bioik.goals)
    keep_errors(armature, errors)
    keep_trace(armature, read_trace(scene, armature))
    armature.bioik.bake.report = json.dumps(report(armature))
    return scene, armature


def report(armature: bpy.types.Object) -> dict[str, Any]:
    """What placing feet leaves behind: numbers of two feet and of all goals, and worst frames."""
    foot = {"locked_contacts": 9}
    for name, unit in (
        ("penetration", "mm"),
        ("drift", "mm"),
        ("floating", "mm"),
        ("slope_error", "deg"),
    ):
        foot |= {f"{name}_worst_{unit}": 0.7, f"{name}_worst_frame": 43.0}
    foot |= {"skate_mm_s": 12.0, "skate_worst_frame": 44.0}
    clip = {"jerk_mean_ratio": 1.01, "acceleration_worst_ratio": 1.1}
    clip |= {"pelvis_plan_worst_mm": 9.0, "pelvis_rise_worst_mm": 14.0, "upper_body_worst_deg": 0.0}
    goal = {"unit": "mm", "frames": 90, "reached": 90, "preference": False, "worst_frame": 61.0}
    goal |= {"worst": 0.2, "mean": 0.1, "worst_before": 312.0, "mean_before": 98.0}
    return {
        "schema": "bioik.foot_report",
        "version": 1,
        "written": "Walk_bioik",
        "bones": 12,
        "scale": 1.0,
        "first_frame": 1.0,
        "last_frame": 90.0,
        "feet": [{"name": name, "before": foot, "after": foot} for name in ("leg.L", "leg.R")],
        "clip": clip,
        "unreached": [],
        "goals": [goal | {"name": each.name} for each in armature.bioik.goals],
        "worst": [{"frame": 43.0 + k, "text": f"leg.L slides 1.{k} mm"} for k in range(3)],
        "notes": [],
    }


def _add_bones(armature: bpy.types.Object) -> None:
    """As many more as are missing, on the head."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for k in range(BONES - len(bones)):
        bone = bones.new(f"hair.{k:02}")
        bone.parent = bones["head"]
        bone.head = (0.01 * k, 0.05, 1.6)
        bone.tail = (0.01 * k, 0.1, 1.7)
    bpy.ops.object.mode_set(mode="OBJECT")


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
