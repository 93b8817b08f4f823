"""Paths of swinging feet: as animated, blended from one footstep's ground to the next.

Where the sole would hit a wall in between, the path is higher: as little and as calmly as what is
in the way allows, from the place where the foot leaves to the one where it lands. A foot that
leaves close to a wall stays back until it is high enough to pass.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from ..contacts.contacts import Mask, runs
from ..feet import BALL, HEEL, TIP, Floats, Foot, Ints
from ..ground.underfoot import Underfoot
from ..least_jerk import calmest_above
from ..tilt import upright_share
from ..tuning import BODY
from .plan import FootPlan
from .tuning import SOLES, SWINGS

# How many distances are tried by which a foot stays back.
DISTANCES = 11


def swing_path(
    foot: Foot,
    wanted: FootPlan,
    underfoot: Underfoot,
    scale: float,
    loop: bool,
    resting: Floats | None = None,
) -> Floats:
    """Path of the ball of a foot; (f, 3).

    Between stances it is offset like its footsteps, by the share of the way covered, so that it
    follows an even slope. It rises with ground that is higher in between.

    Args:
        foot: The foot in the source.
        wanted: Its footsteps.
        underfoot: The ground.
        scale: Size of the character relative to one of 1.6 m.
        loop: Whether it continues from its last row to its first.
        resting: Where the ball is while the foot rests, but not on its sole, NaN in other rows;
            (f, 3). None if it never does.
    """
    frames = len(foot.points)
    if resting is None:
        resting = np.full((frames, 3), np.nan)
    stands = np.flatnonzero((wanted.height_lock[:, BALL] > 0.0) | ~np.isnan(resting[:, 0]))
    if len(stands) == 0:
        return foot.points[:, BALL].copy()
    if not loop:
        return _path(foot, wanted, underfoot, scale, np.arange(frames), resting)
    around = np.arange(stands[0], stands[0] + frames + 1) % frames
    path = np.empty((frames, 3))
    path[around[:-1]] = _path(foot, wanted, underfoot, scale, around, resting)[:-1]
    return path


def over_even_ground(
    path: Floats, swings: Mask, underfoot: Underfoot, rate: float, scale: float
) -> Mask:
    """Rows (f,) of swings along a path (f, 3) over ground without edges.

    Args:
        path: Path of the ball.
        swings: Rows of the swings; (f,).
        underfoot: The ground.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    even = np.zeros(len(path), bool)
    ground = underfoot.at(path, np.arange(len(path)))
    for first, stop in runs(swings):
        rows = slice(max(0, first - 1), stop + 1)
        # On an even slope, ground below a foot that accelerates rises by as much.
        quicker = np.diff(path[rows, :2], n=2, axis=0) * ground.slope[rows][1:-1]
        bends = np.abs(np.diff(ground.height[rows], n=2) - quicker.sum(axis=1))
        even[first:stop] = bends.max(initial=0.0) < BODY.edge * scale * 30.0 / rate
    return even


def _path(
    foot: Foot,
    wanted: FootPlan,
    underfoot: Underfoot,
    scale: float,
    order: Ints,
    resting: Floats,
) -> Floats:
    """The path over rows in their order, some of which belong to stances; (rows, 3)."""
    ball, frames = foot.points[order, BALL], len(order)
    stands = np.flatnonzero(wanted.height_lock[order, BALL] > 0.0)
    moved = np.zeros((frames, 3))
    moved[stands] = wanted.target[order[stands], BALL] - ball[stands]
    moved[stands, 2] -= wanted.lift[order[stands]]
    rolls, planted = _rolling(wanted.height_lock[order] > 0.0)
    moved[rolls] = moved[planted]
    lies = np.setdiff1d(np.flatnonzero(~np.isnan(resting[order, 0])), stands)
    moved[lies] = resting[order[lies]] - ball[lies]
    stands = np.union1d(np.union1d(stands, rolls), lies)
    for end, inside in ((0, stands[0]), (frames - 1, stands[-1])):
        moved[end] = moved[inside]
        both = np.array([inside, end])
        before, after = underfoot.at((ball + moved[inside])[both], order[both]).height
        moved[end, 2] += after - before
    lacking = np.zeros(frames)
    known = np.unique([0, *stands, frames - 1])
    for before in np.flatnonzero(np.diff(known) > 1):
        first, last = int(known[before]), int(known[before + 1])
        rows = np.arange(first, last + 1)
        share = _share(ball[rows], scale)[:, None]
        moved[rows] = moved[first] + share * (moved[last] - moved[first])
        path = ball[rows] + moved[rows]
        over = path[:, 2] - underfoot.at(path, order[rows]).height
        lacking[rows] = _lacking(ball[rows, 2], over)
    path = ball + moved
    missing = _missing(foot, wanted, underfoot, path, order)
    for first, stop in runs(~np.isin(np.arange(frames), stands)):
        jerk = np.abs(np.diff(ball[max(0, first - 1) : stop + 1, 2], n=3)).max(initial=0.0)
        rests = first > 0, stop < frames
        above = lacking[first:stop]
        # Ground that is only uneven is left to the foot that passes over it.
        walls = missing[first:stop].max() > BODY.wall * scale
        if walls:
            above = np.maximum(above, missing[first:stop])
        path[first:stop, 2] += calmest_above(above, float(jerk), *rests)
        own = slice(max(0, first - 1), stop)
        if walls and first > 0 and _has_wall(underfoot, path[own], order[own], scale):
            away, back = _away_from_walls(foot, wanted, underfoot, path[own], order[own], scale)
            path[first:stop, :2] += calmest_above(away[1:], np.inf, *rests)[:, None] * back
    return path


