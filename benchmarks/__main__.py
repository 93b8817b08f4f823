"""Run the benchmark: python -m benchmarks [--quick] [--only NAME ...] [--queries N]."""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import time
import traceback
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.bakes import section as bakes
from benchmarks.characters import section as characters
from benchmarks.feet import section as feet
from benchmarks.report import Run, Scale, Section, write_results
from benchmarks.solver import arms, chains, clips, conflicts, humanoids, paper, startup
from benchmarks.solver.rivals import all_rivals
from benchmarks.window import drawing, live

SECTIONS: dict[str, Run] = {
    "arms": arms.run,
    "humanoids": humanoids.run,
    "paper": paper.run,
    "chains": chains.run,
    "conflicts": conflicts.run,
    "clips": clips.run,
    "startup": startup.run,
    "bakes": bakes.run,
    "feet": feet.run,
    "characters": characters.run,
    "drawing": drawing.run,
    "live": live.run,
}
PACKAGES = ("numpy", "scipy", "numba", "roboticstoolbox-python", "pytracik", "placo")
QUICK_QUERIES = 500
_HERE = Path(__file__).parent


def main() -> None:
    """Run the sections asked for and write the results."""
    options = _parser().parse_args()
    queries = options.queries or (QUICK_QUERIES if options.quick else Scale.queries)
    scale = Scale(queries=queries, quick=options.quick)
    names = options.only or list(SECTIONS)
    whole = not (options.quick or options.only or options.queries)
    folder = options.output or (_HERE if whole else _HERE / "artefacts")
    machine = _machine()
    sections: dict[str, Section] = {}
    for name in names:
        print(f"{name} ...", end="", flush=True, file=sys.stderr)
        start = time.perf_counter()
        try:
            section = SECTIONS[name](scale)
        except Exception as error:  # the other sections are worth having all the same
            traceback.print_exc()
            section = Section(name)
            section.failed(error)
        section.seconds = round(time.perf_counter() - start, 1)
        print(f" {section.seconds:.0f} s", file=sys.stderr)
        sections[name] = section
    print(write_results(folder, machine, scale, sections))
    print(f"Written to {folder / 'results.json'} and results.md", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke test with few queries")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="NAME", help="sections")
    parser.add_argument("--queries", type=_enough, help="random queries for each robot")
    parser.add_argument(
        "--output",
        type=Path,
        help="folder of results.json and results.md; by default benchmarks/ for a full run and "
        "benchmarks/artefacts/ for any other",
    )
    return parser


def _enough(text: str) -> int:
    number = int(text)
    if number < QUICK_QUERIES:
        raise argparse.ArgumentTypeError(f"at least {QUICK_QUERIES}")
    return number


def _machine() -> dict[str, Any]:
    """What the numbers were measured on and with."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "CPU": f"{_cpu()}, {os.cpu_count()} threads",
        "system": platform.platform(),
        "Python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "rivals": {rival.name: rival.available() or "ran" for rival in all_rivals()},
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    found = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.machine()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    main()
