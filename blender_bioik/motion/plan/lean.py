"""How the upper body leans with the ground: forward uphill, back downhill."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..feet import BALL, HEEL, TIP, Floats, Foot
from ..tuning import BODY
from .body_rise import averaged
from .plan import Plan


def lean_angles(
    plan: Plan,
    feet: Sequence[Foot],
    pelvis: Floats,
    bears: Floats,
    share: float,
    rate: float,
    *,
    loop: bool = False,
) -> Floats:
    """Turns of an upper body with the ground as rotation vectors in the world, radians; (f, 3).

    The slope is that from a knee's height behind the body to one ahead, so that stairs are a slope,
    averaged over the time of a step.

    Args:
        plan: Where feet go.
        feet: The feet in the source.
        pelvis: Where the pelvis is in the source; (f, 3).
        bears: Share of the body that does not stand on its feet in each row; (f,).
        share: Share of the slope.
        rate: Frames per second.
        loop: Whether the clip continues from its last row to its first.
    """
    ahead = _ahead(feet)
    knee = float(np.mean([np.linalg.norm(f.knee - f.points[:, BALL], axis=-1) for f in feet]))
    place, rows = pelvis + plan.body, np.arange(len(pelvis))
    ends = [place + side * knee * ahead for side in (1.0, -1.0)]
    first, last = (plan.underfoot.at(each, rows).height for each in ends)
    slope = np.nan_to_num((first - last) / (2.0 * knee))
    slope = np.clip(slope, -BODY.steepest, BODY.steepest) * (1.0 - np.clip(bears, 0.0, 1.0))
    # Twice: bodies do not nod with every hump.
    around = np.tile(slope, 3) if loop else slope
    even = averaged(averaged(around, rate), rate)
    even = even[len(slope) : -len(slope)] if loop else even
    across = np.cross([0.0, 0.0, 1.0], ahead)
    return np.asarray(across * (share * np.arctan(even))[:, None], float)


def _ahead(feet: Sequence[Foot]) -> Floats:
    """Where the feet point together in plan view, unit vectors; (f, 3)."""
    way = np.sum([foot.points[:, TIP] - foot.points[:, HEEL] for foot in feet], axis=0)
    way = way * [1.0, 1.0, 0.0]
    return np.asarray(way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-9))
