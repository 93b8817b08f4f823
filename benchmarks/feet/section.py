"""Promise 9: feet on the ground, judged by code of its own, beside the stock-Blender way.

python -m benchmarks.feet.section [--placer ours|stock|source] [SCENE ...] prints a line for each
scene; it needs a Python with bpy.
"""

from __future__ import annotations

import argparse
import os
import traceback
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.bakes.section import has_bpy, run_with_bpy
from benchmarks.feet.limits import add_claims
from benchmarks.report import Cell, Scale, Section, Table, digits

if TYPE_CHECKING:
    from benchmarks.feet.child import Times
    from benchmarks.feet.measure import Feet

ITEM = 9
CHILD = "benchmarks.feet.child"
FRAMES, QUICK_FRAMES = 2000, 200
SHORT, LONG = 1000, 4000
MOST_MILLISECONDS = 1.0
MOST_GROWTH = 4.8  # for four times the frames
QUICK_SCENES = ("walk.flat", "walk.hills", "walk.stairs", "walk.lift")
EVERY_GROUND = "flat slope slope_down hills stairs rocks platform"
# Every scene of the benchmark: a clip, and what it walks on.
SCENES: tuple[str, ...] = tuple(
    f"{clip}.{ground}"
    for clip, grounds in {
        "walk": f"{EVERY_GROUND} short_stairs lift slide other_hills other_stairs other_rocks",
        "run": f"{EVERY_GROUND} short_stairs other_hills other_stairs other_rocks",
        "trot": EVERY_GROUND,
        "02_01": EVERY_GROUND,
        "35_01": EVERY_GROUND,
        "16_17": EVERY_GROUND,
        "09_01": EVERY_GROUND,
        "03_01": EVERY_GROUND,
        "83_27": EVERY_GROUND,
        "02_01@30": "flat hills stairs short_stairs rocks other_hills other_stairs other_rocks",
        "35_01@30": "hills stairs short_stairs rocks other_hills other_stairs other_rocks",
        "09_01@30": "hills stairs rocks",
        "robot_walk": EVERY_GROUND,
        "robot_run": EVERY_GROUND,
    }.items()
    for ground in grounds.split()
)
COLUMNS = (
    ("drift", 6), ("worst", 6), ("unreached", 9), ("pen", 6), ("mesh", 5), ("height", 6),
    ("level", 5), ("jerk", 5), ("legs", 5), ("accel", 5), ("acc99", 5),
    ("knee", 5), ("yaw", 5), ("swing", 5), ("pelvis", 6), ("upper", 6), ("turn", 5), ("ms", 6),
)  # fmt: skip


def run(scale: Scale) -> Section:
    """Measure all scenes, then times beside the stock way, and how they grow."""
    section = Section("9. Feet on the ground")
    if not has_bpy():
        section.not_run(ITEM, "feet on the ground", "all of it", "no .venv with bpy: `make test`")
        return section
    names = QUICK_SCENES if scale.quick else SCENES
    found = run_with_bpy(CHILD, "scenes", *names)
    _add_scenes(section, found)
    _add_times(section, scale)
    _add_growth(section, scale)
    absent = sorted({name.split(".")[0] for name in names if name not in found})
    if absent:
        section.notes.append(f"Clips of the shared data folder that are not here: {absent}.")
    section.notes += [
        "Measured on the poses that Blender evaluates, with rays of the benchmark's own. mm, "
        "degrees, ratios to the source. Contacts are the exact ones of generated clips, and those "
        "that a strict detector of the benchmark's own finds in recorded ones.",
        "unreached: stands with a straight leg of all stands; they are left out of the drift of "
        "ours, and in for the stock way's. level: by how much a foot without a mesh stands "
        "higher than the benchmark's estimate; its height error is measured from there.",
        "pelvis: the claim leaves out times in which the pelvis is more than 40 mm from its place "
        "and a leg is as straight as it gets (8 degrees at the knee): there reach asks for it. "
        "The robot is 1.8 times as large as a person, and its height error counts in proportion. "
        "Its clips are in place: feet glide over edges, so none is claimed on stairs and rocks.",
        "Stock: shrink-wrapped targets for feet and pelvis, IK, Copy Rotation, `nla.bake`.",
    ]
    return section


def _add_scenes(section: Section, found: dict[str, Any]) -> None:
    columns = ("scene", *(name for name, _ in COLUMNS))
    tables = {placer: Table(placer, columns) for placer in ("ours", "stock")}
    section.tables += tables.values()
    measured: dict[str, dict[str, Any]] = {}
    for name, by_placer in found.items():
        for placer, placed in by_placer.items():
            if isinstance(placed, str):
                section.notes.append(f"{name}, {placer}: {placed}")
                if placer == "ours":
                    text = f"feet are placed in {name}"
                    section.at_most(ITEM, f"{text} ({placed})", 1.0, 0.0, " failures")
                continue
            tables[placer].rows.append((name, *_row(placed["feet"], placed["times"], placer)))
            if placer == "ours":
                measured[name] = placed["feet"]
    add_claims(section, ITEM, measured)


