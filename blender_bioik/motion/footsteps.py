"""Where planted feet stand on the ground: as animated in plan view, moved aside only from edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .feet import BALL, HEEL, TIP, Contact, Floats, Foot, Ints
from .tilt import upright_share
from .underfoot import Ground, Underfoot

# A foot is moved aside by up to this, metres, for a character of 1.6 m.
SEARCH = 0.13
SEARCH_STEPS = 13
# Rise from ball to heel or tip that a foot still follows, as a tangent.
STEEP = np.tan(np.radians(25.0))
# Ground steeper than this is avoided.
TOO_STEEP = np.tan(np.radians(35.0))
# What each way of standing badly costs: the metres (or tangent) that cost as much as a unit.
ASIDE, INTO_RISER, TIP_OVERHANG, HEEL_OVERHANG, STEEPNESS = 0.06, 0.01, 0.05, 0.10, 0.1
TOO_HIGH, TOO_CLOSE = 0.02, 0.01
# Planted feet keep at least this distance, metres, or the source's if that is less.
APART = 0.10
# A foot leans to its sides by no more than this tangent: ankles do not go much further.
LEAN = 0.12
# Half the width of a foot, metres, for a character of 1.6 m.
SIDE = 0.04
# Shares of the way from the ball to the heel and to the tip that are looked at; the tip's last one
# is the shoe's end beyond the bone.
FOOTPRINT = ((HEEL, 1.0), (HEEL, 0.5), (TIP, 1.0), (TIP, 1.25))
# Where a whole sole is looked at, both ways are in so many parts.
SOLE_PARTS = 8
# An edge so close behind the heel is in the way of a foot that lands from below it, as a share of
# the way from ball to heel; the metres of drop there that cost as much as a unit.
BEHIND, HEEL_EDGE = 1.2, 0.05


@dataclass(frozen=True, eq=False)
class Footstep:
    """A planted ball on the ground.

    Attributes:
        contact: The contact, trimmed to the rows in which it is locked.
        place: The ball's place on the ground in each of them, without its clearance; (rows, 3).
        aside: How far it was moved from the source's place (carried along with the ground); (2,).
        height: The ground's height at the ball in the first of the rows, metres.
        slope: dz/dx and dz/dy of the ground that the foot as a whole takes on; (rows, 2).
        triangle: The triangle it stands on, -1 over a hole.
        too_high: By how much it exceeds the highest step allowed, metres.
        even: Whether all of the foot is on that slope, as far as the ground is concerned.
    """

    contact: Contact
    place: Floats
    aside: Floats
    height: float
    slope: Floats
    triangle: int
    too_high: float
    even: bool

    @property
    def thickness(self) -> Floats:
        """By how much the foot is thicker, measured upright, for the ground's slope; (rows,)."""
        return upright_share(self.slope)

    @property
    def over_hole(self) -> bool:
        """Whether there is no ground below."""
        return self.triangle < 0


class Footprint:
    """A foot as it stands in a contact: places of ball, heel and tip in plan view.

    Attributes:
        ball: Place of the ball; (2,).
        offsets: From there to the places of `FOOTPRINT`; (4, 2).
        lengths: How long these are, metres; (4,).
        behind: From there to just behind the heel; (2,).
        forward: Where the foot points to, a unit vector; (2,).
    """

    def __init__(self, foot: Foot, rows: slice) -> None:
        middle = foot.points[rows].mean(axis=0)[:, :2]
        self.ball = middle[BALL]
        self.offsets = np.stack([share * (middle[point] - self.ball) for point, share in FOOTPRINT])
        self.lengths = np.linalg.norm(self.offsets, axis=-1) + 1e-6
        self.behind = BEHIND * (middle[HEEL] - self.ball)
        forward = middle[TIP] - middle[HEEL]
        length = float(np.linalg.norm(forward))
        self.forward = forward / length if length > 0.0 else np.array([1.0, 0.0])
        self._length = length

    def across(self, side: float) -> Floats:
        """Where its side points to, a unit vector (2,); along Y if it is no longer than a side."""
        forward = self.forward if self._length > side else np.array([1.0, 0.0])
        return np.array([-forward[1], forward[0]])

    def sole(self) -> Floats:
        """From the ball to places all along the sole, from the heel to the tip; (n, 2)."""
        heel, tip = (self.offsets[FOOTPRINT.index((end, 1.0))] for end in (HEEL, TIP))
        shares = np.linspace(0.0, 1.0, SOLE_PARTS + 1)[:, None]
        return np.concatenate([shares[::-1] * heel, shares[1:] * tip])


