"""How far a result changes the height of a body, beyond what the ground under it asks for.

A climb, a jump or a fall keeps its height above the ground. World space, metres, Z up; rows are
frames.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..feet import Floats
from ..ground.terrain import Terrain
from .rests import Rests

# The ground within this time before and after a frame may move the body, seconds.
STEP = 0.6


def height_change(
    before: Floats,
    after: Floats,
    feet: Floats,
    rests: Rests,
    terrain: Terrain,
    tops: Floats,
    rate: float,
) -> Floats:
    """How much higher a body is, in each frame, than the ground asks for; negative if lower; (f,).

    Args:
        before: Places of its pelvis in the source; (f, 3).
        after: The same in the result.
        feet: Places of its feet in the result; (f, feet, 3).
        rests: The source's floor, and what rests above it where the height of a climb may change.
        terrain: The ground.
        tops: Height up to which ground counts; (f,).
        rate: Frames per second.
    """
    frames = len(after)
    lift = after[:, 2] - before[:, 2]
    under = np.concatenate([feet, after[:, None]], axis=1)
    rows = np.broadcast_to(np.arange(frames)[:, None], under.shape[:2])
    ceiling = np.broadcast_to(tops[:, None], under.shape[:2])
    hits = terrain.below(under.reshape(-1, 3), rows.ravel(), ceiling.ravel())
    ground = hits.height.reshape(under.shape[:2])
    if np.isnan(ground).all():
        return np.zeros(frames)
    level = np.where(np.isnan(ground), np.nanmedian(ground), ground) - rests.floor
    low, high = level.min(axis=1), level.max(axis=1)
    # What rests on steps in the source may be put onto the ground, or onto its steps.
    climbed = np.zeros(frames)
    for rest in rests.rests:
        climbed[rest.first : rest.stop] = np.maximum(
            climbed[rest.first : rest.stop], max(0.0, rest.height)
        )
    around = max(1, round(STEP * rate))
    least = _within(low - _within(climbed, around, np.max), around, np.min)
    most = _within(high, around, np.max)
    return np.asarray(np.where(lift > most, lift - most, np.where(lift < least, lift - least, 0.0)))


def _within(values: Floats, around: int, chosen: Callable[..., Floats]) -> Floats:
    """The least or largest of values (f,) around each row."""
    padded = np.pad(values, around, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * around + 1)
    return np.asarray(chosen(windows, axis=1))
