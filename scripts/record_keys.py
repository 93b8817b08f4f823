"""Record what the product writes, as numbers, to compare two states of the code bit for bit.

    python scripts/record_keys.py OUT.npz                record all cases
    python scripts/record_keys.py --compare A.npz B.npz  print a table; exit code 1 if they differ
    python scripts/record_keys.py --list                 say which cases there are
    ... --only walk.hills live                           those whose names begin with one of these

A recording is made by the package beside this script, whatever else is installed; it needs bpy and
takes about a minute. Compare only recordings of the same Blender on the same machine: another
processor or numpy may round differently. Clips of the shared data folder are left out where it is
not there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
# How many of the differences of a step are told in detail.
MOST_TOLD = 4
PARTS = ("curves", "keys", "kinds", "pose", "facts")
ABOUT = "about"

Snapshot = dict[str, NDArray[Any]]
Recording = dict[str, Snapshot]


def main() -> int:
    """Record or compare; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path, metavar="OUT.npz")
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A.npz", "B.npz"))
    arguments = parser.parse_args()
    only = tuple(arguments.only)
    if arguments.compare:
        return compare(*(load(path, only) for path in arguments.compare))
    sys.path.insert(0, str(ROOT))
    if arguments.list:
        from key_cases import cases

        print(*cases(), sep="\n")
        return 0
    if arguments.out is None:
        parser.error("say where to record to, or what to compare")
    failed = record(arguments.out, only)
    if failed:
        print(f"Failed: {', '.join(failed)}")
    return 1 if failed else 0


# Recording


def record(out: Path, only: tuple[str, ...]) -> list[str]:
    """Run the cases and save what they write; returns the cases that failed."""
    import bpy
    from key_cases import cases

    import blender_bioik

    print(f"Recording {Path(blender_bioik.__file__).parent} in Blender {bpy.app.version_string}")
    arrays: Snapshot = {ABOUT: np.array(bpy.app.version_string)}
    failed: list[str] = []
    blender_bioik.register()
    for name, case in cases().items():
        if not name.startswith(only):
            continue
        started = time.perf_counter()
        try:
            arrays |= _steps(name, case)
        except Exception:  # the other cases are worth having all the same
            traceback.print_exc()
            failed.append(name)
        print(f"{name}: {time.perf_counter() - started:.1f} s", flush=True)
    blender_bioik.unregister()
    out.parent.mkdir(parents=True, exist_ok=True)
    save: Any = np.savez_compressed  # numpy 2.3 types the names of arrays as options
    save(out, **arrays)
    return failed


def _steps(name: str, case: Callable[[], Iterator[str]]) -> Snapshot:
    """All steps of a case, in an empty file."""
    import bpy
    from key_snapshot import snapshot

    bpy.ops.wm.read_factory_settings(use_empty=True)
    found: Snapshot = {}
    for step in case():
        taken = snapshot(bpy.context.scene.bioik.armature)
        found |= {f"{name}: {step}|{part}": taken[part] for part in PARTS}
    return found


def load(path: Path, only: tuple[str, ...]) -> Recording:
    """The parts of each step of a recording, by the step's name."""
    found: Recording = {}
    with np.load(path) as arrays:
        for name in arrays.files:
            step, _, part = name.partition("|")
            if step == ABOUT or step.startswith(only):
                found.setdefault(step, {})[part] = arrays[name]
    return found


# Comparing


@dataclass(frozen=True)
class Difference:
    """How a step differs in two recordings.

    Attributes:
        curves: F-curves in the first one.
        keys: Keys in the first one.
        largest: Largest difference of a coordinate or handle of keys that both have.
        pose: Largest difference of a channel of the pose.
        keyed: What differs in curves and poses, in words; nothing if they are equal bit for bit.
        facts: What differs in reports, settings and records.
    """

    curves: int
    keys: int
    largest: float
    pose: float
    keyed: tuple[str, ...]
    facts: tuple[str, ...]


