"""Quality of feet on a ground: measures of a clip, from arrays.

World space, metres, seconds, degrees, Z up. Rows are frames. Nothing here depends on how contacts
were detected or feet were placed: a motion is measured by its points and the ground.
`quality_change` compares two motions of the same clip.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..feet import BALL, Contact, Floats

Mask = NDArray[np.bool_]

# Part of a contact in which the foot has landed and not yet begun to leave.
SETTLED_PART = 0.7
# MANN (Zhang et al. 2018): a foot lower than this skates when it moves; metres for a grown person.
SKATE_HEIGHT = 0.025


@dataclass(frozen=True, eq=False)
class Motion:
    """A clip, measured against a ground.

    Attributes:
        points: Sole points of the feet; (f, feet, 3 points, 3).
        height: Height of the ground under each of them; NaN where there is none; (f, feet, 3).
        slope: How it rises there along X and Y, metres per metre; (f, feet, 3, 2).
        joints: Places of all joints; (f, joints, 3).
        pelvis: Place of the pelvis; (f, 3).
        upper_body: World orientations of the bones above the pelvis, as unit quaternions;
            (f, bones, 4).
        knees: Angles of the knees, radians; (f, feet).
        feet: World orientations of the feet's bones, as unit quaternions; (f, feet, 4).
    """

    points: Floats
    height: Floats
    slope: Floats
    joints: Floats
    pelvis: Floats
    upper_body: Floats
    knees: Floats
    feet: Floats


@dataclass(frozen=True, eq=False)
class Footing:
    """Data that a source and its result share.

    Attributes:
        contacts: The contacts, the same for both.
        clearance: Height of each sole point above the ground when its foot is flat; (feet, 3).
        legs: Joints that belong to legs; (joints,).
        rate: Frames per second.
        scale: Size of the character; 1 for a grown person.
        carried: How far the ground under a planted foot has moved since its contact began;
            (f, feet, 3). None where the ground does not move.
        path: How far moving ground has taken the character along in plan view; (f, 2). None where
            it does not move.
        raised: How high above the ground each contact is meant to be, metres; empty if all are on
            it.
    """

    contacts: Sequence[Contact]
    clearance: Floats
    legs: Mask
    rate: float
    scale: float = 1.0
    carried: Floats | None = None
    path: Floats | None = None
    raised: tuple[float, ...] = ()

    @property
    def on_ground(self) -> list[Contact]:
        """Contacts that are meant to be on the ground."""
        raised = self.raised or (0.0,) * len(self.contacts)
        return [c for c, above in zip(self.contacts, raised, strict=True) if above == 0.0]


class Extent(NamedTuple):
    """The mean of something, and its largest value."""

    mean: float
    worst: float


@dataclass(frozen=True)
class FootQuality:
    """Quality of one foot on the ground.

    Attributes:
        contacts: Number of contacts of its ball.
        locked: Number of these without intentional slides.
        penetration: Penetration of its deepest sole point, over all frames; metres.
        drift: Distance of the planted ball from its mean place, in plan view, over contacts without
            intentional slides; metres.
        floating: Height of its lowest point above the ground while any is in contact; metres.
        slope_error: Angle between sole and ground, along the foot, while two of its points are in
            contact; degrees.
        skate: Sliding speed while it is near the ground, by MANN's formula; m/s.
        groundless: Frames in which any sole point has no ground under it.
    """

    contacts: int
    locked: int
    penetration: Extent
    drift: Extent
    floating: Extent
    slope_error: Extent
    skate: float
    groundless: int


class FootCurves(NamedTuple):
    """The measures of `FootQuality` per frame; (f, feet) each, zero where it does not apply."""

    penetration: Floats
    drift: Floats
    floating: Floats
    slope_error: Floats
    skate: Floats


class Harshness(NamedTuple):
    """Lengths of a derivative of the joints' places, over frames and joints.

    Attributes:
        mean: Mean over all joints.
        worst: Largest of all joints.
        legs_mean: Mean over the joints of legs.
        legs_p99: 99th percentile of the joints of legs.
    """

    mean: float
    worst: float
    legs_mean: float
    legs_p99: float


@dataclass(frozen=True, eq=False)
class Quality:
    """Quality measures of a motion.

    Attributes:
        feet: Of each foot.
        curves: The same, frame by frame.
        acceleration: Of the joints, m/s^2.
        jerk: Of the joints, m/s^3.
        knee_acceleration: Largest angular acceleration of a knee, degrees/s^2.
    """

    feet: tuple[FootQuality, ...]
    curves: FootCurves
    acceleration: Harshness
    jerk: Harshness
    knee_acceleration: float


def measure(motion: Motion, footing: Footing) -> Quality:
    """Measure a motion against the ground that its points were measured over."""
    gap = motion.points[..., 2] - motion.height - footing.clearance
    settled = settled_points(footing.on_ground, gap.shape)
    drift, largest_drifts = _drift(motion, footing)
    slope_error, flat = _slope_error(motion, footing, settled)
    curves = FootCurves(
        penetration=_largest(0.0 - gap),
        drift=drift,
        floating=_floating(gap, settled),
        slope_error=slope_error,
        skate=_skate(motion, footing, gap),
    )
    standing = (settled & ~np.isnan(gap)).any(axis=2)
    return Quality(
        feet=tuple(
            FootQuality(
                contacts=sum(c.foot == foot and c.point == BALL for c in footing.contacts),
                locked=len(largest_drifts[foot]),
                penetration=extent(curves.penetration[:, foot]),
                drift=extent(np.array(largest_drifts[foot])),
                floating=extent(curves.floating[standing[:, foot], foot]),
                slope_error=extent(curves.slope_error[flat[:, foot], foot]),
                skate=extent(curves.skate[:, foot]).mean,
                groundless=int(np.isnan(motion.height[:, foot]).any(axis=1).sum()),
            )
            for foot in range(gap.shape[1])
        ),
        curves=curves,
        acceleration=_harshness(derivative(motion.joints, 2, footing.rate), footing.legs),
        jerk=_harshness(derivative(motion.joints, 3, footing.rate), footing.legs),
        knee_acceleration=float(
            np.degrees(np.abs(np.diff(motion.knees, 2, axis=0)).max(initial=0.0) * footing.rate**2)
        ),
    )


def settled_rows(contact: Contact) -> slice:
    """The middle part of a contact; at least one row."""
    count = contact.stop - contact.first
    share = round(0.5 * (1.0 - SETTLED_PART), 6)
    edge = min(math.ceil(share * count), (count - 1) // 2)
    return slice(contact.first + edge, contact.stop - edge)


def settled_points(contacts: Sequence[Contact], shape: tuple[int, ...]) -> Mask:
    """Which points are in the middle part of a contact; (f, feet, 3)."""
    settled = np.zeros(shape, bool)
    for contact in contacts:
        settled[settled_rows(contact), contact.foot, contact.point] = True
    return settled


def derivative(places: Floats, order: int, rate: float) -> Floats:
    """Lengths of the differences of places over frames (f, n, 3), per second^order; (f - o, n)."""
    return np.linalg.norm(np.diff(places, order, axis=0), axis=-1) * rate**order


def _drift(motion: Motion, footing: Footing) -> tuple[Floats, list[list[float]]]:
    """Distances of planted balls from their mean place; (f, feet), and each contact's largest."""
    frames, feet = motion.points.shape[:2]
    distances = np.zeros((frames, feet))
    largest: list[list[float]] = [[] for _ in range(feet)]
    for contact in footing.contacts:
        if contact.point != BALL or contact.slides:
            continue
        rows = settled_rows(contact)
        place = motion.points[rows, contact.foot, BALL, :2]
        if footing.carried is not None:
            place = place - footing.carried[rows, contact.foot, :2]
        distance = np.linalg.norm(place - place.mean(axis=0), axis=1)
        distances[rows, contact.foot] = distance
        largest[contact.foot].append(float(distance.max(initial=0.0)))
    return distances, largest


