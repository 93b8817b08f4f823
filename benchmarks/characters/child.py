"""What runs inside Blender for the benchmark of characters; prints what it measured as JSON.

Run by `section` in processes of their own: python -m benchmarks.characters.child SCENE ..., or
mapping and seeds of proportions.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from benchmarks.characters import scenes
from benchmarks.characters.mapping import all_limbs
from benchmarks.characters.measure import measure
from benchmarks.feet.child import Progress, quiet, registered

if TYPE_CHECKING:
    from blender_bioik.rig.report.foot_report import FootReport


def main() -> None:
    """Place and measure the scenes that the command line names, or count limbs."""
    found: Any
    with registered():
        if sys.argv[1:2] == ["mapping"]:
            seeds = [int(word) for word in sys.argv[2:]] or [0]
            found = [asdict(limbs) for limbs in all_limbs(seeds)]
        else:
            found = {name: judged(name) for name in sys.argv[1:] if scenes.available(name)}
    print("\n" + json.dumps(found), flush=True)


def judged(name: str) -> dict[str, Any]:
    """What came out of a scene: `quality` and `sentence`, or `refused` with the tool's words."""
    from blender_bioik.rig.errors import RigError

    with quiet():
        built = scenes.build(name)
    started = time.perf_counter()
    try:
        report = place(built)
    except RigError as error:
        return {"refused": str(error)}
    except Exception as error:  # the other scenes are worth having all the same
        return {"failed": f"{type(error).__name__}: {error}"}
    seconds = time.perf_counter() - started
    quality = measure(built.scene, built.subject, built.source, built.grounds)
    return {
        "quality": asdict(quality),
        "sentence": report.summary().split(". ")[0],
        "seconds": seconds,
        "size": built.subject.size,
        "frames": built.subject.last - built.subject.first + 1,
    }


def place(built: scenes.Scene, progress: Progress | None = None) -> FootReport:
    """Place the feet of a scene with Bio-IK."""
    from blender_bioik.rig.bake.bake import BakeOptions
    from blender_bioik.rig.feet.place_feet import place_feet

    options = BakeOptions(built.subject.first, built.subject.last)
    armature = built.subject.armature
    armature.bioik.feet.lean = 0.0  # the upper body is held against the source
    return place_feet(built.scene, armature, options, grounds=built.grounds, progress=progress)


if __name__ == "__main__":
    main()
