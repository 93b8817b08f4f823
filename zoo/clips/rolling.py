"""Rolling over: from the back over the side and the front onto the back again."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from demo.gait import about_x, about_y

from ..body import Body, Floats
from ..posing import Motion, Posing, Touch, curve
from ..skin import shell
from .effectors import FPS

STILL, ROLLS = 20, 70  # frames at both ends, and of the turn
POINTED = 75.0  # degrees by which the feet are stretched
SOFT = 2.0  # frames over which the height of the hips is rounded


def log_roll(body: Body) -> Motion:
    """Once around the long axis of the body, with the arms over the head, without slipping."""
    frames = np.arange(2 * STILL + ROLLS + 1, dtype=float)
    angle = 2 * np.pi * curve(frames, ((STILL, 0.0), (STILL + ROLLS, 1.0)))[:, 0]
    posing = _lying(body, angle, np.zeros((len(frames), 3)))
    deepest = _lowest(body, posing)
    height = gaussian_filter1d(-deepest, SOFT, mode="nearest")
    height += max(0.0, float((-deepest - height).max()))
    way = np.concatenate([[0.0], np.cumsum(height[1:] * np.diff(angle))])
    posing = _lying(body, angle, np.stack([way, np.zeros_like(way), height], axis=1))
    last = len(frames)
    touches = [
        Touch(role, *rows)
        for role in (body.root, body.spine[-1])
        for rows in ((0, STILL), (last - STILL, last))
    ]
    return posing.motion("Log Roll", FPS, tuple(touches))


def _lying(body: Body, angle: Floats, root: Floats) -> Posing:
    """A stretched body on its back, turned about its long axis."""
    posing = Posing(body, root)
    pelvis = about_y(angle) @ about_x(np.full(len(angle), -np.pi / 2))
    posing.turns[body.root] = pelvis
    for side, sign in (("L", 1.0), ("R", -1.0)):
        over_head = about_y(np.full(len(angle), -sign * np.pi / 2))
        posing.turns[body.limb(f"arm.{side}").bones[0]] = pelvis @ over_head
        pointed = about_x(np.full(len(angle), np.radians(POINTED)))
        posing.turns[body.limb(f"leg.{side}").bones[2]] = pelvis @ pointed
    return posing


def _lowest(body: Body, posing: Posing) -> Floats:
    """The lowest height of the skin in each frame."""
    surface = shell(body.parts)
    lowest = np.full(len(posing.root), np.inf)
    for role in set(surface.bones):
        own = [number for number, bone in enumerate(surface.bones) if bone == role]
        away = surface.vertices[own] - body.head(role)
        places = posing.head(role)[:, None] + away @ posing.turn(role).transpose(0, 2, 1)
        lowest = np.minimum(lowest, places[..., 2].min(axis=1))
    return lowest
