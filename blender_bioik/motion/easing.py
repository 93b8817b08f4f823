"""Smooth ways from one value to another."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Share = TypeVar("Share", float, NDArray[np.float64])


def smoothstep(share: Share) -> Share:
    """How far a way is gone that begins and ends slowly, 0 to 1, after a share of its time."""
    return share * share * (3.0 - 2.0 * share)
