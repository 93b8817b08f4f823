"""Where something touches the ground that comes near it from a direction."""

from __future__ import annotations

import numpy as np

from ..feet import Floats
from ..ground.terrain import Terrain

# What is nearer touches, as a share of the reach.
TOUCHES = 0.0005
MOST_STEPS = 60
# Points that are nearer are on the surface, as a share of the reach.
ON_SURFACE = 0.02
# Where points come from, in reaches: the first place at which they are clear of the ground.
STARTS = (1.0, 1.5, 2.0)
MOST_SURFACES = 16
# Ways aside that are tried where there is nothing ahead: directions, and shares of the reach.
AROUND, ASIDE = 8, (0.35, 0.7)


def nearest_touch(
    terrain: Terrain, points: Floats, row: int, ways: Floats, reach: float, *, aside: bool = True
) -> Floats | None:
    """The shortest way (3,) by which points (n, 3) come to touch the ground; None if none does.

    Args:
        terrain: The ground.
        points: The points.
        row: The row in which they are there.
        ways: Directions from which they may come, unit vectors from the ground; (k, 3).
        reach: Longest way, metres.
        aside: Whether they may also be moved aside for that.
    """
    if distance(terrain, points, row, 2.0 * reach) > reach:
        return None
    found = [
        way for each in ways for way in _touches(terrain, points, row, each, reach, aside=aside)
    ]
    found = [way for way in found if np.linalg.norm(way) <= reach]
    return min(found, key=lambda way: float(way @ way), default=None)


def nearest_grip(terrain: Terrain, points: Floats, row: int, reach: float) -> Floats | None:
    """The shortest way (3,) by which points (n, 3) close around a surface; None if there is none.

    What is between them, they already close around.
    """
    middle = points.mean(axis=0, keepdims=True)
    thinnest = float(np.linalg.eigvalsh(np.cov(points.T))[0])
    inside = float(np.sqrt(2.0 * thinnest))  # the radius of a ring
    beyond = distance(terrain, middle, row, 2.0 * reach + inside) - inside
    if beyond > reach:
        return None
    return -max(0.0, beyond) * outward(terrain, middle, row, reach)


def distance(terrain: Terrain, points: Floats, row: int, most: float) -> float:
    """Distance of the nearest of points (n, 3) from the ground, at most `most`, metres."""
    rows, limit = np.full(len(points), row), np.full(len(points), most)
    return float(terrain.distance(points, rows, limit).min())


def outward(terrain: Terrain, points: Floats, row: int, reach: float) -> Floats:
    """Direction from the nearest surface to points (n, 3), up to its sign; (3,).

    That of points on the surface is not known: the nearest one off it says.
    """
    rows, limit = np.full(len(points), row), np.full(len(points), 2.0 * reach)
    apart = terrain.distance(points, rows, limit)
    nearest = points[int(np.where(apart > ON_SURFACE * reach, apart, np.inf).argmin())]
    step = TOUCHES * reach
    beside = nearest + step * np.concatenate([np.eye(3), -np.eye(3)])
    around = terrain.distance(beside, rows[:1].repeat(6), limit[:1].repeat(6))
    slope = around[:3] - around[3:]
    return np.asarray(slope / max(float(np.linalg.norm(slope)), 1e-12))


def _touches(
    terrain: Terrain, points: Floats, row: int, way: Floats, reach: float, *, aside: bool
) -> list[Floats]:
    """Ways by which points touch the ground, coming along a direction, aside only if they must."""
    ahead = _first_touch(terrain, points, row, way, reach)
    if ahead is not None:
        return [ahead * way]
    if not aside:
        return []
    one = np.cross(way, np.eye(3)[int(np.abs(way).argmin())])
    one /= np.linalg.norm(one)
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    found: list[Floats] = []
    for share in ASIDE:
        for angle in angles:
            off = share * reach * (np.cos(angle) * one + np.sin(angle) * np.cross(way, one))
            ahead = _first_touch(terrain, points + off, row, way, reach)
            if ahead is not None:
                found.append(off + ahead * way)
        if found:
            break
    return found


def _first_touch(
    terrain: Terrain, points: Floats, row: int, way: Floats, reach: float
) -> float | None:
    """How far along a way points are that touch the ground first, coming from outside of it."""
    least = TOUCHES * reach
    starts = (share * reach for share in STARTS)
    at = next((start for start in starts if _is_clear(terrain, points + start * way, row)), None)
    if at is None:
        return None
    for _ in range(MOST_STEPS):
        apart = distance(terrain, points + at * way, row, 2.0 * reach)
        if apart < least:
            return at
        at -= apart
        if at < -reach:
            return None
    return None


def _is_clear(terrain: Terrain, points: Floats, row: int) -> bool:
    """Whether points (n, 3) are in no solid and below no open surface, by what is above them."""
    rows, ceiling = np.full(len(points), row), np.full(len(points), np.inf)
    inside = np.zeros(len(points), bool)
    for _ in range(MOST_SURFACES):
        height = terrain.below(points, rows, ceiling).height
        over = height > points[:, 2]
        if not over.any():
            return not inside.any()
        inside ^= over
        ceiling = np.where(over, np.nextafter(height, -np.inf), ceiling)
    return False
