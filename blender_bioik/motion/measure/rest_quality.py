"""How well parts of the body rest where they were planned to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body.hull import rotation_matrices
from ..feet import Floats
from ..rests.part import HALVES
from ..rests.part_plan import RestPlan


@dataclass(frozen=True, eq=False)
class RestQuality:
    """A part of the body in a clip.

    Attributes:
        frames: In how many frames it rests.
        drift: Distance in plan view from its place while it is held there, metres; (f,).
        floating: Height above its height over the ground while it rests, metres; (f,).
        sinking: Depth below that height, metres; (f,).
        held: In how many frames it rests on something above the floor.
    """

    frames: int
    drift: Floats
    floating: Floats
    sinking: Floats
    held: int = 0


def measure_rest(rest: RestPlan, place: Floats, turn: Floats) -> RestQuality:
    """Compare a part's bone, at places (f, 3) with turns (f, 4), with its plan."""
    matrices = rotation_matrices(turn)
    points = place[:, None] + np.einsum("fij,fkj->fki", matrices, rest.place)
    off = points - rest.point
    locked = rest.lock == 1.0
    drift = np.where(locked, np.linalg.norm(off[:, 0, :2], axis=-1), 0.0)
    above = np.where(rest.height_lock == 1.0, off[:, 1:, 2], 0.0)
    floating = np.maximum(0.0, above.reshape(len(off), HALVES).max(axis=1))
    sinking = np.maximum(0.0, -above.min(axis=1))
    return RestQuality(int(rest.rows.sum()), drift, floating, sinking, int(rest.held.sum()))
