"""Loops: clips that end as they begin."""

from __future__ import annotations

import numpy as np

from .feet import Floats

# Joints this near to where they began are back, metres for a character of 1.6 m.
BACK = 0.01
# Shorter clips are no loops: there is no telling them from standing still.
SHORTEST = 8


def is_loop(joints: Floats, scale: float) -> bool:
    """Whether a clip's last frame is its first one again, with all joints (f, n, 3) moving on.

    A clip that stands still at both ends is as good as any loop, so the steps into the last frame
    and out of the first must also be alike.
    """
    if len(joints) < SHORTEST:
        return False
    near = BACK * scale
    back = np.linalg.norm(joints[-1] - joints[0], axis=-1).max()
    out, into = joints[1] - joints[0], joints[-1] - joints[-2]
    bend = np.linalg.norm(out - into, axis=-1).max()
    usual = np.linalg.norm(np.diff(joints, n=2, axis=0), axis=-1).max()
    return bool(back < near and bend <= max(usual, 0.1 * near))
