"""What runs inside Blender for the benchmark of foot placement; prints what it measured as JSON.

Run by `feet.py` in processes of their own, with the Python that has bpy:
python -m benchmarks.feet.child scenes NAME..., times FRAMES ROUNDS, or growth SHORT LONG ROUNDS.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import bpy

import blender_bioik
from benchmarks.feet import scenes as feet_scenes
from benchmarks.feet import stock as feet_stock
from benchmarks.feet.measure import Feet, measure
from benchmarks.feet.scenes import FeetScene
from blender_bioik.rig.blender import fcurves

WARM_UP_FRAMES = 52

Times = dict[str, float]
Progress = Callable[[int, int], None]
Placer = Callable[[FeetScene], Times]


@dataclass(frozen=True)
class Placed:
    """What a placer made of a scene, and its seconds for a frame."""

    feet: Feet
    times: Times


def main() -> None:
    """Do what the command line asks for."""
    task, *arguments = sys.argv[1:]
    with registered():
        _warm_up()
        if task == "scenes":
            result = scenes(arguments)
        elif task == "times":
            result = times(*(int(argument) for argument in arguments))
        else:
            result = growth(*(int(argument) for argument in arguments))
    print("\n" + json.dumps(result), flush=True)


def scenes(names: list[str]) -> dict[str, Any]:
    """What each placer makes of each scene; the words of an error where one fails."""
    found: dict[str, Any] = {}
    for name in names:
        if not feet_scenes.available(name):
            continue
        found[name] = {}
        for placer in ("ours", "stock"):
            try:
                found[name][placer] = asdict(place(name, PLACERS[placer]))
            except Exception as error:  # the other scenes are worth having all the same
                found[name][placer] = f"{type(error).__name__}: {error}"
    return found


def times(frames: int, rounds: int) -> dict[str, Any]:
    """Seconds of ours and the stock way for a long walk, in turns."""
    with quiet():
        built = feet_scenes.long_walk(frames)
    found: dict[str, list[Times]] = {"ours": [], "stock": []}
    for _ in range(rounds):
        for placer, taken in found.items():
            taken.append(_baked_and_undone(built, PLACERS[placer]))
    bones = len(built.clip.armature.data.bones)
    return {"frames": len(built.source.matrices), "bones": bones, "times": found}


def growth(short: int, long: int, rounds: int) -> dict[str, Any]:
    """Seconds of ours for a short walk and a long one, in turns."""
    found: dict[str, list[Times]] = {}
    for _ in range(rounds):
        for frames in (short, long):
            with quiet():
                built = feet_scenes.long_walk(frames)
            taken = ours(built) | {"frames": len(built.source.matrices)}
            found.setdefault(str(frames), []).append(taken)
    return {"times": found}


def place(name: str, placer: Placer) -> Placed:
    """Build a scene, let a placer bake it, and measure the result."""
    with quiet():
        built = feet_scenes.build(name)
    taken = placer(built)
    frames = len(built.source.matrices)
    return Placed(judge(built), {step: seconds / frames for step, seconds in taken.items()})


def judge(built: FeetScene) -> Feet:
    """Measure what the scene's armature plays now."""
    return measure(
        built.scene,
        built.clip,
        built.grounds,
        built.source,
        built.clearance,
        built.stands,
        built.floor,
        built.mesh,
    )


def ours(built: FeetScene, progress: Progress | None = None) -> Times:
    """Place the feet with Bio-IK."""
    from blender_bioik.rig.bake.bake import BakeOptions
    from blender_bioik.rig.feet.place_feet import place_feet

    options = BakeOptions(built.clip.first, built.clip.last)
    start = time.perf_counter()
    armature = built.clip.armature
    armature.bioik.feet.lean = 0.0  # the upper body is held against the source
    report = place_feet(built.scene, armature, options, grounds=built.grounds, progress=progress)
    total = time.perf_counter() - start
    return {
        "read": report.read_seconds,
        "plan": report.plan_seconds,
        "solve": report.solve_seconds,
        "write": report.write_seconds,
        "total": total,
    }


def stock(built: FeetScene) -> Times:
    """Place them as Blender can."""
    return {"total": feet_stock.bake(built)}


def nothing(built: FeetScene) -> Times:
    """Leave the source as it is."""
    return {"total": 0.0}


PLACERS: dict[str, Placer] = {"ours": ours, "stock": stock, "source": nothing}


def _warm_up() -> None:
    """Compile what is compiled at its first use, which is no part of any time."""
    with quiet():
        ours(feet_scenes.long_walk(WARM_UP_FRAMES))


def _baked_and_undone(built: FeetScene, placer: Placer) -> Times:
    """Bake and let the armature play its source again."""
    with undone(built.clip.armature):
        return placer(built)


@contextlib.contextmanager
def undone(armature: bpy.types.Object) -> Iterator[None]:
    """Let an armature play its source again afterwards, without what was baked meanwhile."""
    source, slot = armature.animation_data.action, fcurves.assigned_slot(armature)
    try:
        yield
    finally:
        baked = armature.animation_data.action
        fcurves.assign_action(armature, source, slot)
        if baked != source:
            bpy.data.actions.remove(baked)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Importers print what nobody asked for."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


@contextlib.contextmanager
def registered() -> Iterator[None]:
    """The extension enabled for as long as the block runs."""
    blender_bioik.register()
    try:
        yield
    finally:
        blender_bioik.unregister()


if __name__ == "__main__":
    main()
