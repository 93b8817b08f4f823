"""All motions, by name: gaits for any number of legs, the others for the plain biped."""

from __future__ import annotations

from collections.abc import Callable

from ..body import Body
from ..posing import Motion
from .crawl import crawl
from .floor_work import cartwheel, get_up
from .furniture import ladder, sit, steps
from .gait import Gait, walk
from .in_the_air import drop, falling_idle, jump
from .leaning import hand_along_rail, hand_on_wall, hands_on_table
from .recorded import drifting_walk, in_place_walk, noisy_walk, uneven_walk
from .resting import hand_on_rail, push_up, sit_on_floor
from .rolling import log_roll

RUN = Gait("Run", cycle=20, strides=5, stands=0.38, stride=0.9, lift=0.2, pitch=50.0)
HOP = Gait("Hop", cycle=18, strides=6, stands=0.55, stride=0.7, lift=0.16, hops=True)

Mover = Callable[[Body], Motion]

CLIPS: dict[str, Mover] = {
    "walk": lambda body: walk(body, Gait()),
    "run": lambda body: walk(body, RUN),
    "hop": lambda body: walk(body, HOP),
    "noisy_walk": noisy_walk,
    "uneven_walk": uneven_walk,
    "drifting_walk": drifting_walk,
    "in_place_walk": in_place_walk,
    "crawl": crawl,
    "get_up": get_up,
    "cartwheel": cartwheel,
    "steps": steps,
    "ladder": ladder,
    "sit": sit,
    "log_roll": log_roll,
    "push_up": push_up,
    "sit_on_floor": sit_on_floor,
    "hand_on_rail": hand_on_rail,
    "hand_along_rail": hand_along_rail,
    "hand_on_wall": hand_on_wall,
    "hands_on_table": hands_on_table,
    "jump": jump,
    "falling_idle": falling_idle,
    "drop": drop,
}
