"""Shapes of the overlay as arrays: lines, dashes, marks and footprints. World space, metres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .colours import Colour

Points = NDArray[np.float32]

# A sole from heel (0) to tip (1), and how wide it is there as a share of its length; one side.
SOLE = np.array(
    [
        *((0.0, 0.0), (0.03, 0.1), (0.15, 0.145), (0.4, 0.12), (0.65, 0.185)),
        *((0.83, 0.185), (0.96, 0.11), (1.0, 0.0)),
    ]
)
# The ball of a foot is at this share of the sole.
BALL_AT = 0.7
# A foot that stands on a point, as a hoof does, is as long as this for a character of 1.6 m.
POINT_LENGTH = 0.06


# Edges of an octahedron, and a cube's diagonals; (n, 2, 3).
_AROUND = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], np.float32)
_TOP = np.array([[0, 0, 1]] * 4, np.float32)
OCTAHEDRON: Points = np.concatenate(
    [
        np.stack([_AROUND, np.roll(_AROUND, -1, axis=0)], axis=1),
        np.stack([_AROUND, _TOP], axis=1),
        np.stack([_AROUND, -_TOP], axis=1),
    ]
)
_CORNERS = np.array([[1, 1, 1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]], np.float32) / np.sqrt(3.0)
DIAGONALS = np.stack([_CORNERS, -_CORNERS], axis=1).astype(np.float32)


class Lines(NamedTuple):
    """Straight lines.

    Attributes:
        points: Both ends of each; (n, 2, 3).
        colours: Their colours; (n, 2, 4).
    """

    points: Points
    colours: Points


class Triangles(NamedTuple):
    """Filled triangles.

    Attributes:
        points: Their corners; (n, 3, 3).
        colours: The colours there; (n, 3, 4).
    """

    points: Points
    colours: Points


def lines(ends: ArrayLike, colour: Colour | Sequence[Colour]) -> Lines:
    """Lines (n, 2, 3) in one colour, or one colour each."""
    points = np.asarray(ends, np.float32).reshape(-1, 2, 3)
    return Lines(points, _coloured(colour, len(points), 2))


def marks(
    shape: Points, centres: ArrayLike, size: float, colour: Colour | Sequence[Colour]
) -> Lines:
    """The same lines (k, 2, 3) around points (n, 3), in one colour, or one colour each."""
    places = np.asarray(centres, np.float32).reshape(-1, 1, 1, 3)
    points = (places + np.float32(size) * shape).reshape(-1, 2, 3)
    each = np.asarray(colour, np.float32)
    if each.ndim == 2:
        each = np.repeat(each, len(shape), axis=0)
    return Lines(points, _coloured(each, len(points), 2))


def joined(parts: Iterable[Lines]) -> Lines:
    """Merged lines."""
    points, colours = _joined(parts, 2)
    return Lines(points, colours)


def filled(parts: Iterable[Triangles]) -> Triangles:
    """Merged triangles."""
    points, colours = _joined(parts, 3)
    return Triangles(points, colours)


def path(points: ArrayLike) -> Points:
    """Lines along a path (n, 3)."""
    along = np.asarray(points, np.float32).reshape(-1, 3)
    return np.stack([along[:-1], along[1:]], axis=1)


def corners(points: ArrayLike, slack: float) -> NDArray[np.bool_]:
    """Which points (n,) of a path (n, 3) are needed to stay within a distance of all of them.

    Stretches of two lines, of four and so on are made one where nothing that they leave out is
    farther off than that.
    """
    along = np.asarray(points, np.float32).reshape(-1, 3)
    kept = np.ones(len(along), bool)
    straight = kept.copy()  # from each point, over half of a stretch
    stretch = 2
    while stretch < len(along) and straight.any():
        starts = np.arange(0, len(along) - stretch, stretch)
        starts = starts[straight[starts] & straight[starts + stretch // 2]]
        dropped = along[starts[:, None] + np.arange(1, stretch)]
        aside = _distance(dropped, along[starts, None], along[starts + stretch, None])
        starts = starts[(aside <= slack).all(axis=1)]
        kept[starts + stretch // 2] = False
        straight[:] = False
        straight[starts] = True
        stretch *= 2
    return kept


def thinned(points: ArrayLike, slack: float) -> Points:
    """A path (n, 3) with fewer points, which stays within a distance of all of them."""
    along = np.asarray(points, np.float32).reshape(-1, 3)
    return along[corners(along, slack)]


def dashed(points: ArrayLike, dash: float, slack: float = 0.0) -> Points:
    """Dashes of some length along a path (n, 3), with gaps as long between them.

    A dash is one straight line where no corner of the path is farther than `slack` off it.
    """
    along = np.asarray(points, float).reshape(-1, 3)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(along, axis=0), axis=1))])
    if len(along) < 2 or way[-1] <= 0.0 or dash <= 0.0:
        return np.zeros((0, 2, 3), np.float32)
    # An odd number of parts, so that both ends of the path are drawn.
    count = max(1, 2 * round((way[-1] / dash - 1.0) / 2.0) + 1)
    cuts = np.linspace(0.0, way[-1], count + 1)
    ends = np.stack([np.interp(cuts, way, along[:, k]) for k in range(3)], axis=1)
    part = np.clip(np.searchsorted(cuts, way, side="right") - 1, 0, count - 1)
    aside = _distance(along, ends[part], ends[part + 1])
    bent = np.zeros(count, bool)
    bent[part[aside > slack]] = True
    at = np.union1d(cuts, way[bent[part]])
    bends = np.stack([np.interp(at, way, along[:, k]) for k in range(3)], axis=1)
    middle = (at[:-1] + at[1:]) / 2.0
    drawn = (np.floor(middle / (way[-1] / count)).astype(int) % 2) == 0
    return path(bends)[drawn]


def closed(points: ArrayLike) -> Points:
    """An outline (n, 3) with its first point again at its end."""
    around = np.asarray(points, np.float32).reshape(-1, 3)
    return np.concatenate([around, around[:1]])


def footprint(
    heel: ArrayLike, ball: ArrayLike, tip: ArrayLike, aside: ArrayLike, scale: float
) -> Points:
    """Outline (n, 3) of a sole through its heel, ball and tip.

    Args:
        heel: Place of the heel; (3,).
        ball: Place of the ball, where the sole bends; (3,).
        tip: Place of the toes' tip; (3,).
        aside: Unit vector across the sole; (3,).
        scale: Size of the character relative to one of 1.6 m.
    """
    rear, middle, front = (np.asarray(point, float) for point in (heel, ball, tip))
    across = np.asarray(aside, float)
    least = POINT_LENGTH * scale
    if np.linalg.norm(front - rear) < least:
        forward = np.cross(across, [0.0, 0.0, 1.0])
        forward *= least / 2.0 / max(float(np.linalg.norm(forward)), 1e-9)
        centre = (rear + front) / 2.0
        rear, middle, front = centre - forward, centre, centre + forward
    length = float(np.linalg.norm(front - rear))
    if np.linalg.norm(front - middle) < 0.05 * length:  # no toes: ball and tip are one place
        middle = rear + BALL_AT * (front - rear)
    share, width = SOLE[:, 0], SOLE[:, 1] * length
    spine = np.stack(
        [np.interp(share, [0.0, BALL_AT, 1.0], [rear[k], middle[k], front[k]]) for k in range(3)],
        axis=1,
    )
    left, right = spine + width[:, None] * across, spine - width[:, None] * across
    return np.concatenate([left, right[-2:0:-1]]).astype(np.float32)


def fill(outline: Points, colour: Colour) -> Triangles:
    """A footprint's outline (n, 3), filled."""
    count = len(outline)
    left, right = np.arange(1, count // 2), np.arange(count - 1, count // 2, -1)
    corners = [np.array([[0, left[0], right[0]]])]
    corners += [np.stack([left[:-1], left[1:], right[:-1]], axis=1)]
    corners += [np.stack([right[:-1], left[1:], right[1:]], axis=1)]
    corners += [np.array([[left[-1], count // 2, right[-1]]])]
    points = outline[np.concatenate(corners)]
    return Triangles(points, _coloured(colour, len(points), 3))


def diamond(centre: ArrayLike, size: float) -> Points:
    """The edges of an octahedron around a point."""
    return np.asarray(centre, np.float32) + np.float32(size) * OCTAHEDRON


def beside(points: ArrayLike, distance: float) -> Points:
    """A path (n, 3) moved to its left in plan view, to the right where the distance is negative."""
    along = np.asarray(points, float).reshape(-1, 3)
    if len(along) < 2:
        return along.astype(np.float32)
    forward = np.gradient(along[:, :2], axis=0)
    # Averaged over a stride, to remove the sway of the body.
    width = max(1, min(len(forward) // 2, 12))
    kernel = np.ones(2 * width + 1)
    padded = np.pad(forward, ((width, width), (0, 0)), mode="edge")
    smooth = np.stack([np.convolve(padded[:, k], kernel, mode="valid") for k in range(2)], axis=1)
    size = np.linalg.norm(smooth, axis=1, keepdims=True)
    unit = np.where(size > 1e-9, smooth / np.maximum(size, 1e-9), [1.0, 0.0])
    moved = along.copy()
    moved[:, 0] -= distance * unit[:, 1]
    moved[:, 1] += distance * unit[:, 0]
    return moved.astype(np.float32)


def _distance(
    points: NDArray[np.floating], start: NDArray[np.floating], end: NDArray[np.floating]
) -> NDArray[np.floating]:
    """Distance of points (..., 3) from straight lines."""
    line, to_point = end - start, points - start
    share = np.sum(to_point * line, axis=-1) / np.maximum(np.sum(line * line, axis=-1), 1e-12)
    nearest = np.clip(share, 0.0, 1.0)[..., None] * line
    return np.asarray(np.linalg.norm(to_point - nearest, axis=-1))


def _coloured(colour: ArrayLike, count: int, corners: int) -> Points:
    """Colours (count, corners, 4) from one colour, or one each."""
    each = np.asarray(colour, np.float32)
    colours = np.empty((count, corners, 4), np.float32)
    if count:
        colours[:] = each if each.ndim == 1 else each.reshape(count, 1, 4)
    return colours


def _joined(parts: Iterable[Sequence[Points]], corners: int) -> tuple[Points, Points]:
    given = [part for part in parts if len(part[0])]
    if not given:
        return np.zeros((0, corners, 3), np.float32), np.zeros((0, corners, 4), np.float32)
    points, colours = (np.concatenate([part[k] for part in given]) for k in range(2))
    return points, colours
