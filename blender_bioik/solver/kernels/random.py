"""Random numbers inside the kernels: xorshift64*, one generator for each seed and frame."""

from __future__ import annotations

import numpy as np

from .arena import FRAME, RANDOM, SEED
from .compiled import Ints, kernel


@kernel
def start_random(I: Ints) -> None:
    """Start the generator of a frame: neighbouring seeds and frames share nothing (splitmix64)."""
    x = np.uint64(I[SEED]) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(I[FRAME] + 1)
    for _ in range(2):
        x += np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    I[RANDOM] = np.int64(x | np.uint64(1))


@kernel
def uniform(I: Ints) -> float:
    """Next random number in [0, 1)."""
    x = np.uint64(I[RANDOM])
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    I[RANDOM] = np.int64(x)
    return float((x * np.uint64(2685821657736338717)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
