"""How feet turn with the slope of the ground, keeping their heading in plan view."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from .angles import angle_of
from .feet import Floats
from .tuning import BODY


def level_heading(forward: Floats) -> Floats:
    """Vectors (f, 3) in plan view; zero where they point down or up too steeply to have one."""
    level = forward * [1.0, 1.0, 0.0]
    size = np.linalg.norm(level, axis=-1, keepdims=True)
    long_enough = size > BODY.no_heading * np.linalg.norm(forward, axis=-1, keepdims=True)
    return np.asarray(np.where(long_enough, level, 0.0))


def tilted(slope: Floats, forward: Floats, descent: float = 0.0) -> Floats:
    """Turns (f, 4) from level ground to slopes (f, 2) that keep headings (f, 3) in plan view.

    A foot that points down, because its heel is raised or its heel point is on the ankle, has to
    turn a little to keep its heading on ground that leans to a side. `descent`, metres, is how far
    it points down when it is flat.
    """
    level = level_heading(forward)
    has_heading = np.asarray(level.any(axis=-1))
    level = np.where(has_heading[:, None], level, [1.0, 0.0, 0.0])
    most = BODY.most_pitch * np.linalg.norm(level, axis=-1)
    pitch = np.where(has_heading, forward[:, 2], -descent)
    leading = level.copy()
    leading[:, 2] = np.clip(pitch, -descent - most, -descent + most)
    turn = _slope_turn(slope, level)
    led = turn.apply(leading)
    aside = angle_of(led[:, 1], led[:, 0]) - angle_of(level[:, 1], level[:, 0])
    back = Rotation.from_rotvec(-aside[:, None] * [0.0, 0.0, 1.0])
    return np.asarray((back * turn).as_quat()[:, [3, 0, 1, 2]])


def _slope_turn(slope: Floats, level: Floats) -> Rotation:
    """Turns from level ground to slopes (f, 2) about an axis across level headings (f, 3)."""
    risen = level + np.einsum("fi,fi->f", slope, level[:, :2])[:, None] * [0.0, 0.0, 1.0]
    normal = np.concatenate([-slope, np.ones((len(slope), 1))], axis=-1)
    before = _frame(level, np.broadcast_to([0.0, 0.0, 1.0], normal.shape))
    return Rotation.from_matrix(_frame(risen, normal) @ before.swapaxes(-1, -2))


def _frame(forward: Floats, up: Floats) -> Floats:
    """Matrices (f, 3, 3) with columns forward, sideways and up of vectors at right angles."""
    ahead, above = (v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (forward, up))
    return np.stack([ahead, np.cross(above, ahead), above], axis=-1)


def upright_share(slope: Floats) -> Floats:
    """Extra clearance of a point above ground of a slope (..., 2).

    The clearance is the thickness of the foot below the point, across the ground.
    """
    return np.sqrt(1.0 + (slope * slope).sum(axis=-1))
