"""Promise 8: whole bakes in Blender, against its own constraints and `nla.bake`."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.report import Cell, Scale, Section, Table, digits

ITEM = 8
FRAMES, QUICK_FRAMES = 2000, 200
SHORT, LONG = 1000, 10_000
LARGEST_SHARE = 1.0 / 3.0
MEMORY_LIMIT_MB = 500.0
GROWTH = (8.0, 12.0)
# The bakers. They are here because bake_child.py can only be imported where bpy is.
SAME_BONES = "Bio-IK, the same 7 bones"
TO_THE_ROOT = "Bio-IK, bones up to the root"
SELECTED = "Blender, 7 bones"
ROTATIONS = "Blender, 7 bones, rotations only"
ALL_BONES = "Blender, all bones"
STEPS = ("read", "solve", "write", "total", "CPU")
_ROOT = Path(__file__).parents[2]
_PYTHON = _ROOT / ".venv" / "bin" / "python"
_PEAK_OF_PROCESS = Path("/proc/self/clear_refs")
_CHILD_SECONDS = 3600

Rounds = list[dict[str, float]]


def run(scale: Scale) -> Section:
    """Measure times and quality in turns, the memory of a bake, and how time grows."""
    section = Section("8. Whole bakes in Blender: two foot poses and a look, 65 bones")
    if not has_bpy():
        section.not_run(ITEM, "whole bakes", "all of it", "no .venv with bpy: run `make test`")
        return section
    frames = QUICK_FRAMES if scale.quick else FRAMES
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="bioik-bench-") as folder:
        blend = Path(folder) / "humanoid.blend"
        raced = _child("race", blend, frames, 1 if scale.quick else 5)
        _add_times(section, raced, frames)
        _add_quality(section, raced["quality"])
        _add_memory(section, blend, frames)
    _add_growth(section, scale)
    section.notes += [
        "Blender: IK of thigh and shin, Copy Rotation of the feet, Damped Track of the head, then "
        "`nla.bake` with visual keying and a new action. With selected bones only, that action has "
        "no keys for the other 58; ours has those of the source.",
        "Quality is measured on the poses that Blender evaluates from the keys; jerk is that of "
        "knees, ankles and the top of the head.",
        f"Load average (1 minute) {before:.1f} before and {os.getloadavg()[0]:.1f} after, on "
        f"{os.cpu_count()} threads.",
    ]
    return section


def _add_times(section: Section, raced: dict[str, Any], frames: int) -> None:
    times: dict[str, Rounds] = raced["times"]
    table = Table(
        f"{frames} frames of {raced['bones']} bones, Blender {raced['blender']}; seconds, medians "
        f"of {len(times[SAME_BONES])} rounds in turns",
        ("how", "bones keyed", *STEPS, f"/ {SELECTED}", f"/ {ALL_BONES}"),
    )
    section.tables.append(table)
    for name, rounds in times.items():
        keyed = int(rounds[0]["bones"])
        shares = [digits(_ratio(rounds, times[rival])) for rival in (SELECTED, ALL_BONES)]
        table.rows.append((name, keyed, *(_seconds(rounds, step) for step in STEPS), *shares))
    section.at_most(
        ITEM,
        f"{frames} frames, {SAME_BONES}: time / {SELECTED}",
        digits(_ratio(times[SAME_BONES], times[SELECTED])),
        LARGEST_SHARE,
    )


def _add_quality(section: Section, quality: dict[str, dict[str, tuple[float, float]]]) -> None:
    table = Table(
        "Quality of the motion: mean and worst over all frames",
        ("motion", "foot mm", "worst", "foot deg", "worst", "look deg", "worst", "m/s³", "worst"),
    )
    section.tables.append(table)
    for name, measured in quality.items():
        pairs = [measured[key] for key in ("position_mm", "orientation_deg", "look_deg", "jerk")]
        table.rows.append((name, *(digits(value) for pair in pairs for value in pair)))


def _add_memory(section: Section, blend: Path, frames: int) -> None:
    if not os.access(_PEAK_OF_PROCESS, os.W_OK):
        limit = f"<= {MEMORY_LIMIT_MB:g} MB"
        section.not_run(ITEM, "memory of a bake over bpy's own", limit, "only Linux tells it")
        return
    table = Table(
        f"MB of a fresh process that bakes {frames} frames",
        ("how", "scene loaded", "peak of a short bake, over it", "peak of the bake, over it"),
    )
    section.tables.append(table)
    for name in (SAME_BONES, TO_THE_ROOT, SELECTED):
        used = _child("memory", blend, name)
        over = {step: round(used[step] - used["loaded"], 1) for step in ("short", "peak")}
        table.rows.append((name, round(used["loaded"], 1), over["short"], over["peak"]))
        if name != SELECTED:
            text = f"{frames} frames, {name}: memory over bpy's own"
            section.at_most(ITEM, text, over["peak"], MEMORY_LIMIT_MB, " MB")


def _add_growth(section: Section, scale: Scale) -> None:
    short, long = (QUICK_FRAMES, 10 * QUICK_FRAMES) if scale.quick else (SHORT, LONG)
    grown = _child("growth", short, long, 1 if scale.quick else 3)
    table = Table(
        f"{long} frames against {short}, ten of these for each; seconds, medians of the rounds",
        ("how", "frames", *STEPS, f"/ {short} frames"),
    )
    section.tables.append(table)
    lowest, highest = GROWTH
    for name, times in grown["times"].items():
        base = times[str(short)]
        for frames, rounds in times.items():
            cells = (_seconds(rounds, step) for step in STEPS)
            table.rows.append((name, int(frames), *cells, digits(_ratio(rounds, base))))
        growth = _ratio(times[str(long)], base)
        text = f"{name}: time of {long} frames / {short}"
        section.at_least(ITEM, text, growth, lowest)
        section.at_most(ITEM, text, growth, highest)


def _seconds(rounds: Rounds, step: str) -> Cell:
    return digits(median(taken[step] for taken in rounds)) if step in rounds[0] else None


def _ratio(first: Rounds, second: Rounds) -> float:
    """Total time of one over another's, each the median of its rounds."""
    totals = [median(taken["total"] for taken in rounds) for rounds in (first, second)]
    return totals[0] / totals[1]


def _child(*arguments: object) -> dict[str, Any]:
    return run_with_bpy("benchmarks.bakes.child", *arguments)


def has_bpy() -> bool:
    """Whether there is an environment with bpy beside the one of the benchmark."""
    return _PYTHON.exists()


def run_with_bpy(module: str, *arguments: object) -> dict[str, Any]:
    """What a module measured in a fresh process with bpy: the last line it prints, as JSON."""
    child = subprocess.run(
        [str(_PYTHON), "-m", module, *map(str, arguments)],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=_CHILD_SECONDS,
        check=False,
    )
    if child.returncode or not child.stdout.strip():
        raise RuntimeError(f"Baking failed (exit code {child.returncode}):\n{child.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    return result