def compare(one: Recording, other: Recording) -> int:
    """Print a table of two recordings; 1 if they differ."""
    blenders = [str(recording.pop(ABOUT)[""]) for recording in (one, other)]
    print("Blender", " and ".join(dict.fromkeys(blenders)))
    width = max(map(len, one | other), default=4)
    print(f"{'case':{width}}  curves    keys  equal  largest     pose  facts")
    told: list[str] = []
    for step in one | other:
        if step not in one or step not in other:
            which = "second" if step in one else "first"
            told.append(f"{step}: not in the {which} recording")
            print(f"{step:{width}}  {'-':>6}  {'-':>6}  {'NO':>5}")
            continue
        found = difference(one[step], other[step])
        told += [f"{step}: {line}" for line in (*found.keyed, *found.facts)]
        equal, facts = ("NO" if differs else "yes" for differs in (found.keyed, found.facts))
        print(
            f"{step:{width}}  {found.curves:6}  {found.keys:6}  {equal:>5}"
            f"  {found.largest:7.2g}  {found.pose:7.2g}  {facts:>5}"
        )
    print("", *told, sep="\n")
    differing = len({line.partition(":")[0] for line in told})
    print(f"{differing} cases differ" if told else f"All {len(one)} steps are equal bit for bit")
    return 1 if told else 0


def difference(one: Snapshot, other: Snapshot) -> Difference:
    """How two recordings of a step differ."""
    first, second = (dict(_curves(step)) for step in (one, other))
    told = [f"{name} is only in the first" for name in first.keys() - second.keys()]
    told += [f"{name} is only in the second" for name in second.keys() - first.keys()]
    largest = 0.0
    for name in first.keys() & second.keys():
        if first[name].same_as(second[name]):
            continue
        apart = first[name].apart(second[name])
        largest = max(largest, apart)
        told.append(f"{name}: {first[name].unlike(second[name])}, by at most {apart:.3g}")
    pose = 0.0
    if not _same(one["pose"], other["pose"]):
        pose = _apart(one["pose"], other["pose"])
        told.append(f"the pose differs by at most {pose:.3g}")
    texts = [json.loads(str(step["facts"])) for step in (one, other)]
    facts = [f"{path}: {a!r} and {b!r}" for path, a, b in _unlike(texts[0], texts[1])]
    keyed = _shortened(sorted(told))
    return Difference(len(first), len(one["keys"]), largest, pose, keyed, _shortened(facts))


@dataclass(frozen=True, eq=False)
class _Curve:
    """An F-curve: what it is besides its keys, their numbers and their kinds."""

    about: list[Any]
    keys: NDArray[Any]
    kinds: NDArray[Any]

    def same_as(self, other: _Curve) -> bool:
        return not self.unlike(other)

    def unlike(self, other: _Curve) -> str:
        parts = {
            "group, extrapolation, modifiers or flags": self.about == other.about,
            "number of keys": len(self.keys) == len(other.keys),
            "keys or handles": _same(self.keys, other.keys),
            "interpolation or types": _same(self.kinds, other.kinds),
        }
        return " and ".join(part for part, same in parts.items() if not same)

    def apart(self, other: _Curve) -> float:
        return _apart(self.keys, other.keys)


def _curves(step: Snapshot) -> Iterator[tuple[str, _Curve]]:
    """The curves of a step by their names."""
    start = 0
    for owner, slot, path, index, *about, count in json.loads(str(step["curves"])):
        stop = start + count
        rows = slice(start, stop)
        yield (
            f"{owner} {slot} {path}[{index}]",
            _Curve(about, step["keys"][rows], step["kinds"][rows]),
        )
        start = stop


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays are equal bit for bit."""
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def _apart(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Largest difference of two arrays, infinite if one is longer."""
    if one.shape != other.shape:
        return float("inf")
    return float(np.abs(one.astype(float) - other).max(initial=0.0))


def _unlike(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON contents differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one | other:
            yield from _unlike(one.get(name), other.get(name), f"{path}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from _unlike(*pair, f"{path}/{number}")
    elif json.dumps(one) != json.dumps(other):
        yield path, one, other


def _shortened(lines: list[str]) -> tuple[str, ...]:
    more = len(lines) - MOST_TOLD
    return (*lines[:MOST_TOLD], *([f"... and {more} more"] if more > 0 else []))


if __name__ == "__main__":
    sys.exit(main())