def _floating(gap: Floats, settled: Mask) -> Floats:
    """Height of a foot's lowest point while one is in contact.

    Any point counts: a foot whose heel strikes over an edge does not float if its ball is on the
    tread.
    """
    standing = (settled & ~np.isnan(gap)).any(axis=2)
    lowest = np.where(np.isnan(gap), np.inf, gap).min(axis=2)
    return np.where(standing, np.maximum(lowest, 0.0), 0.0)


def _slope_error(motion: Motion, footing: Footing, settled: Mask) -> tuple[Floats, Mask]:
    """Angles between soles and ground, and where there is one, both (f, feet).

    The sole is the line between the outermost two points in contact. The ground is the line below
    it or, if closer, its slope at the two points: on the edge of a step a foot stays as level as
    the tread.
    """
    flat = settled.sum(axis=2) >= 2
    first = np.argmax(settled, axis=2)[..., None]
    last = 2 - np.argmax(settled[..., ::-1], axis=2)[..., None]

    def ends(values: Floats) -> tuple[Floats, Floats]:
        return (
            np.take_along_axis(values, first, axis=2)[..., 0],
            np.take_along_axis(values, last, axis=2)[..., 0],
        )

    def rise(values: Floats) -> Floats:
        low, high = ends(values)
        return high - low

    along = np.stack([rise(motion.points[..., axis]) for axis in (0, 1)], axis=-1)
    length = np.linalg.norm(along, axis=-1)
    flat &= length > 0.0
    sole = np.arctan2(rise(motion.points[..., 2] - footing.clearance), length)
    below = np.arctan2(rise(motion.height), length)
    steepness = np.stack([sum(ends(motion.slope[..., axis])) for axis in (0, 1)], axis=-1) / 2.0
    own = np.arctan2((steepness * along).sum(axis=-1), length)
    error = np.fmin(np.abs(sole - below), np.abs(sole - own))
    flat &= ~np.isnan(error)
    return np.where(flat, np.degrees(error), 0.0), flat


