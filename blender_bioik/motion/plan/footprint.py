"""The parts of a planted foot in plan view."""

from __future__ import annotations

import numpy as np

from ..feet import BALL, HEEL, TIP, Floats, Foot
from ..tuning import BODY
from .tuning import FOOTSTEPS


def footprint_shares() -> tuple[tuple[int, float], ...]:
    """Sole points, and the shares of the ways from the ball to them at which the ground matters."""
    return (
        (HEEL, 1.0),
        (HEEL, FOOTSTEPS.heel_middle),
        (TIP, 1.0),
        (TIP, BODY.shoe_end),
    )


class Footprint:
    """A foot in a contact: places of ball, heel and tip in plan view.

    Attributes:
        ball: Place of the ball; (2,).
        offsets: From there to the places of `footprint_shares`; (4, 2).
        lengths: How long these are, metres; (4,).
        behind: From there to just behind the heel; (2,).
        forward: Heading of the foot, a unit vector; (2,).
    """

    def __init__(self, foot: Foot, rows: slice) -> None:
        middle = foot.points[rows].mean(axis=0)[:, :2]
        self.ball = middle[BALL]
        self.offsets = np.stack(
            [share * (middle[point] - self.ball) for point, share in footprint_shares()]
        )
        self.lengths = np.maximum(np.linalg.norm(self.offsets, axis=-1), 1e-12)
        self.behind = BODY.shoe_end * (middle[HEEL] - self.ball)
        forward = middle[TIP] - middle[HEEL]
        length = float(np.linalg.norm(forward))
        self.forward = forward / length if length > 0.0 else np.array([1.0, 0.0])
        self._length = length

    def across(self, side: float) -> Floats:
        """Direction across the foot, a unit vector (2,); along Y if the foot has no length."""
        forward = self.forward if self._length > side else np.array([1.0, 0.0])
        return np.array([-forward[1], forward[0]])

    def sole(self) -> Floats:
        """From the ball to places all along the sole, from the heel to the tip; (n, 2)."""
        heel, tip = (self.offsets[footprint_shares().index((end, 1.0))] for end in (HEEL, TIP))
        shares = np.linspace(0.0, 1.0, FOOTSTEPS.sole_parts + 1)[:, None]
        return np.concatenate([shares[::-1] * heel, shares[1:] * tip])

    def area(self, side: float) -> Floats:
        """From the ball to places all over a sole of half that width; (n, 2)."""
        across = side * self.across(side)
        ends = [offset for offset in self.offsets if np.linalg.norm(offset) > side]
        if not ends:
            ends = [np.array([across[1], -across[0]]), np.array([-across[1], across[0]])]
        along = np.array([*ends, [0.0, 0.0]])
        beside = [along + across, along - across]
        return np.concatenate([along[:-1], *beside])