def _has_wall(underfoot: Underfoot, path: Floats, order: Ints, scale: float) -> bool:
    """Whether there is a wall on the way from the first to the last place of a path (rows, 3)."""
    way = path[-1, :2] - path[0, :2]
    count = 2 + int(float(np.linalg.norm(way)) / (SWINGS.step * scale))
    places = path[0, :2] + np.linspace(0.0, 1.0, count)[:, None] * way
    heights = underfoot.at(places, np.array(order[len(order) // 2])).height
    return bool((np.abs(np.diff(heights)) > BODY.wall * scale).any())


def _away_from_walls(
    foot: Foot, wanted: FootPlan, underfoot: Underfoot, path: Floats, order: Ints, scale: float
) -> tuple[Floats, Floats]:
    """How far a foot that leaves a stance has to stay back, until it is high enough to pass.

    Args:
        foot: The foot in the source.
        wanted: Its footsteps.
        underfoot: The ground.
        path: The path of its ball from the last row of the stance on; (rows, 3).
        order: The rows of the clip.
        scale: Size of the character relative to one of 1.6 m.

    Returns:
        The distances in each row, metres; (rows,); and the direction, a unit vector; (2,).
    """
    way = path[-1, :2] - path[0, :2]
    back = -way / max(float(np.linalg.norm(way)), 1e-9)
    distances = np.linspace(0.0, BODY.wall * scale, DISTANCES)
    free = np.array(
        [
            _missing(
                foot,
                wanted,
                underfoot,
                path + np.append(distance * back, 0.0),
                order,
                passes=True,
            )
            <= SOLES.most_over * scale
            for distance in distances
        ]
    )
    least = np.where(free.any(axis=0), distances[free.argmax(axis=0)], 0.0)
    least += np.where(least > 0.0, SWINGS.step * scale, 0.0)  # a shoe is thicker than its sole
    least[int(path[:, 2].argmax()) :] = 0.0
    return least, back


def _rolling(locked: Mask) -> tuple[Ints, Ints]:
    """Rows in which a foot only touches with heel or tip, and the nearest with a planted ball.

    Args:
        locked: Whether heel, ball and tip are; (rows, 3).
    """
    rows, nearest = [], []
    for first, stop in runs(np.asarray(locked.any(axis=1))):
        planted = first + np.flatnonzero(locked[first:stop, BALL])
        if len(planted):
            before, after = np.arange(first, planted[0]), np.arange(planted[-1] + 1, stop)
            rows += [before, after]
            nearest += [np.full(len(before), planted[0]), np.full(len(after), planted[-1])]
    if not rows:
        return np.empty(0, int), np.empty(0, int)
    return np.concatenate(rows), np.concatenate(nearest)


def _missing(
    foot: Foot,
    wanted: FootPlan,
    underfoot: Underfoot,
    path: Floats,
    order: Ints,
    *,
    passes: bool = False,
) -> Floats:
    """How much a foot on a path (rows, 3) of its ball is too low for the ground; (rows,).

    Halfway to the rows beside, it is to be as high as in its own row already. If it `passes` a wall
    as soon as it can, it is as high as halfway, and all of the shoe counts.
    """
    turn = Rotation.from_quat(wanted.tilt[order][:, [1, 2, 3, 0]])
    ball = foot.points[order, BALL]
    sole = np.stack([turn.apply(foot.points[order, point] - ball) for point in range(3)], axis=1)
    if passes:
        sole *= BODY.shoe_end
    keep = foot.clearance + np.minimum(0.0, wanted.swing[order])
    between = [0.5 * (each[:, [HEEL, TIP]] + each[:, [BALL]]) for each in (sole, keep[..., None])]
    sole = np.concatenate([sole, between[0]], axis=1)
    keep = np.concatenate([keep, between[1][..., 0]], axis=1)
    found = np.full(len(order), -np.inf)
    for later in (0, -1, 1):
        beside = np.clip(np.arange(len(order)) + later, 0, len(order) - 1)
        place = path[:, None] + sole
        place = 0.5 * (place + place[beside])
        ground = underfoot.at(place, order[:, None])
        height = ground.height + keep * upright_share(ground.slope)
        over = place[..., 2] if passes else path[:, None, 2] + sole[..., 2]
        found = np.maximum(found, (height - over).max(axis=1))
    return found


def _lacking(animated: Floats, over: Floats) -> Floats:
    """Height that a swing lacks at its top to keep its share over the ground; (f,).

    Args:
        animated: Heights in the source; (f,).
        over: Heights over the ground; (f,).
    """
    line = np.linspace(0.0, 1.0, len(animated))
    rise = animated - animated[0] - line * (animated[-1] - animated[0])
    risen = over - over[0] - line * (over[-1] - over[0])
    top = int(rise.argmax())
    lacking = np.zeros(len(animated))
    lacking[top] = max(0.0, SWINGS.kept_height * float(rise[top]) - float(risen[top]))
    return lacking


def _share(path: Floats, scale: float) -> Floats:
    """Share of the way from its first to its last place that a path (f, 3) has covered."""
    way = path[-1, :2] - path[0, :2]
    length = float(way @ way)
    if length < (SWINGS.step * scale) ** 2:
        return np.linspace(0.0, 1.0, len(path))
    return np.asarray(np.clip((path[:, :2] - path[0, :2]) @ way / length, 0.0, 1.0))
