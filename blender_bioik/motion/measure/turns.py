"""How far a result turns bones from the source; degrees. Rows are frames."""

from __future__ import annotations

import numpy as np

from ..feet import Floats


def twist_and_tilt(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Turns about the vertical, and tilts, between unit quaternions (f, n, 4); degrees; (f, n)."""
    (w, x, y, z), (a, b, c, d) = (np.moveaxis(turns, -1, 0) for turns in (after, before))
    # The turn from before to after, in world axes.
    about_z = z * a - x * c + y * b - w * d
    scalar = w * a + x * b + y * c + z * d
    twist = 2.0 * np.arctan2(np.abs(about_z), np.abs(scalar))
    tilt = 2.0 * np.arccos(np.minimum(np.hypot(scalar, about_z), 1.0))
    # Upside down, any turn about the vertical is one about another axis as well.
    return np.degrees(np.where(tilt > 0.75 * np.pi, 0.0, twist)), np.degrees(tilt)


def turns(before: Floats, after: Floats) -> Floats:
    """Angles between unit quaternions (f, n, 4), degrees; exact for small ones; (f, n)."""
    apart = np.linalg.norm(after - before, axis=-1)
    opposite = np.linalg.norm(after + before, axis=-1)
    half = np.minimum(apart, opposite) / 2.0
    return np.degrees(4.0 * np.arcsin(np.minimum(half, 1.0)))
