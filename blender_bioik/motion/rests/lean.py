"""How a body leans towards what its hands hold, where an arm is too short."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from ..body.hull import rotation_matrices
from ..feet import Floats
from ..tuning import BODY
from .find_holds import above, arm_length
from .part import Part
from .part_plan import RestPlan


def leaning(parts: Sequence[Part], rests: Sequence[RestPlan], body: Floats, rate: float) -> Floats:
    """How far a body moves towards what is out of reach, (f, 3), in the time of a step.

    Args:
        parts: All parts.
        rests: Their plans.
        body: How far the body is moved; (f, 3).
        rate: Frames per second.
    """
    lean = np.zeros_like(body)
    width = 2 * round(0.5 * BODY.step_seconds * rate) + 1
    for part, rest in zip(parts, rests, strict=True):
        if part.limb is None or not rest.held.any():
            continue
        chain = above(parts, part)
        inside = np.einsum("fij,fj->fi", rotation_matrices(part.turn), rest.place[:, 0] - part.grip)
        way = rest.point[:, 0] - inside - chain[0].place - body
        length = np.linalg.norm(way, axis=1)
        beyond = np.where(rest.held, length - arm_length(chain), 0.0).clip(0.0)
        even = maximum_filter1d(beyond, width, mode="nearest")
        for _ in range(2):
            even = uniform_filter1d(even, width // 2 + 1, mode="nearest")
        toward = way / np.maximum(length, 1e-12)[:, None]
        own = even[:, None] * toward
        lean = np.where(np.abs(own) > np.abs(lean), own, lean)
    return lean
