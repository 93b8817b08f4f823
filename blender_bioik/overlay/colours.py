"""Colours of the overlay: red, green, blue, alpha from 0 to 1.

From the colour-blind-safe palette of Okabe and Ito. No meaning
depends on colour alone: sliding is dashed, a missed goal has a cross.
"""

from __future__ import annotations

import math
from functools import lru_cache

Colour = tuple[float, float, float, float]

PLANTED: Colour = (0.34, 0.71, 0.91, 1.0)
SLIDES: Colour = (0.90, 0.62, 0.0, 1.0)
FREE: Colour = (0.72, 0.72, 0.72, 1.0)
UNSOLVED: Colour = (0.85, 0.85, 0.85, 1.0)
# Within tolerance, slightly off, far off.
REACHED: Colour = (0.0, 0.72, 0.52, 1.0)
MISSED: Colour = (0.95, 0.77, 0.06, 1.0)
FAR: Colour = (0.90, 0.22, 0.10, 1.0)
LIGHT: Colour = (1.0, 1.0, 1.0, 1.0)
OUTLINE: Colour = (0.0, 0.0, 0.0, 0.45)
# Factor of the tolerance from which errors count as far off.
FAR_OFF = 100.0


@lru_cache(maxsize=256)
def error_colour(error: float, tolerance: float) -> Colour:
    """Green within the tolerance, then yellow, and red from a hundred times the tolerance."""
    if error <= tolerance:
        return REACHED
    share = min(1.0, math.log(error / max(tolerance, 1e-9)) / math.log(FAR_OFF))
    return mixed(MISSED, FAR, share)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """A blend of two colours: the first at 0, the second at 1."""
    r, g, b, a = (x + share * (y - x) for x, y in zip(one, other, strict=True))
    return r, g, b, a


def faded(colour: Colour, alpha: float) -> Colour:
    """A colour with its opacity scaled."""
    r, g, b, a = colour
    return r, g, b, a * alpha
