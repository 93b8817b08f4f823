"""All motions, by name; `walk` is for any number of legs, the others are for bipeds."""

from __future__ import annotations

from collections.abc import Callable

from ..body import Body
from ..posing import Motion
from .crawl import crawl
from .floor_work import cartwheel, get_up
from .furniture import ladder, sit, steps
from .gait import Gait, walk
from .in_the_air import drop, falling_idle, jump

Mover = Callable[[Body], Motion]

CLIPS: dict[str, Mover] = {
    "walk": lambda body: walk(body, Gait()),
    "crawl": crawl,
    "get_up": get_up,
    "cartwheel": cartwheel,
    "steps": steps,
    "ladder": ladder,
    "sit": sit,
    "jump": jump,
    "falling_idle": falling_idle,
    "drop": drop,
}
