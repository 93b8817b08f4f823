"""Hands that bear: they hold something still while the body goes up or down past them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..feet import Floats
from ..tuning import BODY
from .contacts import Mask, point_stands


def hands_bear(hands: Sequence[Floats], pelvis: Floats, rate: float, scale: float) -> Mask:
    """In which rows a hand bears; (f,).

    A hand that swings back in a walk is still for a moment only, and one that hangs goes up and
    down with the body.

    Args:
        hands: Their paths; (f, 3) each.
        pelvis: Path of the pelvis; (f, 3).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    bears = np.zeros(len(pelvis), bool)
    anywhere = np.ones(len(pelvis), bool)
    for path in hands:
        for first, stop in point_stands(path, anywhere, rate, scale):
            passed = float(np.ptp((pelvis - path)[first:stop, 2]))
            if stop - first >= BODY.step_seconds * rate and passed > BODY.wall * scale:
                bears[first:stop] = True
    return bears
