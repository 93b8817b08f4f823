"""Frames of joints relative to each other, while building a chain."""

from __future__ import annotations

import numpy as np

from ..transforms import Floats, quaternion_product

# Points and axes may change by this part over frames before they count as moving.
STILL = 1e-6


class JointFrame:
    """Frame of the next joint relative to the last one, for every frame of the clip."""

    def __init__(
        self, joint: str | None, place: Floats, turn: Floats, floats: bool = False
    ) -> None:
        self.joint = joint
        self.place = place
        self.turn = turn
        self.floats = floats
        self.pending = True

    def is_still(self) -> bool:
        """Whether it is constant over the frames."""
        if len(self.place) == 1:
            return True
        size = float(np.abs(self.place).max(initial=0.0))
        return bool(
            np.ptp(self.place, axis=0).max() <= STILL * size
            and np.ptp(np.abs(self.turn), axis=0).max() <= STILL
        )

    def turn_by(self, turn: Floats) -> None:
        """Turn it further about its own axes."""
        self.turn = quaternion_product(self.turn, turn)
        self.pending = True

    def start_at(self, joint: str, place: Floats, turn: Floats) -> None:
        """Become relative to a joint, at the frame that the joint carries."""
        self.joint, self.place, self.turn = joint, place, turn
        self.floats = False
        self.pending = False
