"""Runs with bpy: solves a whole humanoid live, and prints how long it takes, as JSON.

python -m benchmarks.window.live_child TIMES
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

import blender_bioik
from benchmarks.bakes import scene as bake_scene
from benchmarks.window.live import BONE, FRAME, TARGET, TARGET_AWAY

# Hands, feet and gaze.
GOALS = {
    "Foot.L": "POSITION",
    "Foot.R": "POSITION",
    "Hand.L": "POSITION",
    "Hand.R": "POSITION",
    "Head": "LOOK_AT",
}


def main(times: int) -> None:
    """Measure and print."""
    blender_bioik.register()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    stage = bake_scene.build(bpy.context.scene, 60)
    targets = _add_goals(stage)
    bpy.ops.bioik.toggle_live()
    cases: dict[str, Callable[[int], Any]] = {
        TARGET: lambda k: _move(targets[k % len(targets)], k),
        TARGET_AWAY: lambda k: _move_away(targets[2], k),
        BONE: lambda k: _pose(stage.armature, k),
        FRAME: lambda k: bpy.context.scene.frame_set(10 + k % 50),
    }
    measured = {name: _measured(case, times) for name, case in cases.items()}
    bpy.ops.bioik.toggle_live()
    blender_bioik.unregister()
    found = {
        "blender": bpy.app.version_string,
        "bones": len(stage.armature.pose.bones),
        "goals": len(GOALS),
        "times": measured,
    }
    print(json.dumps(found))


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


def _measured(case: Callable[[int], Any], times: int) -> dict[str, float]:
    """Milliseconds that our handlers use of the processor, and that pass meanwhile."""
    passed, used = [], []
    with _timed_handlers() as taken:
        for k in range(times):
            taken.clear()
            case(k)
            bpy.context.view_layer.update()
            passed.append(1000.0 * sum(t for t, _ in taken))
            used.append(1000.0 * sum(t for _, t in taken))
    return {
        "used": float(np.median(used)),
        "95 %": float(np.percentile(used, 95)),
        "passed": float(np.median(passed)),
    }


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
    main(int(sys.argv[1]))
