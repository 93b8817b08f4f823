"""Where the pole of an IK chain has to be for a wanted pose."""

from __future__ import annotations

import numpy as np

from ..transforms import Floats

# A pole nearer to the line from the first joint to the last than this share of their distance
# says little about the bend: it is moved out to the other share.
NEAR, AWAY = 0.05, 0.5


def pole_place(
    first: Floats, middle: Floats, end: Floats, angle: float, before: tuple[Floats, Floats]
) -> Floats:
    """The place of a pole (3,), as far from the limb as before.

    Blender turns the chain until the pole is in the plane of the chain and an axis of its first
    bone, X turned by the pole angle about Y. This works for straight limbs too.

    Args:
        first: Wanted matrix of the chain's first bone; (4, 4).
        middle: Wanted head of the second bone; (3,).
        end: Wanted end of the chain; (3,).
        angle: The pole angle, radians.
        before: Joints of the chain (first, middle, end; (3, 3)) and place of the pole (3,) in the
            source.
    """
    joints, pole = before
    head, along, length = _line(first[:3, 3], end)
    axis = first[:3, 0] * np.cos(angle) + first[:3, 2] * np.sin(angle)
    aside = _unit(axis - (axis @ along) * along)
    old_head, old_along, old_length = _line(joints[0], joints[2])
    out = pole - old_head
    ahead = out @ old_along - (joints[1] - old_head) @ old_along
    away = float(np.linalg.norm(out - (out @ old_along) * old_along))
    if away < NEAR * old_length:
        ahead, away = 0.0, AWAY * length
    place = head + along * ((middle - head) @ along + ahead) + aside * away
    return np.asarray(place, float)


def _line(head: Floats, end: Floats) -> tuple[Floats, Floats, float]:
    return head, _unit(end - head), float(np.linalg.norm(end - head))


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))
