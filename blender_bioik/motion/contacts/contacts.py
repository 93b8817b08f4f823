"""Contacts of a clip's feet: when each sole point is on the ground.

A contact starts from rows in which a point is slow and low. Its height is compared with the floor
nearby in time, because recorded floors drift and tilt, and characters climb stairs. These rows are
only the seed of a contact, which lasts as long as the point stays near its place. Unlike speed,
distance hardly depends on noise and frame rate; two thresholds, a strict one to start and a loose
one to continue, keep contacts from flickering.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import minimum_filter1d, uniform_filter1d

from ..feet import BALL, HEEL, TIP, Contact, Floats, Foot
from ..tuning import BODY
from .tuning import CONTACTS

Mask = NDArray[np.bool_]
Rows = tuple[int, int]

# A leg's first joint is its knee if it is further from the ball than this share of the thigh.
KNEE_FROM = 0.5


class _Thresholds(NamedTuple):
    """Thresholds of a contact, for a character of 1.6 m.

    Attributes:
        speed: Slower than this is slow, m/s.
        height: Lower than this above the floor nearby is low, metres.
        stand: How far from its place a point in contact may get, metres.
    """

    speed: float
    height: float
    stand: float


def _thresholds(point: int) -> _Thresholds:
    """What counts as standing for a sole point. The ball carries the foot: it has wider limits."""
    if point == BALL:
        return _Thresholds(CONTACTS.speed, CONTACTS.height, CONTACTS.stand)
    return _Thresholds(
        CONTACTS.speed, CONTACTS.end_share * CONTACTS.height, CONTACTS.end_share * CONTACTS.stand
    )


def find_contacts(
    feet: Sequence[Foot], rate: float, scale: float, floor: float | None = None
) -> list[Contact]:
    """Detect when heel, ball and tip of each foot are on the ground.

    Args:
        feet: The feet, over the same f frames.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m; all distances and speeds scale.
        floor: Height of the floor, metres, if known; else it is detected under each foot.

    Returns:
        Contacts by foot, then point, then time.
    """
    if not feet:
        return []
    points = np.stack([foot.points for foot in feet], axis=1)
    low = near_floor(points, feet, rate, scale, floor)
    speed = speeds(points, rate)
    found = []
    for i, foot in enumerate(feet):
        upright = is_upright(foot)
        for point in (HEEL, BALL, TIP):
            stands = _Stands(
                points[:, i, point],
                speed[:, i, point],
                low[:, i, point],
                _thresholds(point),
                rate,
                scale,
            )
            found += [Contact(i, point, first, stop) for first, stop in stands.find(upright)]
    return found


def point_stands(path: Floats, near: Mask, rate: float, scale: float) -> list[Rows]:
    """When a point of the body rests: first rows and stops.

    Args:
        path: The point; (f, 3).
        near: In which rows it may rest, as by `near_height`; (f,).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    limits = _thresholds(BALL)
    return _Stands(path, speeds(path, rate), near, limits, rate, scale).find(near)


def near_height(path: Floats, clearance: float, height: Floats | float, scale: float) -> Mask:
    """Where a point (f, 3) of a body part touches a height, such as the floor's; (f,).

    Args:
        path: The point.
        clearance: Height of the point above what the part rests on, metres.
        height: The height, metres; (f,) or one for all.
        scale: Size of the character relative to one of 1.6 m.
    """
    return np.asarray(path[:, 2] - clearance - height < CONTACTS.height * scale)


def speeds(points: Floats, rate: float) -> Floats:
    """Speeds (f, ...) of points (f, ..., 3), m/s, with the noise of fast recordings smoothed."""
    return np.asarray(np.linalg.norm(velocities(points, rate), axis=-1))


