"""Live solving: what a move of a target costs, all of the handler, for a whole humanoid.

Run it with `python -m benchmarks.live`. Processor time is printed beside the time that passed: on
a busy machine only the former says something.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

import blender_bioik
from benchmarks import bake_scene

MOVES = 200
BUDGET_MS = 10.0
# Hands, feet and gaze.
GOALS = {
    "Foot.L": "POSITION",
    "Foot.R": "POSITION",
    "Hand.L": "POSITION",
    "Hand.R": "POSITION",
    "Head": "LOOK_AT",
}


def main() -> None:
    """Measure and print."""
    blender_bioik.register()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    stage = bake_scene.build(bpy.context.scene, 60)
    targets = _add_goals(stage)
    bpy.ops.bioik.toggle_live()
    cases: dict[str, Callable[[int], Any]] = {
        "a target moves": lambda k: _move(targets[k % len(targets)], k),
        "a target out of reach moves": lambda k: _move_away(targets[2], k),
        "a bone is posed by hand": lambda k: _pose(stage.armature, k),
        "the frame changes": lambda k: bpy.context.scene.frame_set(10 + k % 50),
    }
    print(f"{len(stage.armature.pose.bones)} bones, {len(GOALS)} goals, {MOVES} times each")
    for name, case in cases.items():
        passed, used = _measured(case)
        print(
            f"{name}: {np.median(used):.1f} ms of the processor (95 %: "
            f"{np.percentile(used, 95):.1f}), {np.median(passed):.1f} ms passed"
        )
        if name == "a target moves":
            print(f"  of the {BUDGET_MS:g} ms that are promised: {np.median(used) / BUDGET_MS:.0%}")
    bpy.ops.bioik.toggle_live()
    blender_bioik.unregister()


def _add_goals(stage: bake_scene.BakeScene) -> list[bpy.types.Object]:
    bpy.context.scene.frame_set(20)
    targets = []
    for bone, kind in GOALS.items():
        target = bpy.data.objects.new(f"{bone} live", None)
        stage.scene.collection.objects.link(target)
        away = (0.0, -2.0, 0.0) if kind == "LOOK_AT" else (0.03, -0.03, 0.05)
        target.location = stage.armature.pose.bones[bone].head + Vector(away)
        goal = stage.armature.bioik.goals.add()
        goal.name, goal.type, goal.bone, goal.target = bone, kind, bone, target
        if kind == "LOOK_AT":
            goal.axis = (0.0, 0.0, 1.0)
        targets.append(target)
    bpy.context.view_layer.update()
    return targets


def _measured(case: Callable[[int], Any]) -> tuple[list[float], list[float]]:
    """Milliseconds that passed and that were used in our handlers."""
    passed, used = [], []
    with _timed_handlers() as times:
        for k in range(MOVES):
            times.clear()
            case(k)
            bpy.context.view_layer.update()
            if times:
                passed.append(1000.0 * sum(t for t, _ in times))
                used.append(1000.0 * sum(t for _, t in times))
    return passed, used


@contextmanager
def _timed_handlers() -> Iterator[list[tuple[float, float]]]:
    """Our handlers of changes, each with what a call of it took."""
    times: list[tuple[float, float]] = []
    lists = [
        getattr(bpy.app.handlers, name)
        for name in ("depsgraph_update_post", "frame_change_pre", "frame_change_post")
    ]
    plain = [list(handlers) for handlers in lists]

    def timed(handler: Callable[..., Any]) -> Callable[..., None]:
        def call(*args: Any) -> None:
            passed, used = time.perf_counter(), time.thread_time()
            handler(*args)
            times.append((time.perf_counter() - passed, time.thread_time() - used))

        return call

    for handlers, own in zip(lists, plain, strict=True):
        handlers[:] = [timed(handler) for handler in own]
    yield times
    for handlers, own in zip(lists, plain, strict=True):
        handlers[:] = own


def _move(target: bpy.types.Object, k: int) -> None:
    target.location += 0.01 * Vector((np.sin(0.3 * k), np.cos(0.31 * k), np.sin(0.17 * k)))


def _move_away(target: bpy.types.Object, k: int) -> None:
    target.location = (3.0, 0.01 * k, 1.0)


def _pose(armature: bpy.types.Object, k: int) -> None:
    armature.pose.bones["Spine1"].rotation_quaternion = (1.0, 0.02 * np.sin(0.2 * k), 0.0, 0.0)


if __name__ == "__main__":
    main()
