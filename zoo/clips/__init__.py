"""All motions, by name."""

from __future__ import annotations

from collections.abc import Callable

from ..body import Body
from ..posing import Motion
from .gait import Gait, walk

Mover = Callable[[Body], Motion]

CLIPS: dict[str, Mover] = {
    "walk": lambda body: walk(body, Gait()),
}
