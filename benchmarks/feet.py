"""Foot placement, judged by code of its own: python -m benchmarks.feet [SCENE ...]."""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.feet_measure import Feet

COLUMNS = (
    ("drift", 6), ("worst", 6), ("unreached", 9), ("pen", 6), ("height", 6), ("level", 5),
    ("jerk", 5), ("legs", 5), ("accel", 5), ("acc99", 5), ("knee", 5), ("yaw", 5), ("swing", 5),
    ("pelvis", 6), ("upper", 6), ("turn", 5), ("ms", 6),
)  # fmt: skip


def header() -> str:
    """Names of the columns of `line`."""
    return f"{'scene':18}" + " ".join(name.rjust(width) for name, width in COLUMNS)


def line(name: str, feet: Feet, seconds: float | None) -> str:
    """What was measured, in a line."""
    unreached = f"{feet.unreached}/{feet.stands}"
    if feet.unreached:
        unreached += f" {feet.drift_all_worst:.0f}"
    cells = (
        f"{feet.drift:.2f}", f"{feet.drift_worst:.2f}", unreached, f"{feet.penetration:.2f}",
        f"{feet.height:.2f}", f"{feet.level:.1f}", f"{feet.jerk:.3f}", f"{feet.jerk_legs:.3f}",
        f"{feet.acceleration:.2f}", f"{feet.acceleration_legs:.2f}", f"{feet.knee:.2f}",
        f"{feet.yaw:.1f}", f"{feet.swing:.2f}", f"{feet.pelvis:.0f}", f"{feet.upper:.3f}",
        f"{feet.legs:.2f}", "-" if seconds is None else f"{1e3 * seconds:.2f}",
    )  # fmt: skip
    text = " ".join(cell.rjust(width) for cell, (_, width) in zip(cells, COLUMNS, strict=True))
    return f"{name:18}" + text


def quick(scenes: Sequence[str], placer: str) -> None:
    """Print a line for each scene."""
    from benchmarks import feet_child, feet_scenes

    print(header())
    with feet_child.registered():
        for name in scenes or feet_scenes.SCENES:
            if not feet_scenes.available(name):
                print(f"{name:18}needs the shared data folder")
                continue
            try:
                placed = feet_child.place(name, feet_child.PLACERS[placer])
            except Exception as error:  # the other scenes are worth having all the same
                traceback.print_exc()
                print(f"{name:18}{type(error).__name__}: {error}")
            else:
                print(line(name, placed.feet, placed.seconds), flush=True)


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.feet", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="each scene once, a line for each")
    parser.add_argument("--placer", choices=("ours", "stock", "source"), default="ours")
    parser.add_argument("scenes", nargs="*", metavar="CLIP.GROUND", help="by default all")
    options = parser.parse_args()
    quick(options.scenes, options.placer)


if __name__ == "__main__":
    main()
