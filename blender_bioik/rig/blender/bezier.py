"""One piece of an F-curve between two Bezier keys, divided at a frame without changing its shape.

A piece is four points (4, 2) of frame and value: key, its right handle, the left handle of the next
key, that key.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..transforms import Floats

# Halvings of the range in which a frame is looked for: the rest is below a 32-bit number.
HALVINGS = 50


class Divided(NamedTuple):
    """The pieces (4, 2) before and after a point of a piece; the point belongs to both."""

    before: Floats
    after: Floats


def divided(piece: Floats, frame: float) -> Divided:
    """Both parts of a piece that has the frame between its keys."""
    points = _within_keys(np.asarray(piece, float))
    share = _share_at(points, frame)
    rows = [points]
    while len(rows[-1]) > 1:  # de Casteljau: the points between, and those between these
        rows.append(rows[-1][:-1] + share * (rows[-1][1:] - rows[-1][:-1]))
    return Divided(np.array([row[0] for row in rows]), np.array([row[-1] for row in rows[::-1]]))


def _within_keys(piece: Floats) -> Floats:
    """The piece as Blender evaluates it: a handle that reaches past the other key is shortened."""
    start, end = piece[0], piece[3]
    length = end[0] - start[0]
    out, back = (
        handle * (length / abs(handle[0]) if abs(handle[0]) > length else 1.0)
        for handle in (piece[1] - start, piece[2] - end)
    )
    return np.array([start, start + out, end + back, end])


def _share_at(points: Floats, frame: float) -> float:
    """How far along the piece a frame is, 0 to 1."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        rest = 1.0 - middle
        weights = [rest**3, 3.0 * rest**2 * middle, 3.0 * rest * middle**2, middle**3]
        if float(np.dot(weights, points[:, 0])) < frame:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