def _row(feet: dict[str, Any], times: Times, placer: str) -> list[Cell]:
    drifts = ("drift_all", "drift_all_worst") if placer == "stock" else ("drift", "drift_worst")
    names = (
        *drifts, "unreached", "penetration", "mesh", "height", "level", "jerk", "jerk_legs",
        "acceleration", "acceleration_legs", "knee", "yaw", "swing", "pelvis", "upper", "legs",
    )  # fmt: skip
    cells: list[Cell] = [digits(feet[name]) for name in names]
    cells[2] = f"{feet['unreached']} of {feet['stands']}"
    return [*cells, digits(1e3 * times["total"])]


def _add_times(section: Section, scale: Scale) -> None:
    asked = QUICK_FRAMES if scale.quick else FRAMES
    raced = run_with_bpy(CHILD, "times", asked, 1 if scale.quick else 5)
    frames, steps = raced["frames"], ("read", "plan", "solve", "write", "total")
    table = Table(
        f"{frames} frames of a walk over hills, {raced['bones']} bones, no mesh; ms a frame, "
        f"medians of {len(raced['times']['ours'])} rounds in turns",
        ("how", *steps, "/ stock"),
    )
    section.tables.append(table)
    medians = {placer: _medians(rounds, frames) for placer, rounds in raced["times"].items()}
    against = medians["stock"]["total"]
    for placer, each in medians.items():
        cells = [digits(each[step]) if step in each else None for step in steps]
        table.rows.append((placer, *cells, digits(each["total"] / against)))
    solving = medians["ours"]["plan"] + medians["ours"]["solve"]
    table.rows.append(("ours, plan + solve", *5 * [None], digits(solving / against)))
    text = f"plan + solve a frame, {frames} frames ({digits(solving / against)} of the stock bake)"
    section.at_most(ITEM, text, solving, MOST_MILLISECONDS, " ms")


def _medians(rounds: list[Times], frames: int) -> Times:
    return {step: 1e3 * median(taken[step] for taken in rounds) / frames for step in rounds[0]}


def _add_growth(section: Section, scale: Scale) -> None:
    short, long = (QUICK_FRAMES, 4 * QUICK_FRAMES) if scale.quick else (SHORT, LONG)
    grown = run_with_bpy(CHILD, "growth", short, long, 1 if scale.quick else 3)["times"]
    seconds = [
        median(taken["plan"] + taken["solve"] for taken in grown[str(frames)])
        for frames in (short, long)
    ]
    text = f"plan + solve of {long} frames / {short}"
    section.at_most(ITEM, text, seconds[1] / seconds[0], MOST_GROWTH)
    section.notes.append(f"Load average (1 minute) {os.getloadavg()[0]:.1f} at the end.")


# A line for each scene


def header() -> str:
    """Names of the columns of `line`."""
    return f"{'scene':20}" + " ".join(name.rjust(width) for name, width in COLUMNS)


def line(name: str, feet: Feet, seconds: float | None) -> str:
    """What was measured, in a line."""
    unreached = f"{feet.unreached}/{feet.stands}"
    if feet.unreached:
        unreached += f" {feet.drift_all_worst:.0f}"
    cells = (
        f"{feet.drift:.2f}", f"{feet.drift_worst:.2f}", unreached, f"{feet.penetration:.2f}",
        f"{feet.mesh:.1f}",
        f"{feet.height:.2f}", f"{feet.level:.1f}", f"{feet.jerk:.3f}", f"{feet.jerk_legs:.3f}",
        f"{feet.acceleration:.2f}", f"{feet.acceleration_legs:.2f}", f"{feet.knee:.2f}",
        f"{feet.yaw:.1f}", f"{feet.swing:.2f}", f"{feet.pelvis:.0f}", f"{feet.upper:.3f}",
        f"{feet.legs:.2f}", "-" if seconds is None else f"{1e3 * seconds:.2f}",
    )  # fmt: skip
    text = " ".join(cell.rjust(width) for cell, (_, width) in zip(cells, COLUMNS, strict=True))
    return f"{name:20}" + text


def print_scenes(scenes: Sequence[str], placer: str) -> None:
    """Print a line for each scene, and which promises it misses."""
    from benchmarks.feet import child as feet_child
    from benchmarks.feet import scenes as feet_scenes
    from benchmarks.feet.limits import missed

    print(header())
    with feet_child.registered():
        for name in scenes:
            if not feet_scenes.available(name):
                print(f"{name:20}needs the shared data folder")
                continue
            try:
                placed = feet_child.place(name, feet_child.PLACERS[placer])
            except Exception as error:  # the other scenes are worth having all the same
                traceback.print_exc()
                print(f"{name:20}{type(error).__name__}: {error}", flush=True)
            else:
                short = missed(name, placed.feet)
                text = line(name, placed.feet, placed.times["total"])
                print(text, "" if not short else f"  MISSED {', '.join(short)}", flush=True)


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.feet.section", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without times of long clips")
    parser.add_argument("--placer", choices=("ours", "stock", "source"), default="ours")
    parser.add_argument("scenes", nargs="*", metavar="CLIP.GROUND", help="by default all")
    options = parser.parse_args()
    print_scenes(options.scenes or SCENES, options.placer)


if __name__ == "__main__":
    main()
