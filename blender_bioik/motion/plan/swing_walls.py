"""Walls that hold back a swinging foot for a moment, instead of lifting it over them at once.

A toe that leaves the ground close to a riser is past the riser a frame later, and would have to be
above it by then. People hold it back by a few centimetres until the foot has risen. Likewise, a
heel that comes down behind an edge clears the edge a little earlier.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..feet import BALL, HEEL, TIP, Floats, Foot
from ..ground.underfoot import Underfoot
from ..tuning import BODY
from .footsteps import Footstep
from .plan import FootPlan, Plan
from .tuning import SOLES, SWINGS


class Walls(NamedTuple):
    """Walls of the sole points of all feet.

    Attributes:
        active: Whether a point has one in a row; (f, points).
        place: A place on it in plan view; (f, points, 2).
        normal: Side on which it has to stay, a unit vector in plan view; (f, points, 2).
    """

    active: NDArray[np.bool_]
    place: Floats
    normal: Floats


class _Way(NamedTuple):
    """The ground along the way of a swing: its start, its direction, and heights every `step`."""

    begin: Floats
    direction: Floats
    heights: Floats
    step: float

    def along(self, points: Floats) -> Floats:
        """How far along the way points (..., 2) are, metres."""
        return np.asarray((points - self.begin) @ self.direction)

    def first_above(self, start: float, height: float) -> float | None:
        """Distance along the way at which higher ground begins, from a place on."""
        index = max(0, int(start / self.step))
        higher = np.flatnonzero(self.heights[index:] > height)
        return None if len(higher) == 0 else (index + float(higher[0])) * self.step

    def last_above(self, end: float, height: float) -> float | None:
        """Distance along the way at which the last higher ground before a place ends."""
        index = int(np.clip(np.ceil(end / self.step), 0, len(self.heights) - 1))
        higher = np.flatnonzero(self.heights[: index + 1] > height)
        return None if len(higher) == 0 else (float(higher[-1]) + 1.0) * self.step


def find_walls(plan: Plan, feet: Sequence[Foot], scale: float) -> Walls:
    """Walls of all feet, in the order of their sole points."""
    frames, count = len(feet[0].points), 3 * len(feet)
    walls = Walls(
        np.zeros((frames, count), bool), np.zeros((frames, count, 2)), np.zeros((frames, count, 2))
    )
    for i, (wanted, foot) in enumerate(zip(plan.feet, feet, strict=True)):
        shift = wanted.path - foot.points[:, BALL, :2]
        natural = foot.points[..., :2] + shift[:, None]
        beyond = _beyond(foot, scale)
        steps = sorted(wanted.footsteps, key=lambda step: step.contact.first)
        for one, other in pairwise(steps):
            way = _way(foot, one, other, plan.underfoot, scale)
            if way is not None:
                _add(walls, 3 * i, way, natural, beyond, wanted, one, other, scale)
    return walls


def _way(
    foot: Foot, one: Footstep, other: Footstep, underfoot: Underfoot, scale: float
) -> _Way | None:
    """The ground from one stance to the next; None if it has no wall."""
    start, end = one.place[-1, :2], other.place[0, :2]
    length, step = float(np.linalg.norm(end - start)), SWINGS.step * scale
    if length < step:
        return None
    direction = (end - start) / length
    sole = float(np.linalg.norm(foot.points[0, TIP] - foot.points[0, HEEL]))
    around = max(step, SOLES.edge_around * sole)
    along = np.arange(-around, length + around, step)
    row = (one.contact.stop + other.contact.first) // 2
    heights = underfoot.at(start + along[:, None] * direction, np.array(row)).height
    if np.abs(np.diff(heights)).max() < BODY.wall * scale:
        return None
    return _Way(start + along[0] * direction, direction, heights, step)


def _add(
    walls: Walls,
    first: int,
    way: _Way,
    natural: Floats,
    beyond: Floats,
    wanted: FootPlan,
    one: Footstep,
    other: Footstep,
    scale: float,
) -> None:
    """Add the walls of a swing."""
    leave, arrive = one.contact.stop, other.contact.first
    rows = np.arange(leave, arrive)
    rows = rows[~(wanted.height_lock[rows] > 0.0).any(axis=1)]
    middle = 0.5 * (leave + arrive)
    for point in range(3):
        at = way.along(natural[:, point])
        ahead = way.first_above(at[leave - 1], one.height + BODY.wall * scale)
        behind = way.last_above(at[arrive], other.height + BODY.wall * scale)
        for wall, side, some in ((ahead, -1.0, rows < middle), (behind, 1.0, rows >= middle)):
            if wall is None:
                continue
            past = side * (wall - at[rows])
            held = rows[some & (past > -beyond[rows, point]) & (past < BODY.wall * scale)]
            walls.active[held, first + point] = True
            walls.normal[held, first + point] = side * way.direction
            away = wall + side * (SWINGS.step * scale + beyond[held, point, None])
            walls.place[held, first + point] = way.begin + away * way.direction


def _beyond(foot: Foot, scale: float) -> Floats:
    """How far a pitched shoe extends beyond each of its sole points; (f, 3)."""
    along = foot.points - foot.points[:, [BALL]]
    rise = along[..., 2] - (foot.clearance - foot.clearance[BALL])
    pitch = rise / np.maximum(np.linalg.norm(along, axis=-1), 1e-9)
    beyond = np.zeros_like(pitch)
    for point, height in ((HEEL, BODY.shoe_height), (TIP, BODY.shoe_height)):
        beyond[:, point] = height * scale * np.clip(-pitch[:, point], 0.0, 1.0)
    return beyond
