"""Positions of planted feet on the ground: as animated in plan view, moved only away from edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..feet import Contact, Floats, Ints
from ..ground.underfoot import Ground, Underfoot
from ..tilt import upright_share
from ..tuning import BODY
from .footprint import Footprint
from .sole_fit import Followed, fit_sole
from .tuning import FOOTSTEPS, SOLES


@dataclass(frozen=True, eq=False)
class Footstep:
    """A planted ball on the ground.

    Attributes:
        contact: The contact, trimmed to the rows in which it is locked.
        place: The ball's place on the ground in each of them, without its clearance; (rows, 3).
        aside: Offset from the source's place (carried along with the ground); (2,).
        height: The ground's height at the ball in the first of the rows, metres.
        slope: dz/dx and dz/dy of the ground with which the whole foot aligns; (rows, 2).
        triangle: The triangle it stands on, -1 over a hole.
        too_high: Height above the highest step allowed, metres.
        even: Whether the ground has that slope under the whole foot, without edges.
        edged: Whether it has edges there.
        kept: Whether it is at its height above the source's floor, whatever is below.
        borne: Shares of the ways from the ball to heel and tip that have ground below; the rest
            hangs over an edge.
    """

    contact: Contact
    place: Floats
    aside: Floats
    height: float
    slope: Floats
    triangle: int
    too_high: float
    even: bool
    edged: bool = False
    kept: bool = False
    borne: tuple[float, float] = (1.0, 1.0)

    @property
    def thickness(self) -> Floats:
        """Extra vertical thickness of the foot due to the ground's slope; (rows,)."""
        return upright_share(self.slope)

    @property
    def over_hole(self) -> bool:
        """Whether there is no ground below."""
        return self.triangle < 0 and not self.kept


@dataclass(frozen=True, eq=False)
class Stance:
    """The search for a foot's place, and the ground it may stand on.

    Attributes:
        footprint: The foot.
        row: The frame.
        underfoot: The ground.
        scale: Size of the character relative to one of 1.6 m.
        highest: Ground above is too high to step on, metres.
        others: Places of other planted balls, and the least distance to them.
        followed: Share of the ground's rises that the foot follows.
    """

    footprint: Footprint
    row: int
    underfoot: Underfoot
    scale: float
    highest: float
    others: Sequence[tuple[Floats, float]]
    followed: Followed


def find_place(stance: Stance, ball: Floats) -> tuple[Floats, Ground]:
    """The best position for a foot near a place (2,) of its ball, and the ground there."""
    cost, ground = _costs(stance, ball[None], ball)
    if cost[0] == 0.0:
        return ball, _one(ground, 0)
    places = ball + _candidates(FOOTSTEPS.search * stance.scale, stance.footprint.forward)
    cost, ground = _costs(stance, places, ball)
    # The first of equally good places: meshes are in single precision, which decides nothing.
    rounding = float(np.sqrt(np.finfo(np.float32).eps))
    best = int((cost <= cost.min() * (1.0 + rounding)).argmax())
    return places[best], _one(ground, best)


def _one(ground: Ground, index: int) -> Ground:
    """The ground at the ball for one of several places."""
    return Ground(ground.height[index, 0], ground.slope[index, 0], ground.triangle[index, 0])


def _candidates(radius: float, forward: Floats) -> Floats:
    """Offsets inside a circle, along and across a foot; zero first."""
    steps = np.linspace(-1.0, 1.0, FOOTSTEPS.search_steps) * radius
    x, y = np.meshgrid(steps, steps)
    offsets = np.stack([x.ravel(), y.ravel()], axis=-1)
    inside = np.linalg.norm(offsets, axis=-1) <= radius
    across = np.array([-forward[1], forward[0]])
    return np.vstack([[[0.0, 0.0]], offsets[inside] @ np.stack([forward, across])])


def _costs(stance: Stance, places: Floats, wanted: Floats) -> tuple[Floats, Ground]:
    """Cost of standing at each of some places (k, 2) instead of the wanted one."""
    footprint, underfoot, scale = stance.footprint, stance.underfoot, stance.scale
    row = np.array(stance.row)
    points = np.concatenate([places[:, None], places[:, None] + footprint.offsets], axis=1)
    ground = underfoot.at(points, row)
    height = ground.height
    rise = height[:, 1:] - height[:, :1]
    most = SOLES.followed * footprint.lengths
    cost = (np.linalg.norm(places - wanted, axis=-1) / (FOOTSTEPS.aside * scale)) ** 2
    cost += (_above(rise, most) ** 2).sum(axis=-1) / (FOOTSTEPS.into * scale) ** 2
    drop = _above(-rise, most)
    cost += (drop[:, 0] / (FOOTSTEPS.overhang * scale)) ** 2 + (
        drop[:, 2] / (FOOTSTEPS.overhang * scale)
    ) ** 2
    behind = height[:, 0] - underfoot.at(places + footprint.behind, row).height
    edge = _above(behind, SOLES.followed * float(np.linalg.norm(footprint.behind)))
    cost += (edge / (FOOTSTEPS.overhang * scale)) ** 2
    riser = _above(-behind, SOLES.followed * float(np.linalg.norm(footprint.behind)))
    cost += (riser / (FOOTSTEPS.into * scale)) ** 2
    steep = _above(np.linalg.norm(ground.slope[:, 0], axis=-1), BODY.steepest)
    cost += (steep * footprint.lengths.max() / (FOOTSTEPS.into * scale)) ** 2
    cost += (_above(height[:, 0], stance.highest) / (FOOTSTEPS.into * scale)) ** 2
    rows = np.full(len(places), stance.row)
    poke = fit_sole(footprint, places, rows, underfoot, scale, stance.followed).poke
    cost += (_above(poke, SOLES.most_over * scale) / (FOOTSTEPS.into * scale)) ** 2
    for place, least in stance.others:
        near = _above(least - np.linalg.norm(places - place, axis=-1), 0.0)
        cost += (near / (FOOTSTEPS.into * scale)) ** 2
    return cost, ground


def _above(values: Floats, limit: Floats | float) -> Floats:
    return np.maximum(0.0, values - limit)


def carried_place(
    underfoot: Underfoot, place: Floats, triangle: int, row: int, rows: Ints
) -> Floats:
    """Positions of a place on a triangle in other rows; (rows, 3).

    While the triangle is missing, it moves straight to its next position, or stays.
    """
    count = len(rows)
    if triangle < 0 or not underfoot.terrain.moves(np.array([triangle]))[0]:
        return np.tile(place, (count, 1))
    places = underfoot.terrain.follow(
        np.full(count, triangle), np.tile(place, (count, 1)), np.full(count, row), rows
    )
    there = ~np.isnan(places[:, 0])
    if not there.any():
        return np.tile(place, (count, 1))
    return np.stack([np.interp(rows, rows[there], along[there]) for along in places.T], axis=-1)