def velocities(points: Floats, rate: float) -> Floats:
    """Velocities of points (f, ..., 3), m/s, with the noise of fast recordings smoothed."""
    if len(points) < 2:
        return np.zeros_like(points)
    half = min(int(CONTACTS.speed_seconds * rate), len(points) - 1)
    # Extrapolated beyond both ends, so that the ends do not appear slower.
    around = [(half, half)] + [(0, 0)] * (points.ndim - 1)
    padded = np.pad(points, around, mode="reflect", reflect_type="odd") if half else points
    smooth = uniform_filter1d(padded, 2 * half + 1, axis=0)[half : half + len(points)]
    return np.asarray(np.gradient(smooth, axis=0)) * rate


def floor_heights(heights: Floats, rate: float) -> Floats:
    """Lowest heights nearby in time, of heights (f, ...) of points.

    The higher of the lowest before and after: on stairs, the ground of a stance is above the
    previous or the next one.
    """
    width = min(int(BODY.step_seconds * rate), len(heights) - 1)
    size = width + 1
    before = minimum_filter1d(heights, size, axis=0, origin=width // 2)
    after = minimum_filter1d(heights, size, axis=0, origin=-(size // 2))
    # At the clip's ends one side is short, so the window extends to the other side.
    before[:width] = heights[:size].min(axis=0)
    after[len(heights) - width :] = heights[len(heights) - size :].min(axis=0)
    return np.maximum(before, after)


def near_floor(
    points: Floats, feet: Sequence[Foot], rate: float, scale: float, floor: float | None
) -> Mask:
    """Whether points (f, feet, 3, 3) are near the floor; see `find_contacts`."""
    heights = points[..., 2]
    limits = scale * np.array([_thresholds(point).height for point in (HEEL, BALL, TIP)])
    if floor is not None:
        clearance = np.array([foot.clearance for foot in feet])
        return np.asarray(heights - floor - clearance < limits)
    lowest = minimum_filter1d(
        heights.min(axis=(1, 2)), 2 * int(BODY.step_seconds * rate) + 1, mode="nearest"
    )
    held_up = heights.min(axis=2) - lowest[:, None] > CONTACTS.held_up * scale
    return (heights - floor_heights(heights, rate) < limits) & ~held_up[..., None]


def is_upright(foot: Foot) -> Mask:
    """Whether the leg rises from its foot more steeply than any ground to walk on; (f,).

    If not, the sole does not face down, and other parts of the body bear: knees in a crawl, the
    back in lying down. Animals have long feet: from a sole that is as level as ground to walk on,
    with the hip above it, a leg may rise anywhere.
    """
    shin, thigh = foot.knee - foot.points[:, BALL], foot.hip - foot.knee
    # Legs of two bones have no knee: their first joint is the ankle.
    lengths = (float(np.linalg.norm(part, axis=-1).mean()) for part in (shin, thigh))
    has_knee = next(lengths) > KNEE_FROM * next(lengths)
    leg = _is_steep(foot.hip[:, None] - foot.points)
    own = _is_steep(foot.knee[:, None] - foot.points) if has_knee else leg
    sole = foot.points[:, TIP] - foot.points[:, HEEL]
    level = ~_is_steep(sole) & ~_is_steep(-sole)
    return np.asarray(own[:, BALL] | (own.any(axis=1) & leg.any(axis=1) & level))


def _is_steep(ways: Floats) -> Mask:
    """Whether ways (..., 3) rise more steeply than any ground to walk on."""
    return np.asarray(ways[..., 2] > BODY.steepest * np.linalg.norm(ways[..., :2], axis=-1))


class _Stands:
    """The contacts of one sole point."""

    def __init__(
        self,
        path: Floats,
        speed: Floats,
        low: Mask,
        thresholds: _Thresholds,
        rate: float,
        scale: float,
    ) -> None:
        self.path = path
        self.speed = speed
        self.seed = low & (
            speed < _slow(speed, thresholds.speed * scale, CONTACTS.noise_speed * scale)
        )
        self.loose = speed < CONTACTS.leaving_speed * scale
        self.radius = thresholds.stand * scale
        self.least = max(CONTACTS.least_frames, int(CONTACTS.least_seconds * rate))
        self.roll = int(BODY.step_seconds * rate) + 1
        self.gap = CONTACTS.least_seconds * rate

    def find(self, bearing: Mask) -> list[Rows]:
        """First rows and stops, in order of time, without overlaps.

        Args:
            bearing: Rows that show that the point bears, of which each stand has one; (f,).
        """
        found = [stand for first, stop in runs(self.seed) for stand in self._split(first, stop)]
        found = [stand for stand in found if bearing[slice(*stand)].any()]
        joined: list[Rows] = []
        for first, stop in sorted(set(found)):
            if joined and self._is_same(joined[-1], (first, stop)):
                joined[-1] = joined[-1][0], max(stop, joined[-1][1])
                continue
            after = max(first, joined[-1][1]) if joined else first
            if after < stop:
                joined.append((after, stop))
        return [(first, stop) for first, stop in joined if stop - first >= self.least]

    def _split(self, first: int, stop: int) -> Iterator[Rows]:
        """Contacts in a seed: one, or more where the point drifts."""
        pending = [(first, stop)]
        while pending:
            first, stop = pending.pop()
            begin, end = self._extent(first, stop)
            yield begin, end
            place = _middle(self.path[begin:end])
            pending += [
                rest
                for rest in ((first, begin), (end, stop))
                if rest[1] - rest[0] >= self.least and self._is_elsewhere(rest, place)
            ]

    def _is_elsewhere(self, rows: Rows, place: Floats) -> bool:
        """Whether a point is at another place in plan view; above its own place it only rolls."""
        apart = _middle(self.path[slice(*rows)]) - place
        return float(np.hypot(apart[0], apart[1])) > self.radius

    def _extent(self, first: int, stop: int) -> Rows:
        """The rows around a seed's slowest one where the point stays near its place."""
        begin = max(0, first - self.roll)
        slowest = first + int(self.speed[first:stop].argmin())
        near = self._near(_middle(self.path[first:stop]), first, stop)
        if not near[slowest - begin]:
            near = self._near(self.path[slowest], first, stop)
        away = np.flatnonzero(~near)
        at = int(np.searchsorted(away, slowest - begin))
        left = int(away[at - 1]) + 1 if at else 0
        right = int(away[at]) if at < len(away) else len(near)
        return begin + left, begin + right

    def _near(self, place: Floats, first: int, stop: int) -> Mask:
        """Whether the point is near a place, in the rows of a seed and of a roll around them."""
        around = slice(max(0, first - self.roll), stop + self.roll)
        apart = self.path[around] - place
        return np.asarray((np.linalg.norm(apart, axis=1) < self.radius) & self.loose[around])

    def _is_same(self, one: Rows, other: Rows) -> bool:
        """Whether two contacts are one that noise or a small slip has split."""
        if other[0] - one[1] >= self.gap:
            return False
        places = [_middle(self.path[slice(*rows)]) for rows in (one, other)]
        return bool(np.linalg.norm(places[1] - places[0]) < CONTACTS.join_stands * self.radius)


def _slow(speed: Floats, most: float, least: float) -> float:
    """Speed below which a point counts as slow: in slow motion a swinging foot is slow as well."""
    swing = CONTACTS.slow_share * float(np.quantile(speed, CONTACTS.swing_quantile))
    return min(most, max(least, swing))


def _middle(places: Floats) -> Floats:
    """The upper median of places (f, 3) over time; numpy's takes ten times as long."""
    return np.asarray(np.sort(places, axis=0)[len(places) // 2])


def runs(mask: Mask) -> list[Rows]:
    """First rows and stops of the stretches where a mask (f,) is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]])))
    return [(int(first), int(stop)) for first, stop in edges.reshape(-1, 2)]
