"""Feet over the frames of a clip: their sole points, and the contacts of these with the ground.

World space, metres, Z up. Frames are rows of arrays: row 0 is the clip's first frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Sole points of every foot, in this order. The ball is what a planted foot is locked by.
HEEL, BALL, TIP = 0, 1, 2
POINT_NAMES = ("heel", "ball", "tip")
# Which of them the points at the sides of a sole are beside, in this order. The last two are those
# of the arch, which the ball carries.
RIM = (HEEL, HEEL, BALL, BALL, TIP, TIP, BALL, BALL)

# What to do with a stand above the source's floor: decide by the ground and the height; onto a step
# of the ground at about that height; down onto the ground; or at that height, whatever is below.
AUTO, MATCH, PUT, KEEP = LEVEL_USES = ("AUTO", "MATCH", "PUT", "KEEP")

# Lengths of what is in one piece change by no more than this share: 32-bit numbers are rounded.
RIGID = 1e-4

# A pelvis that is moved further than this in plan view goes far aside, metres for a character of
# 1.6 m.
FAR_ASIDE = 0.04


class Contact(NamedTuple):
    """A sole point on the ground over a range of rows.

    Attributes:
        foot: Index of the foot.
        point: HEEL, BALL or TIP.
        first: First row of it.
        stop: The row after its last.
        slides: Intentional slide: it stays grounded but may move.
        level: What to do if it is above the floor: AUTO for what the clip's settings say, or MATCH,
            PUT or KEEP.
        held: Of a part of the body that rests on something above the floor, how far that is from
            its place in the source, metres; None if it rests on the floor.
    """

    foot: int
    point: int
    first: int
    stop: int
    slides: bool = False
    level: str = AUTO
    held: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot of the source.

    Attributes:
        name: The leg's name in the rig's mapping, "leg.L".
        points: Places of heel, ball and tip; (f, 3, 3).
        clearance: Height of each of them above the floor when the foot is flat; (3,). The points of
            rigs without a mesh are joints inside the foot.
        knee: Place of the knee, the first joint below the hip; (f, 3).
        hip: Place of the hip; (f, 3).
    """

    name: str
    points: Floats
    clearance: Floats
    knee: Floats
    hip: Floats

    @property
    def is_rigid(self) -> bool:
        """Whether the foot is in one piece: no toe turns against it."""
        length = np.linalg.norm(self.points[:, TIP] - self.points[:, HEEL], axis=-1)
        return bool(np.ptp(length) <= RIGID * length.max())
