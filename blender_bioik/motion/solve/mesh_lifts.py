"""Lifts: feet whose meshes are in the ground are solved again, that much higher.

Sole points are fixed to bones. A mesh that other bones pull at, or whose sole is not even, may be
in the ground although they are not. How deep it is can only be seen in a solved pose.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import convolve1d, maximum_filter1d

from ..feet import Floats
from ..plan.plan import Plan
from ..tuning import BODY

# A lift that leaves more than this share of a depth does not help: the foot is in a wall.
LEFT = 0.5


def lifted(plan: Plan, lifts: Floats) -> Plan:
    """A plan with feet that are higher by some lifts, metres; (f, feet)."""
    feet = []
    for foot, lift in zip(plan.feet, lifts.T, strict=True):
        target = foot.target.copy()
        target[..., 2] += lift[:, None]
        feet.append(replace(foot, target=target, lift=foot.lift + lift))
    return replace(plan, feet=tuple(feet))


def mesh_lifts(depth: Floats, least: float, rate: float) -> Floats:
    """How much higher feet must be to have their meshes out of the ground, metres; (f, feet).

    Lifts follow the depths smoothly, so that the lowest part of the mesh stays on the ground.

    Args:
        depth: How deep the mesh of each foot is, metres; (f, feet).
        least: Depth that needs no lift, metres.
        rate: Frames per second.
    """
    wanted = np.where(depth > least, depth, 0.0)
    half = max(1, round(BODY.roll_share * BODY.step_seconds * rate))
    # The mean over a window of the largest in as wide a window is nowhere less than wanted.
    window = np.hanning(2 * half + 3)[1:-1]
    widest = maximum_filter1d(wanted, 2 * half + 1, axis=0, mode="nearest")
    return np.asarray(convolve1d(widest, window / window.sum(), axis=0, mode="nearest"))


def remaining_depth(before: Floats, after: Floats, least: float) -> Floats:
    """How deep meshes are in all, metres, without what lifting does not help against; (f, feet).

    Args:
        before: How deep meshes were without lifts, metres; (f, feet).
        after: How deep they are with them; (f, feet).
        least: Depth that needs no lift, metres.
    """
    deep = np.where(after > least, after, 0.0)
    return np.asarray(np.where(deep > LEFT * before, 0.0, before + deep))
