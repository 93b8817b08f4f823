"""Place the feet of every clip in a folder on one ground, and write a table of what was reached.

    python examples/10_batch_folder.py CLIPS GROUND RESULTS
    python examples/10_batch_folder.py

CLIPS is a folder of .bvh files, GROUND a mesh file (.obj, .stl, .glb) and RESULTS the folder for a
.blend file and a report of each clip, and for table.csv. Without arguments two walks and hills are
made in a temporary folder first. Each clip has a process of its own, as it would on a farm: one
that fails does not stop the others. Needs Blender's Python module.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

COLUMNS = ("clip", "frames", "sinks in (mm)", "was (mm)", "planted feet move (mm)", "remark")


def place(clip: Path, ground: Path, results: Path) -> tuple[object, ...]:
    """Place the feet of one clip; returns its row of the table."""
    out, report = results / f"{clip.stem}.blend", results / f"{clip.stem}.json"
    command = [sys.executable, "-m", "blender_bioik", "bake", clip, "-o", out]
    command += ["--ground", ground, "--report", report]
    done = subprocess.run(
        [str(word) for word in command],
        cwd=Path(__file__).parent.parent,  # not needed once the package is installed
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        return (clip.name, 0, "", "", "", done.stderr.strip())
    numbers = json.loads(report.read_text(encoding="utf-8"))

    def worst(when: str, name: str) -> float:
        return round(max(foot[when][name] for foot in numbers["feet"]), 1)

    sinks = worst("after", "penetration_worst_mm"), worst("before", "penetration_worst_mm")
    missed = "; ".join(f"{miss['foot']}: {miss['reason']}" for miss in numbers["unreached"])
    return (clip.name, numbers["frames"], *sinks, worst("after", "drift_worst_mm"), missed)


def samples(folder: Path) -> tuple[Path, Path, Path]:
    """Two walks of the demo's character as .bvh files, and hills."""
    import bpy
    import scene

    clips, ground, results = folder / "clips", folder / "hills.obj", folder / "results"
    clips.mkdir()
    with scene.extension():
        hills = scene.add_hills()
        bpy.ops.wm.obj_export(filepath=str(ground))
        bpy.data.objects.remove(hills)
        scene.add_walker(strides=3)
        last = bpy.context.scene.frame_end
        for name, end in (("three_strides", last), ("two_strides", last - scene.CYCLE_FRAMES)):
            path = str(clips / f"{name}.bvh")
            bpy.ops.export_anim.bvh(filepath=path, frame_start=1, frame_end=end)
    return clips, ground, results


given = [Path(word).absolute() for word in sys.argv[1:4]]
clips, ground, results = given or samples(Path(tempfile.mkdtemp(prefix="bioik_")))
results.mkdir(parents=True, exist_ok=True)
rows = [place(clip, ground, results) for clip in sorted(clips.glob("*.bvh"))]
with (results / "table.csv").open("w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows([COLUMNS, *rows])
widths = [max(len(str(value)) for value in column) for column in zip(COLUMNS, *rows, strict=True)]
for row in (COLUMNS, *rows):
    print("  ".join(f"{value!s:>{width}}" for value, width in zip(row, widths, strict=True)))
print(f"Results in {results}")
