"""What runs inside Blender for the benchmark of whole bakes; prints what it measured as JSON.

Run by `bakes.py` in processes of their own, with the Python that has bpy:
python -m benchmarks.bakes.child race BLEND FRAMES ROUNDS, growth SHORT LONG ROUNDS, or
memory BLEND BAKER. `race` saves the scene as BLEND, from which `memory` starts.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Matrix

from benchmarks import nla_bake
from benchmarks.bakes.section import ALL_BONES, ROTATIONS, SAME_BONES, SELECTED, TO_THE_ROOT

if TYPE_CHECKING:
    from benchmarks.bakes.scene import BakeScene

OURS = (SAME_BONES, TO_THE_ROOT)
SOURCE = "source"
SHORT_FRAMES = 60

Times = dict[str, float]
Baker = Callable[["BakeScene", int], Times]


def main() -> None:
    """Do what the command line asks for."""
    task, *arguments = sys.argv[1:]
    # Memory starts from bpy alone, so blender_bioik is imported only after its first reading.
    if task == "memory":
        result = memory(Path(arguments[0]), arguments[1])
    elif task == "race":
        result = race(Path(arguments[0]), int(arguments[1]), int(arguments[2]))
    else:
        result = growth(*(int(argument) for argument in arguments))
    print("\n" + json.dumps(result), flush=True)


def race(blend: Path, frames: int, rounds: int) -> dict[str, Any]:
    """Times of all bakers in turns, in an order that changes, and the quality of their results."""
    from benchmarks.bakes import scene as bake_scene

    with _registered():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        stage = bake_scene.build(bpy.context.scene, frames)
        bpy.ops.wm.save_as_mainfile(filepath=str(blend), check_existing=False)
        names = list(BAKERS)
        times: dict[str, list[Times]] = {name: [] for name in names}
        quality = {SOURCE: _quality(stage)}
        for name in names:
            _bake(stage, name, min(SHORT_FRAMES, frames))
        for number in range(rounds):
            for turn in range(len(names)):
                name = names[(turn + number) % len(names)]
                judge = number == 0 and name in (*OURS, ALL_BONES)
                found: dict[str, Any] = {}
                times[name].append(_bake(stage, name, frames, found if judge else None))
                if judge:
                    quality[name] = found
    return {
        "blender": bpy.app.version_string,
        "bones": len(stage.armature.data.bones),
        "times": times,
        "quality": quality,
    }


def growth(short: int, long: int, rounds: int) -> dict[str, Any]:
    """Times of our bake of a long clip and, in turns, of a short one.

    In each round the short clip is baked as often as it fits into the long one, half of it before
    and half after: so both meet the same disturbances, and its times are means.
    """
    from benchmarks.bakes import scene as bake_scene

    with _registered():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        stages: list[BakeScene] = []
        for frames in (short, long):
            if stages:
                # Each clip in a scene of its own: neither is evaluated with the other.
                bpy.context.window.scene = bpy.data.scenes.new(f"{frames} frames")
            stages.append(bake_scene.build(bpy.context.scene, frames))
        for stage in stages:
            for name in OURS:
                _bake(stage, name, SHORT_FRAMES)
        times: dict[str, dict[str, list[Times]]] = {}
        for _ in range(rounds):
            for name in OURS:
                half = long // short // 2
                order = [stages[0]] * half + [stages[1]] + [stages[0]] * half
                taken = [(stage.frames, _bake(stage, name, stage.frames)) for stage in order]
                for frames in (short, long):
                    rounds_of = times.setdefault(name, {}).setdefault(str(frames), [])
                    rounds_of.append(_mean([each for baked, each in taken if baked == frames]))
    return {"times": times}


def memory(blend: Path, baker: str) -> dict[str, float]:
    """Megabytes of this process: with the scene loaded, and at most while baking."""
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    bpy.context.scene.frame_set(1)
    loaded = _megabytes("VmRSS")
    _forget_peak()
    with _registered():
        from benchmarks.bakes import scene as bake_scene

        stage = bake_scene.found(bpy.context.scene)
        BAKERS[baker](stage, SHORT_FRAMES)
        _restore(stage)
        short = _megabytes("VmHWM")
        BAKERS[baker](stage, stage.frames)
        return {"loaded": loaded, "short": short, "peak": _megabytes("VmHWM")}


# Bakers: each bakes frames 1 to n into a new action and returns its seconds


def _ours(to_the_root: bool) -> Baker:
    def bake(stage: BakeScene, frames: int) -> Times:
        from benchmarks.bakes.scene import add_goals
        from blender_bioik.rig.bake.bake import BakeOptions, read_goals, write_goals
        from blender_bioik.rig.reading import drained

        add_goals(stage, to_the_root=to_the_root)
        start = time.perf_counter()
        options = BakeOptions(1, frames)
        problem = drained(read_goals(stage.scene, stage.armature, options))
        read = time.perf_counter()
        solution = problem.solve()
        solved = time.perf_counter()
        report = write_goals(problem, solution, options)
        end = time.perf_counter()
        return {
            "read": read - start,
            "solve": solved - read,
            "write": end - solved,
            "total": end - start,
            "bones": report.bones,
        }

    return bake


def _blenders(*, only_selected: bool, channels: set[str] | None = None) -> Baker:
    def bake(stage: BakeScene, frames: int) -> Times:
        from benchmarks.bakes.scene import MOVED, add_constraints

        armature = stage.armature
        armature.bioik.goals.clear()
        add_constraints(stage)
        bpy.context.view_layer.objects.active = armature
        armature.select_set(True)
        for bone in armature.pose.bones:
            owner = bone if hasattr(bone, "select") else bone.bone  # up to Blender 4.5
            owner.select = bone.name in MOVED
        options = {} if channels is None else {"channel_types": channels}
        seconds = nla_bake.bake(frames, only_selected=only_selected, **options)
        return {"total": seconds, "bones": len(MOVED if only_selected else armature.pose.bones)}

    return bake


BAKERS: dict[str, Baker] = {
    SAME_BONES: _ours(to_the_root=False),
    TO_THE_ROOT: _ours(to_the_root=True),
    SELECTED: _blenders(only_selected=True),
    ROTATIONS: _blenders(only_selected=True, channels={"ROTATION"}),
    ALL_BONES: _blenders(only_selected=False),
}


def _bake(stage: BakeScene, name: str, frames: int, quality: dict[str, Any] | None = None) -> Times:
    """Bake, judge the result if asked to, and leave the scene as it was."""
    busy = time.process_time()
    times = BAKERS[name](stage, frames)
    times["CPU"] = time.process_time() - busy
    if quality is not None:
        quality |= _quality(stage)
    _restore(stage)
    return times


def _mean(times: list[Times]) -> Times:
    return {step: sum(each[step] for each in times) / len(times) for step in times[0]}


def _restore(stage: BakeScene) -> None:
    """Take the baked action away and let the armature play its source again."""
    from blender_bioik.rig.blender import fcurves

    armature = stage.armature
    baked, source = armature.animation_data.action, bpy.data.actions[_source_of(armature)]
    fcurves.assign_action(armature, source, fcurves.ensure_slot(source, armature))
    if baked != source:
        bpy.data.actions.remove(baked)
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix()
    stage.scene.frame_set(1)


def _source_of(armature: bpy.types.Object) -> str:
    return f"{armature.name} source"


def _quality(stage: BakeScene) -> dict[str, Any]:
    from benchmarks.bakes.quality import measure
    from benchmarks.bakes.scene import GAZE, HEAD, SHIN, SIDES

    feet = {name: target for name, target in stage.targets.items() if name != GAZE}
    knees = [f"{SHIN}.{side}" for side in SIDES]
    gaze = stage.targets[GAZE]
    return asdict(measure(stage.scene, stage.armature, feet, knees, HEAD, gaze, stage.frames))


class _registered:  # noqa: N801, used like a function
    """The extension enabled for as long as the block runs."""

    def __enter__(self) -> None:
        import blender_bioik

        blender_bioik.register()

    def __exit__(self, *_: object) -> None:
        import blender_bioik

        blender_bioik.unregister()


def _megabytes(field: str) -> float:
    """A field of Linux' account of this process: VmRSS now, VmHWM at most so far."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith(f"{field}:"))
    return float(kilobytes) / 1024.0


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


if __name__ == "__main__":
    main()
