"""Promise 14: any character, any motion, and a report that cannot be wrong.

python -m benchmarks.characters.section [SCENE ...] prints a line for each scene; it needs a Python
with bpy.
"""

from __future__ import annotations

import argparse
import json
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.bakes.section import has_bpy, run_with_bpy
from benchmarks.characters.limits import LIMITS, holds, missed, unsaid
from benchmarks.report import Cell, Scale, Section, Table, digits

ITEM = 14
CHILD = "benchmarks.characters.child"
QUICK_SCENES = ("plain.walk.hills", "boots.walk.flat", "plain.ladder.flat", "cow.Walk.flat")
# Characters and clips, and the grounds they are on.
GROUNDS: dict[str, str] = {
    "plain.walk": "flat hills stairs",
    "nameless.walk": "slope",
    "mixamo.walk": "other_hills",
    "bare.walk": "hills",
    "bare_nameless.walk": "slope_down",
    "boots.walk": "flat hills",
    "boots_nameless.walk": "slope",
    "soft.walk": "flat hills stairs",
    "soft_boots.walk": "slope",
    "shoes.walk": "hills",
    "ape.walk": "hills stairs",
    "lying.walk": "flat hills",
    "long_tails.walk": "hills",
    "crossing_tails.walk": "hills",
    "ik_legs.walk": "flat hills",
    "rigify_fk.walk": "hills",
    "rigify_ik.walk": "flat hills",
    "scaled_object.walk": "hills",
    "large_units.walk": "hills",
    "root_motion.walk": "hills",
    "scaled_ik_legs.walk": "hills",
    "tiny.walk": "hills",
    "giant.walk": "hills",
    "quadruped.walk": "hills stairs",
    "quadruped_nameless.walk": "slope",
    "detached.walk": "flat hills",
    "detached_nameless.walk": "slope",
    "hooves.walk": "hills",
    "six_legs.walk": "flat hills",
    "six_legs_nameless.walk": "slope",
    "rex.walk": "hills",
    "rex_nameless.walk": "slope",
    "plain.run": "hills",
    "plain.hop": "hills stairs",
    "plain.noisy_walk": "flat hills",
    "plain.uneven_walk": "hills",
    "plain.drifting_walk": "hills",
    "plain.in_place_walk": "hills",
    "boots.in_place_walk": "flat",
    "plain.crawl": "flat hills stairs",
    "nameless.crawl": "slope",
    "tiny.crawl": "hills",
    "plain.get_up": "flat hills slope",
    "plain.log_roll": "flat hills",
    "plain.cartwheel": "flat hills",
    "plain.steps": "flat props",
    "plain.ladder": "flat props raised",
    "plain.sit": "flat props raised lowered hill_props",
    "plain.push_up": "flat slope hills",
    "plain.sit_on_floor": "flat slope",
    "plain.hand_on_rail": "flat props raised lowered hill_props",
    "plain.hand_along_rail": "hills raised hill_props",
    "plain.hands_on_table": "hills props raised lowered hill_props",
    "plain.hand_on_wall": "props hill_props",
    "bare.hand_on_rail": "raised",
    "plain.jump": "flat hills",
    "plain.falling_idle": "flat",
    "plain.drop": "flat",
    "bare.crawl": "flat hills",
    "bare.ladder": "flat",
    "bare.falling_idle": "hills",
    "mage.Walking_A": "flat hills",
    "mage.Running_A": "flat",
    "mage.Idle": "slope",
    "mage.Jump_Full_Long": "flat",
    "mage.Lie_StandUp": "flat",
    "mage.Sit_Floor_Down": "flat",
    "cesium.Anim_0": "flat hills",
    "quaternius.Walk": "flat hills",
    "quaternius.Death": "flat",
    "cow.Walk": "flat hills",
    "husky.Walk": "flat hills",
    "husky.Gallop": "flat",
    "raptor.Velociraptor_Walk": "flat hills",
    "robot.Idle": "flat",
    "robot.Walking": "hills",
    "robot.Death": "flat",
    "133_01.crawl": "flat",
    "77_16.get_up": "flat",
    "13_33.ladder": "flat",
    "13_36.steps": "flat",
    "83_27.stairs": "stairs",
    "03_01.uneven": "rocks",
}
SCENES = tuple(
    f"{clip}.{ground}" for clip, grounds in GROUNDS.items() for ground in grounds.split()
)
COLUMNS = (
    ("foot", 6), ("foot_more", 9), ("body", 6), ("floats", 6), ("late", 5), ("drift", 6),
    ("drift_worst", 11), ("contacts", 8), ("jerk", 6), ("worst", 6), ("upper", 6), ("links", 6),
    ("rise", 6),
)  # fmt: skip


def run(scale: Scale) -> Section:
    """Place and measure all scenes, and compare with what the tool says."""
    section = Section("14. Any character, any motion")
    if not has_bpy():
        section.not_run(ITEM, "any character", "all of it", "no .venv with bpy: `make test`")
        return section
    names = QUICK_SCENES if scale.quick else SCENES
    found = run_with_bpy(CHILD, *names)
    _add_table(section, found)
    _add_claims(section, found)
    if not scale.quick:
        _add_mapping(section, run_with_bpy(CHILD, "mapping"))
    absent = sorted({name.split(".")[0] for name in names if name not in found})
    if absent:
        section.notes.append(f"Characters of the shared data folder that are not here: {absent}.")
    section.notes += [
        "Measured on the meshes that Blender evaluates, by rays of the benchmark's own; mm for a "
        "character of 1.6 m, degrees, ratios to the source. Zoo characters know their contacts.",
        "misses: what is over its limit; said: whether the first sentence of the tool's summary "
        "tells of all of it. A refusal is a miss that is said.",
    ]
    return section


