"""What runs inside Blender for the benchmark of foot placement."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import blender_bioik
from benchmarks import feet_scenes, feet_stock
from benchmarks.feet_measure import Feet, measure
from benchmarks.feet_scenes import FeetScene

Placer = Callable[[FeetScene], float]


@dataclass(frozen=True)
class Placed:
    """What a placer made of a scene, and its seconds for a frame."""

    feet: Feet
    seconds: float


def place(name: str, placer: Placer) -> Placed:
    """Build a scene, let a placer bake it, and measure the result."""
    with quiet():
        built = feet_scenes.build(name)
    seconds = placer(built)
    return Placed(judge(built), seconds / len(built.source.matrices))


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
    )


def ours(built: FeetScene) -> float:
    """Place the feet with Bio-IK; returns its seconds."""
    from blender_bioik.rig.place_feet import place_feet

    from blender_bioik.rig.bake import BakeOptions

    options = BakeOptions(built.clip.first, built.clip.last)
    start = time.perf_counter()
    place_feet(built.scene, built.clip.armature, options, grounds=built.grounds)
    return time.perf_counter() - start


def nothing(built: FeetScene) -> float:
    """Leave the source as it is."""
    return 0.0


PLACERS: dict[str, Placer] = {"ours": ours, "stock": feet_stock.bake, "source": nothing}


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