def find_place(
    footprint: Footprint,
    ball: Floats,
    row: int,
    underfoot: Underfoot,
    scale: float,
    highest: float,
    others: Sequence[tuple[Floats, float]],
) -> tuple[Floats, Ground]:
    """Where a foot stands best near a place, and the ground there.

    Args:
        footprint: The foot.
        ball: Where its ball would be, in plan view; (2,).
        row: The frame.
        underfoot: The ground.
        scale: Size of the character relative to one of 1.6 m.
        highest: Ground above is too high to step on, metres.
        others: Places of other planted balls, and how near this one may come to them.
    """
    here = ball[None]
    cost, ground = _costs(footprint, here, row, underfoot, scale, highest, others, ball)
    if cost[0] == 0.0:
        return ball, _one(ground, 0)
    places = ball + _candidates(SEARCH * scale, footprint.forward)
    cost, ground = _costs(footprint, places, row, underfoot, scale, highest, others, ball)
    best = int(cost.argmin())
    return places[best], _one(ground, best)


def _one(ground: Ground, index: int) -> Ground:
    """The ground at the ball of one of several places."""
    return Ground(ground.height[index, 0], ground.slope[index, 0], ground.triangle[index, 0])


def _candidates(radius: float, forward: Floats) -> Floats:
    """Offsets inside a circle, along and across a foot; none first."""
    steps = np.linspace(-1.0, 1.0, SEARCH_STEPS) * radius
    x, y = np.meshgrid(steps, steps)
    offsets = np.stack([x.ravel(), y.ravel()], axis=-1)
    inside = np.linalg.norm(offsets, axis=-1) <= radius
    across = np.array([-forward[1], forward[0]])
    return np.vstack([[[0.0, 0.0]], offsets[inside] @ np.stack([forward, across])])


def _costs(
    footprint: Footprint,
    places: Floats,
    row: int,
    underfoot: Underfoot,
    scale: float,
    highest: float,
    others: Sequence[tuple[Floats, float]],
    wanted: Floats,
) -> tuple[Floats, Ground]:
    """How badly a foot would stand at each of some places (k, 2)."""
    points = np.concatenate([places[:, None], places[:, None] + footprint.offsets], axis=1)
    ground = underfoot.at(points, np.array(row))
    height = ground.height
    rise = height[:, 1:] - height[:, :1]
    most = STEEP * footprint.lengths
    cost = (np.linalg.norm(places - wanted, axis=-1) / (ASIDE * scale)) ** 2
    cost += (_above(rise, most) ** 2).sum(axis=-1) / (INTO_RISER * scale) ** 2
    drop = _above(-rise, most)
    cost += (drop[:, 0] / (HEEL_OVERHANG * scale)) ** 2 + (drop[:, 2] / (TIP_OVERHANG * scale)) ** 2
    behind = height[:, 0] - underfoot.at(places + footprint.behind, np.array(row)).height
    edge = _above(behind, STEEP * float(np.linalg.norm(footprint.behind)))
    cost += (edge / (HEEL_EDGE * scale)) ** 2
    cost += (_above(np.linalg.norm(ground.slope[:, 0], axis=-1), TOO_STEEP) / STEEPNESS) ** 2
    cost += (_above(height[:, 0], highest) / (TOO_HIGH * scale)) ** 2
    for place, least in others:
        near = _above(least - np.linalg.norm(places - place, axis=-1), 0.0)
        cost += (near / (TOO_CLOSE * scale)) ** 2
    return cost, ground


def footprint_slope(
    footprint: Footprint,
    places: Floats,
    rows: Ints,
    underfoot: Underfoot,
    scale: float,
    followed: Callable[[Floats, Floats], Floats],
) -> Floats:
    """Slopes (dz/dx, dz/dy) of planes through the ground under heel, tip and both sides; (n, 2).

    Args:
        footprint: The foot.
        places: Its ball; (n, 2).
        rows: The frames; (n,).
        underfoot: The ground.
        scale: Size of the character relative to one of 1.6 m.
        followed: How much of a rise (over a length) from the ball on the foot goes along with.
    """
    side = SIDE * scale
    across = side * footprint.across(side)
    ends = [offset for offset in footprint.offsets if np.linalg.norm(offset) > side]
    ahead = np.array([across[1], -across[0]])
    offsets = np.array([*ends, across, -across, *([] if ends else [ahead, -ahead])])
    points = places[:, None] + np.concatenate([[[0.0, 0.0]], offsets])
    heights = underfoot.at(points, rows[:, None]).height
    rises = followed(heights[:, 1:] - heights[:, :1], np.linalg.norm(offsets, axis=-1))
    slopes = np.linalg.lstsq(offsets, rises.T, rcond=None)[0].T
    lean = slopes @ (across / side)
    return np.asarray(slopes + np.outer(np.clip(lean, -LEAN, LEAN) - lean, across / side))


def _above(values: Floats, limit: Floats | float) -> Floats:
    return np.maximum(0.0, values - limit)


def carried_place(
    underfoot: Underfoot, place: Floats, triangle: int, row: int, rows: Ints
) -> Floats:
    """Where a place on a triangle is in other rows; (rows, 3).

    While the triangle is not there, it goes straight on to where it will be, or stays.
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
