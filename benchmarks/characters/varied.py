"""Characters, clips and grounds by chance: bodies, gaits and grounds that nobody chose.

python -m benchmarks.characters.varied FIRST STOP prints a line for each seed from FIRST to STOP - 1
and how many miss something. Those from 1000 on are for reports: nothing is tuned on them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.characters.child import judged
from benchmarks.characters.section import line, outcome
from benchmarks.feet import grounds
from benchmarks.feet.child import registered
from demo import ground
from zoo.characters import CHARACTERS
from zoo.characters.biped import PLAIN, Shape, biped
from zoo.clips import CLIPS, HOP, RUN
from zoo.clips.gait import Gait, walk

Random = np.random.Generator
Ground = Callable[[float, float], grounds.Objects]
RATES = (24, 30, 60, 120)
FRAMES = 30  # per second, for which gaits are given


def add(seed: int) -> str:
    """Add a character, a clip and a ground; returns the name of their scene."""
    random = np.random.default_rng(seed)
    who, clip, below = body(random), gait(random), any_ground(random)
    name = f"seed{seed}"
    CHARACTERS[name] = lambda: biped(who)
    CLIPS[name] = lambda made: walk(made, clip)
    grounds.GROUNDS[name] = below
    return f"{name}.{name}.{name}"


def body(random: Random) -> Shape:
    """Someone with legs and feet of another length, height and width."""
    leg, foot, low, wide = random.uniform((0.75, 0.8, 0.8, 0.8), (1.1, 1.8, 2.0, 1.8))
    ankle = low * PLAIN.ankle
    lower = PLAIN.hip * (1.0 - leg)
    heel, ball, tip = PLAIN.sole
    return replace(
        PLAIN,
        joints=tuple(height - lower for height in PLAIN.joints),
        hip=PLAIN.hip - lower,
        hip_width=max(PLAIN.hip_width, 1.2 * wide * PLAIN.sole_width),
        knee=ankle + (leg * PLAIN.hip - ankle) * random.uniform(0.45, 0.52),
        ankle=ankle,
        sole=(foot * heel, foot * ball * random.uniform(0.85, 1.1), foot * tip),
        sole_width=wide * PLAIN.sole_width,
        shoulder=PLAIN.shoulder - lower,
        toes=bool(random.random() < 0.8),
    )


def gait(random: Random) -> Gait:
    """A walk, a run or hops, at any rate of frames."""
    kind = random.choice(["walk", "walk", "walk", "run", "hop"])
    made = {"walk": Gait(), "run": RUN, "hop": HOP}[kind]
    fps = int(random.choice(RATES))
    pace = random.uniform(0.8, 1.3)
    return replace(
        made,
        name=kind,
        fps=fps,
        cycle=2 * round(pace * made.cycle * fps / FRAMES / 2),
        stride=made.stride * random.uniform(0.5, 1.0),
        stands=made.stands * random.uniform(0.92, 1.05),
        pitch=made.pitch * random.uniform(0.7, 1.2),
        lift=made.lift * random.uniform(0.7, 1.5),
    )


def any_ground(random: Random) -> Ground:
    """A slope, hills, stairs or rocks."""
    kind = random.choice(["slope", "hills", "stairs", "rocks"])
    if kind == "slope":
        rise = np.tan(np.radians(random.uniform(5.0, 25.0))) * random.choice([-1.0, 1.0])
        return partial(_slope, rise=rise)
    if kind == "hills":
        shape = ground.Hills(random.uniform(0.15, 0.35), random.uniform(2.4, 4.5))
        return lambda length, width: [ground.hills(shape, length, width)]
    if kind == "stairs":
        steps = ground.Stairs(
            steps=int(random.integers(2, 5)),
            rise=random.uniform(0.1, 0.19),
            tread=random.uniform(0.27, 0.45),
            begin=random.uniform(0.9, 1.7),
        )
        return lambda length, width: [ground.stairs(steps, length, width)]
    number = int(random.integers(1 << 30))
    return partial(_rocks, seed=number)


def _slope(length: float, width: float, rise: float) -> grounds.Objects:
    way = (-length, ground.BEHIND)
    return [ground.grid("Slope", way, width, 0.7, lambda x, y: -rise * y)]


def _rocks(length: float, width: float, seed: int) -> grounds.Objects:
    return grounds.boulders(length, width, seed)


def main() -> None:
    """Place and measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.characters.varied")
    parser.add_argument("first", type=int)
    parser.add_argument("stop", type=int)
    parser.add_argument("--keep", type=Path, help="file for what was measured, as JSON")
    options = parser.parse_args()
    kept: dict[str, Any] = {}
    with registered():
        for seed in range(options.first, options.stop):
            name = add(seed)
            kept[name] = judged(name)
            print(line(_told(seed), kept[name]), flush=True)
    met = sum(not outcome(name, made)[0] for name, made in kept.items())
    print(f"{met} of {len(kept)} miss nothing")
    if options.keep is not None:
        options.keep.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def _told(seed: int) -> str:
    """A seed and what it makes, in a few words."""
    random = np.random.default_rng(seed)
    body(random)
    clip = gait(random)
    kind = random.choice(["slope", "hills", "stairs", "rocks"])
    return f"{seed} {clip.name}@{clip.fps} {kind}"


if __name__ == "__main__":
    main()
