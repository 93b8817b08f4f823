"""Cubic curves through some rows of values: what Blender's Bezier keyframes are.

With handles at a third of the way to the next key, the frame of a Bezier curve is linear in its
parameter, so that its values are a cubic polynomial of the frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..feet import Floats, Ints

# Weight of the slopes of the rows beside a key against the rows between keys: it only decides where
# there are none.
SLOPE_WEIGHT = 1e-3


@dataclass(frozen=True, eq=False)
class Cubics:
    """Cubic curves through keys, one for each channel.

    Attributes:
        keys: Rows of the keys, ascending; (k,).
        values: Values there; (k, channels).
        slopes: Slopes there, for each frame; (k, channels).
        frames: Frames of all rows; (f,).
    """

    keys: Ints
    values: Floats
    slopes: Floats
    frames: Floats

    def at_rows(self) -> Floats:
        """Values of all rows; (f, channels)."""
        part, share, length = _parts(self.frames, self.keys)
        first, last, leaving, coming = (each[:, None] for each in _basis(share, length))
        return np.asarray(
            first * self.values[part]
            + last * self.values[part + 1]
            + leaving * self.slopes[part]
            + coming * self.slopes[part + 1]
        )


def fit(frames: Floats, values: Floats, keys: Ints) -> Cubics:
    """The curves through some rows that are nearest to all others.

    Args:
        frames: Frames of the rows, ascending; (f,).
        values: Values; (f, channels).
        keys: Rows of the keys, ascending, the first and the last row among them; at least two.
    """
    part, share, length = _parts(frames, keys)
    first, last, leaving, coming = _basis(share, length)
    left = values - first[:, None] * values[keys[part]] - last[:, None] * values[keys[part + 1]]
    count = len(keys)
    band = np.zeros((2, count))
    band[0] = SLOPE_WEIGHT + _sums(part, leaving**2, count) + _sums(part + 1, coming**2, count)
    band[1] = _sums(part, leaving * coming, count)
    usual = np.gradient(values, frames, axis=0)[keys]
    right = SLOPE_WEIGHT * usual
    for channel in range(values.shape[1]):
        right[:, channel] += _sums(part, leaving * left[:, channel], count)
        right[:, channel] += _sums(part + 1, coming * left[:, channel], count)
    from scipy.linalg import solveh_banded  # a bake of goals starts without scipy

    slopes = solveh_banded(band, right, lower=True)
    return Cubics(keys, values[keys], np.asarray(slopes), frames)


def _parts(frames: Floats, keys: Ints) -> tuple[Ints, Floats, Floats]:
    """For each row, its part between two keys, the share of the way, and the frames of the part."""
    at = frames[keys]
    part = np.clip(np.searchsorted(at, frames, side="right") - 1, 0, len(keys) - 2)
    length = at[part + 1] - at[part]
    return part, (frames - at[part]) / length, length


def _basis(share: Floats, length: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Hermite's basis: the weights of both values and of both slopes."""
    rest = 1.0 - share
    return (
        (1.0 + 2.0 * share) * rest**2,
        share**2 * (3.0 - 2.0 * share),
        length * share * rest**2,
        -length * share**2 * rest,
    )


def _sums(at: Ints, weights: Floats, count: int) -> Floats:
    return np.asarray(np.bincount(at, weights, count))
