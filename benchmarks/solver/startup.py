"""Promise 7: how long the first use takes, with and without a cache of compiled kernels."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import blender_bioik
from benchmarks.report import Scale, Section, Table, digits

ITEM = 7
COLD_LIMIT_S = 15.0
CACHED_LIMIT_S = 1.0
IMPORT_LIMIT_S = 0.5
ROBOT = "legs12"
WHOLE = "whole process"
STEPS = (
    "import",
    "first solve_pose",
    "first solve_clip",
    "every goal",
    "L-BFGS-B elites",
    "find_poses",
    "Python goals",
    WHOLE,
)
REPEATS = 5
_HERE = Path(__file__).parent
_CHILD_SECONDS = 600


def run(scale: Scale) -> Section:
    """Measure cold and cached starts of a copy of the package, whose cache is its own."""
    section = Section("7. First use: compiling, and starting from the cache")
    complaints: list[str] = []
    repeats = 2 if scale.quick else REPEATS
    package = Path(blender_bioik.__file__).parent
    with tempfile.TemporaryDirectory(prefix="bioik-bench-") as folder:
        poses = _copy(package, Path(folder) / "poses")
        everything = _copy(package, Path(folder) / "everything")
        runs = {
            "cold, pose goals": [_start(poses, "pose", complaints)],
            "cached, pose goals": [_start(poses, "pose", complaints) for _ in range(repeats)],
            "cached, import only": [_start(poses, "import", complaints) for _ in range(repeats)],
            "cold, everything": [_start(everything, "all", complaints)],
            "cached, everything": [_start(everything, "all", complaints) for _ in range(repeats)],
        }
    table = Table(
        "Seconds since Python was up, after each step (median of the runs)",
        ("start", "runs", *STEPS),
    )
    section.tables.append(table)
    middle = {name: _median(found) for name, found in runs.items()}
    for name, times in middle.items():
        cells = [digits(times[step]) if step in times else None for step in STEPS]
        table.rows.append((name, len(runs[name]), *cells))

    first, all_of_it = "first solve_pose", "find_poses"
    cold, cached = middle["cold, pose goals"], middle["cached, pose goals"]
    section.at_most(
        ITEM, "cold: import and first solve_pose", digits(cold[first]), COLD_LIMIT_S, " s"
    )
    section.at_most(
        ITEM,
        "cold: every goal and every entry once",
        digits(middle["cold, everything"][all_of_it]),
        COLD_LIMIT_S,
        " s",
    )
    section.at_most(
        ITEM, "cached: import and first solve_pose", digits(cached[first]), CACHED_LIMIT_S, " s"
    )
    section.at_most(
        ITEM,
        "cached: import blender_bioik.solver",
        digits(middle["cached, import only"]["import"]),
        IMPORT_LIMIT_S,
        " s",
    )
    section.at_least(ITEM, "processes that ended without a complaint", float(not complaints), 1.0)
    section.notes += sorted(set(complaints))
    section.notes.append(
        "'whole process' counts from before Python starts until it has ended; the other columns "
        "from Python's first line. 'every goal' adds one of each compiled type."
    )
    return section


def _copy(package: Path, folder: Path) -> Path:
    """A copy of the package without caches; returns the folder to put on the path."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, folder / package.name, ignore=ignored)
    return folder


def _start(folder: Path, stage: str, complaints: list[str]) -> dict[str, float]:
    """Seconds after each step in a fresh process that uses the package in `folder`."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("NUMBA_") and name != "PYTHONDONTWRITEBYTECODE"
    }
    environment["PYTHONPATH"] = str(folder)
    command = [sys.executable, "-P", str(_HERE / "first_use.py")]
    command += [str(_HERE.parent / "robots" / f"{ROBOT}.json"), stage]
    start = time.perf_counter()
    child = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_CHILD_SECONDS,
        check=False,
    )
    whole = time.perf_counter() - start
    lines = child.stdout.splitlines()
    if not lines:
        raise RuntimeError(f"The first use failed:\n{child.stderr}")
    times: dict[str, Any] = json.loads(lines[-1])
    if not str(times.pop("folder")).startswith(str(folder)):
        raise RuntimeError("The first use did not import the copy of the package.")
    if child.returncode or child.stderr.strip():
        words = child.stderr.strip().splitlines() or [f"exit code {child.returncode}"]
        complaints.append(f"**{folder.name}, {stage}: {words[-1]} (exit code {child.returncode})**")
    return {**times, WHOLE: whole}


def _median(runs: list[dict[str, float]]) -> dict[str, float]:
    common = [step for step in STEPS if all(step in times for times in runs)]
    return {step: sorted(times[step] for times in runs)[len(runs) // 2] for step in common}