def _skate(motion: Motion, footing: Footing, gap: Floats) -> Floats:
    """Speeds of the balls over the ground, in plan view, weighted by their nearness to it."""
    steps = np.diff(motion.points[:, :, BALL, :2], axis=0)
    if footing.carried is not None:
        planted = np.zeros(steps.shape[:2], bool)
        for contact in footing.contacts:
            planted[contact.first : contact.stop - 1, contact.foot] |= contact.point == BALL
        steps = steps - np.where(planted[..., None], np.diff(footing.carried[..., :2], axis=0), 0.0)
    if not len(steps):
        return np.zeros(gap.shape[:2])
    middle = 0.5 * (steps[1:] + steps[:-1])
    speed = np.linalg.norm(np.concatenate([steps[:1], middle, steps[-1:]]), axis=-1) * footing.rate
    # Heights beyond the one of zero weight are clipped, to avoid large powers.
    height = np.minimum(gap[:, :, BALL] / (SKATE_HEIGHT * footing.scale), 1.0)
    nearness = np.clip(2.0 - np.exp2(height), 0.0, 1.0)
    return np.where(np.isnan(nearness), 0.0, nearness) * speed


def _largest(values: Floats) -> Floats:
    """The largest of each foot's points, at least zero, ignoring NaN."""
    return np.where(np.isnan(values), 0.0, values).max(axis=2, initial=0.0)


def extent(values: Floats) -> Extent:
    """Mean and largest of some values, zero if there are none."""
    if not values.size:
        return Extent(0.0, 0.0)
    return Extent(float(values.mean()), float(values.max()))


def _harshness(lengths: Floats, legs: Mask) -> Harshness:
    of_legs = lengths[:, legs]
    whole, part = extent(lengths), extent(of_legs)
    p99 = float(np.percentile(of_legs, 99.0)) if of_legs.size else 0.0
    return Harshness(whole.mean, whole.worst, part.mean, p99)
