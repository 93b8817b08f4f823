"""Whether a clip is a loop, by the settings and its ground."""

from __future__ import annotations

import numpy as np

from ...motion.feet import Floats
from ...motion.ground.terrain import Terrain
from ...motion.solve.loops import Loop, find_loop
from ..clip.cyclic import is_cyclic
from ..clip.sampling import Clip
from .clip_contacts import PlayedClip

# Ground that has moved by more over a loop has moved on, metres for a character of 1.6 m.
SAME_GROUND = 0.001
MOVED_ON = "The ground has moved by the time the clip starts again: not treated as a loop."


def read_loop(source: PlayedClip, terrain: Terrain, scale: float) -> tuple[Loop | None, list[str]]:
    """How the clip repeats, and notes about it: over ground that has moved on, it does not."""
    wanted = source.armature.bioik.feet.loop
    if wanted == "OFF":
        return None, []
    told = wanted == "ON" or is_cyclic(source.armature)
    loop = find_loop(_heads(source.clip), source.rate, scale, told=told)
    if wanted == "ON" and loop is None:
        return None, [
            "The clip does not continue from its last frame to its first: not treated as a loop."
        ]
    if loop is not None and not terrain.comes_back(loop.period, SAME_GROUND * scale):
        return None, [MOVED_ON] if wanted == "ON" else []
    return loop, []


def _heads(clip: Clip) -> Floats:
    """Heads of all bones in the world; (f, n, 3)."""
    return np.asarray((clip.world[:, None] @ clip.pose)[..., :3, 3])
