"""Digests and sketches of a frame's inputs, to detect later whether it has changed.

Texts and choices have a digest: any change gives another number. Positions and poses have a sketch:
a few weighted sums of their numbers, which rounding (as between Blender's numbers and ours) changes
only slightly. Both are stored in files: they must not depend on versions of numpy or Python.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..transforms import Floats

Digests: TypeAlias = NDArray[np.uint64]

# Sums of a sketch: one might stay the same by chance.
SUMS = 3
# Sketches that differ less are the same: metres, or parts of a rotation matrix.
SMALLEST = 5e-4
# Value used for NaN and infinity.
NO_NUMBER = -1e4


def value_digest(value: Any) -> int:
    """A digest of plain values: texts, numbers, lists and dicts of them."""
    text = json.dumps(value, sort_keys=True)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def row_sketches(values: Floats, salt: int = 0) -> Floats:
    """A sketch (f, SUMS) of each row of an array (f, ...); other salts give other factors."""
    table = np.asarray(values, float).reshape(len(values), -1)
    table = np.where(np.isfinite(table), table, NO_NUMBER)
    numbers = np.arange(table.shape[1] * SUMS, dtype=np.uint64) + np.uint64(salt % 2**63)
    bits = _mixed(numbers).reshape(table.shape[1], SUMS)
    # Magnitudes from 0.5 to 1 of either sign, so that every number contributes.
    size = 0.5 + 0.5 * (bits >> np.uint64(11)).astype(float) / 2.0**53
    return np.asarray(table @ np.where(bits & np.uint64(1), size, -size))


def is_another(one: Floats, other: Floats) -> NDArray[np.bool_]:
    """Which of the rows of two sketches are not the same; (f,)."""
    return np.asarray(np.abs(one - other).max(axis=1, initial=0.0) > SMALLEST)


def _mixed(numbers: Digests) -> Digests:
    """Well-mixed bits of the given numbers (the finaliser of splitmix64)."""
    with np.errstate(over="ignore"):
        z = numbers + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))