def _add_table(section: Section, found: Mapping[str, Any]) -> None:
    table = Table("scenes", ("scene", *(name for name, _ in COLUMNS), "misses", "said"))
    section.tables.append(table)
    words = Table("what the tool says first, where something is missed", ("scene", "sentence"))
    section.tables.append(words)
    for name, made in found.items():
        cells: list[Cell] = [None] * len(COLUMNS)
        if "quality" in made:
            cells = [digits(made["quality"][column]) for column, _ in COLUMNS]
        misses, said = outcome(name, made)
        table.rows.append((name, *cells, misses, said))
        if misses:
            words.rows.append((name, sentence(made)))


def _add_claims(section: Section, found: Mapping[str, Any]) -> None:
    for limit in LIMITS:
        values = {
            name: made["quality"][limit.name]
            for name, made in found.items()
            if "quality" in made and holds(limit, name)
        }
        if values:
            over = [name for name in values if limit in missed(name, found[name]["quality"])]
            text = f"{limit.text}: scenes of {len(values)} over {limit.most:g}{limit.unit}"
            section.at_most(ITEM, text, len(over), 0)
    outcomes = {name: outcome(name, made) for name, made in found.items()}
    refused = sum("quality" not in made for made in found.values())
    section.at_most(ITEM, f"scenes of {len(found)} that are refused or fail", refused, 0)
    for text, start in (("leaves out", "no"), ("calls good", "GOOD")):
        count = sum(said.startswith(start) for _, said in outcomes.values())
        section.at_most(ITEM, f"scenes with a miss that the first sentence {text}", count, 0)
    met = sum(not misses for misses, _ in outcomes.values())
    honest = sum(not misses or said == "yes" for misses, said in outcomes.values())
    text = f"scenes of {len(found)} with nothing missed ({met}), or all of it said, %"
    section.at_least(ITEM, text, digits(100 * honest / max(1, len(found)), 4), 100)


def _add_mapping(section: Section, found: Any) -> None:
    """How many limbs are mapped right, and how sure the tool is of those that are not."""
    table = Table("characters with limbs that are not mapped right", ("character", "confidence",
                  "right", "wrong"))  # fmt: skip
    section.tables.append(table)
    for each in found:
        if each["wrong"]:
            right = f"{each['right']} of {each['limbs']}"
            table.rows.append((each["name"], digits(each["confidence"]), right,
                               ", ".join(each["wrong"])))  # fmt: skip
    limbs, right = (sum(each[name] for each in found) for name in ("limbs", "right"))
    section.at_least(ITEM, f"limbs of {limbs} mapped right without help, %",
                     digits(100 * right / limbs, 4), 95)  # fmt: skip
    from blender_bioik.rig.mapping.certainty import SURE  # needs bpy

    sure = [each for each in found if each["confidence"] >= SURE]
    wrong = sum(bool(each["wrong"]) for each in sure)
    text = f"characters of {len(sure)} at a confidence of {SURE} or more with a limb mapped wrong"
    section.at_most(ITEM, text, wrong, 0)


def outcome(name: str, made: Mapping[str, Any]) -> tuple[str, str]:
    """What a scene misses, and whether the tool says so.

    Returns:
        Names of limits, and "yes", what is not told, or "GOOD": all is said to be well.
    """
    if "refused" in made:
        return "refused", "yes"
    if "failed" in made:
        return "failed", "no: failed"
    limits = missed(name, made["quality"])
    if not limits:
        return "", ""
    silent = unsaid(limits, made["sentence"], made.get("size", 1.0))
    said = f"no: {', '.join(silent)}" if silent else "yes"
    if silent and made["sentence"].startswith("Good"):
        said = "GOOD"
    return ", ".join(limit.name for limit in limits), said


def sentence(made: Mapping[str, Any]) -> str:
    """What the tool says first."""
    return str(made.get("sentence") or made.get("refused") or made.get("failed"))


# A line for each scene


def print_scenes(names: tuple[str, ...], keep: Path | None) -> None:
    """Print a line for each scene as it is measured."""
    from benchmarks.characters import scenes
    from benchmarks.characters.child import judged
    from benchmarks.feet.child import registered

    print(f"{'scene':30}" + " ".join(name.rjust(width) for name, width in COLUMNS))
    kept: dict[str, Any] = {}
    with registered():
        for name in names:
            if not scenes.available(name):
                print(f"{name:30}needs the shared data folder")
                continue
            try:
                made = judged(name)
            except Exception as error:
                traceback.print_exc()
                made = {"failed": f"{type(error).__name__}: {error}"}
            kept[name] = made
            print(line(name, made), flush=True)
            if keep is not None:
                keep.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    met = sum(not outcome(name, made)[0] for name, made in kept.items())
    print(f"{met} of {len(kept)} scenes miss nothing")


def line(name: str, made: Mapping[str, Any]) -> str:
    """What was measured, in a line, and what the tool said if something is missed."""
    misses, said = outcome(name, made)
    text = f"{name:30}"
    if "quality" in made:
        cells = [(made["quality"][column], width) for column, width in COLUMNS]
        text += " ".join(f"{value:{width}.3g}" for value, width in cells)
    if misses:
        text += f"  MISSED {misses}; said: {said}\n{'':30}  “{sentence(made)}”"
    return text


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.characters.section")
    parser.add_argument("--keep", type=Path, help="file for what was measured, as JSON")
    parser.add_argument("scenes", nargs="*", metavar="CHARACTER.CLIP.GROUND", help="by default all")
    options = parser.parse_args()
    print_scenes(tuple(options.scenes) or SCENES, options.keep)


if __name__ == "__main__":
    main()
