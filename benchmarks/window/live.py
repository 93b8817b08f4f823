"""Promise of the panel: what live solving costs, all of the handlers, for a whole humanoid."""

from __future__ import annotations

import os

from benchmarks.bakes.section import has_bpy, run_with_bpy
from benchmarks.report import Scale, Section, Table, digits

ITEM = 5
LIMIT_MS = 10.0
TIMES, QUICK_TIMES = 300, 30
# What happens; live_child.py can only be imported where bpy is.
TARGET = "a target moves"
TARGET_AWAY = "a target out of reach moves"
BONE = "a bone is posed by hand"
FRAME = "the frame changes"
PROMISED = (TARGET, BONE, FRAME)


def run(scale: Scale) -> Section:
    """Have a humanoid solved live, many times."""
    section = Section("11. Live solving: hands, feet and gaze of a humanoid")
    if not has_bpy():
        for name in PROMISED:
            limit = f"<= {LIMIT_MS:g} ms"
            section.not_run(ITEM, f"{name}: a solve", limit, "no .venv with bpy: run `make test`")
        return section
    found = run_with_bpy("benchmarks.window.live_child", QUICK_TIMES if scale.quick else TIMES)
    table = Table(
        f"{found['bones']} bones, {found['goals']} goals; Blender {found['blender']}; milliseconds "
        "a solve, with reading and writing the pose",
        ("what happens", "of the processor, median", "95 %", "by the clock, median"),
    )
    section.tables.append(table)
    for name, times in found["times"].items():
        table.rows.append((name, *(digits(times[key]) for key in ("used", "95 %", "passed"))))
    for name in PROMISED:
        used = digits(found["times"][name]["used"])
        section.at_most(ITEM, f"{name}: a solve, time of the processor", used, LIMIT_MS, " ms")
    section.notes.append(
        f"Load average (1 minute) {os.getloadavg()[0]:.1f} on {os.cpu_count()} threads; other "
        "programs on a busy machine count by the clock, not in the time of the processor."
    )
    return section
