"""Where feet stand in a recorded clip: found from places alone, strictly.

A stand is a stretch of time in which the ball stays within a small circle and near the floor. What
lies between (shuffles, slips, the roll onto and off the ball) is none, so that only those stands
count that everybody would call one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.feet.clips import Stand

Floats = NDArray[np.float64]

MIDDLE = 0.7  # share of a stand in which it is judged
RADIUS = 0.02  # metres, for a person
HIGHEST = 0.04  # metres over the lowest place within WINDOW, for a person
WINDOW = 0.6  # seconds before and after
LEAST = 0.12  # seconds
HEEL_DOWN = 0.01  # metres over its lowest place in a stand, for a person
APART = 0.08  # seconds between two stands; what is closer is one that slipped


@dataclass(frozen=True, eq=False)
class Clearance:
    """Heights (feet, 3) of sole points over the floor in a flat stand.

    Attributes:
        usual: In most stands.
        least: In the stand where a point is lowest; nothing lower is above the ground.
    """

    usual: Floats
    least: Floats


def find_stands(ball: Floats, fps: float, height: float) -> list[tuple[int, int]]:
    """Stands of a ball (f, 3) as first row and the row after the last, in order of time."""
    around = max(1, round(WINDOW * fps))
    rows = len(ball)
    low = np.array(
        [ball[row, 2] - ball[max(0, row - around) : row + around + 1, 2].min()
         for row in range(rows)]
    ) < HIGHEST * height  # fmt: skip
    least = max(4, round(LEAST * fps))
    spans = [_longest(ball[:, :2], low, first, RADIUS * height) for first in range(rows)]
    found: list[tuple[int, int]] = []
    for first in np.argsort([first - stop for first, stop in enumerate(spans)], kind="stable"):
        stop = spans[first]
        gap = APART * fps
        apart = all(stop + gap <= begin or first >= end + gap for begin, end in found)
        if stop - first >= least and apart:
            found.append((int(first), stop))
    return sorted(found)


def find_clearance(points: Floats, stands: Sequence[Stand], height: float) -> Clearance:
    """Heights of sole points (feet, f, 3, 3) over the floor in their stands.

    The floor of a stand is where its lowest point is while the foot is flat.
    """
    usual, least = [], []
    for foot in range(len(points)):
        flat = _flat(points, stands, foot, height)
        middle = np.array([np.median(rows, axis=0) for rows in flat])
        floors = middle.min(axis=1, keepdims=True)
        lowest = np.array([rows.min(axis=0) for rows in flat]) - floors
        usual.append(np.median(middle - floors, axis=0))
        # Heels and tips also rest on the floor for a moment; a ball is planted.
        lowest[:, 1] = (middle - floors)[:, 1]
        least.append(np.maximum(lowest.min(axis=0), 0.0))
    return Clearance(np.array(usual), np.array(least))


def floor_below(points: Floats, stands: Sequence[Stand], height: float) -> Floats:
    """Height (feet, f) of a floor that recorded clips have at another height in each stand."""
    clearance = find_clearance(points, stands, height).usual
    rows = np.arange(points.shape[1])
    found = []
    for foot in range(len(points)):
        middles = [(stand.first + stand.stop) / 2 for stand in stands if stand.foot == foot]
        flat = _flat(points, stands, foot, height)
        floors = [(np.median(each, axis=0) - clearance[foot]).mean() for each in flat]
        found.append(np.interp(rows, middles, floors))
    return np.array(found)


def _flat(points: Floats, stands: Sequence[Stand], foot: int, height: float) -> list[Floats]:
    """Heights (rows, 3) of the points in each stand of a foot, as long as its heel is down."""
    found = []
    for stand in stands:
        if stand.foot == foot:
            heights = points[foot, stand.first : stand.stop, :, 2]
            heel = heights[:, 0]
            found.append(heights[heel < heel.min() + HEEL_DOWN * height])
    return found


def _longest(path: Floats, low: NDArray[np.bool_], first: int, radius: float) -> int:
    """The row after the last up to which a path (f, 2) stays within a circle and low."""
    least, most = path[first], path[first]
    for row in range(first, len(path)):
        least, most = np.minimum(least, path[row]), np.maximum(most, path[row])
        if not low[row] or np.linalg.norm(most - least) > 2 * radius:
            return row
    return len(path)
