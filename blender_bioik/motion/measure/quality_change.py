"""The effect of a correction on a clip: quality before and after, and how far the body moved.

World space, metres, seconds, degrees, Z up. Rows are frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..feet import BALL, FAR_ASIDE, Floats, Ints
from .quality import (
    Extent,
    Footing,
    Harshness,
    Mask,
    Motion,
    Quality,
    derivative,
    extent,
    measure,
    settled_points,
    settled_rows,
)
from .turns import turns, twist_and_tilt

# Places read from Blender have about seven digits: differences of less than this are not motion.
# Metres for a grown person.
NOISE = 1e-6
# A frame is as harsh as the source if the source is so within this many seconds of it.
NEARBY = 0.1
# The same for its jerk, which lasts too short to be compared within less than half a step.
NEARBY_JERK = 0.3
# A clip that is still for most of its time is taken to be as harsh as this share of its largest.
QUIET = 0.1
# How long a person takes for a step, seconds.
STEP_TIME = 0.6
# A knee that is bent by less reaches hardly further, degrees.
NEARLY_STRAIGHT = 10.0
# How far a foot may be from the ground that it stands on; metres for a grown person.
ON_GROUND = 0.003


class Unreached(NamedTuple):
    """Frames in which a foot misses its place.

    Attributes:
        foot: Index of the foot.
        rows: The frames' rows, ascending.
        reason: Why, "leg too short" or "limit of shin.L".
    """

    foot: int
    rows: tuple[int, ...]
    reason: str


class Reach(NamedTuple):
    """Why the pelvis moves far sideways: a fully stretched leg.

    Attributes:
        row: The frame in which the pelvis is furthest.
        foot: Index of the foot whose leg is fully stretched.
    """

    row: int
    foot: int


class Ratios(NamedTuple):
    """A result's measures divided by its source's; 1 where nothing changed.

    Attributes:
        acceleration: Of the joints.
        jerk: Of the joints.
        knee_acceleration: Largest angular acceleration of a knee.
    """

    acceleration: Harshness
    jerk: Harshness
    knee_acceleration: float


@dataclass(frozen=True, eq=False)
class Change:
    """A source and its result, compared.

    Attributes:
        before: Measures of the source against the result's ground.
        after: Measures of the result.
        ratios: Harshness of the result relative to the source.
        pelvis_plan: Pelvis movement in plan view beyond what moving ground requires; metres.
        reach: Why it is far, None if it is not or no leg is fully stretched then.
        pelvis_rise: Vertical pelvis movement beyond what the ground under the feet requires;
        metres.
        upper_body: World rotation of the bones above the pelvis; degrees.
        pelvis_shift: Pelvis movement in each frame; metres; (f,).
        upper_body_turn: Largest rotation of a bone above the pelvis in each frame; degrees; (f,).
        acceleration_ratio: Largest acceleration of a leg's joint in each frame, relative to the
            source's around it; (f,).
        jerk_ratio: The same for its jerk.
        acceleration_joint: The joint with that acceleration; (f,).
        foot_twist: How far each foot is turned about the vertical, from the source; degrees;
            (f, feet).
        foot_tilt: How far it is tilted from the source; degrees; (f, feet).
        step: How much the ground under the feet rises and falls around each frame; metres; (f,).
        planted: Whether any foot is in the middle part of a contact; (f,).
        on_ground: Whether, in the result, every foot reaches its place, none penetrates the ground
            and no planted foot floats; (f,).
        unreached: Frames in which feet miss their places.
        settled: Whether each foot is in the middle part of a contact with the ground; (f, feet).
        unsupported: Whether, in the result, nothing that is then in contact has ground under it.
    """

    before: Quality
    after: Quality
    ratios: Ratios
    pelvis_plan: Extent
    reach: Reach | None
    pelvis_rise: Extent
    upper_body: Extent
    pelvis_shift: Floats
    upper_body_turn: Floats
    acceleration_ratio: Floats
    jerk_ratio: Floats
    acceleration_joint: Ints
    foot_twist: Floats
    foot_tilt: Floats
    step: Floats
    planted: Mask
    on_ground: Mask
    unreached: tuple[Unreached, ...]
    settled: Mask
    unsupported: Mask


def compare(
    source: Motion, result: Motion, footing: Footing, unreached: Sequence[Unreached] = ()
) -> Change:
    """Measure a source and its result, both against the ground of the result."""
    before, after = measure(source, footing), measure(result, footing)
    shift = result.pelvis - source.pelvis - asked_shift(source, footing)
    plan, rise = np.linalg.norm(shift[:, :2], axis=1), np.abs(shift[:, 2])
    turn = turns(source.upper_body, result.upper_body)
    acceleration, joint = _harshness_ratio(source, result, footing, 2)
    twist, tilt = twist_and_tilt(source.feet, result.feet)
    settled = settled_points(footing.on_ground, result.height.shape)
    missing = (np.isnan(result.height) | ~settled).all(axis=2)
    return Change(
        before=before,
        after=after,
        ratios=_ratios(before, after, footing),
        pelvis_plan=extent(plan),
        reach=_reach(plan, result, footing),
        pelvis_rise=extent(rise),
        upper_body=extent(turn),
        pelvis_shift=np.linalg.norm(shift, axis=1),
        upper_body_turn=turn.max(axis=1, initial=0.0),
        acceleration_ratio=acceleration,
        jerk_ratio=_harshness_ratio(source, result, footing, 3)[0],
        acceleration_joint=joint,
        foot_twist=twist,
        foot_tilt=tilt,
        step=_step(result, footing),
        planted=np.any(settled_points(footing.contacts, result.height.shape), axis=(1, 2)),
        on_ground=_on_ground(after, footing, unreached),
        unreached=tuple(unreached),
        settled=np.asarray(settled.any(axis=2)),
        unsupported=np.asarray(settled.any(axis=2) & missing),
    )


def _reach(aside: Floats, result: Motion, footing: Footing) -> Reach | None:
    """Whether a leg is fully stretched while the pelvis is furthest sideways (f,), metres."""
    far = aside > FAR_ASIDE * footing.scale
    if not far.any() or result.knees.shape[1] == 0:
        return None
    row = int(aside.argmax())
    before, after = np.flatnonzero(~far[:row]), np.flatnonzero(~far[row:])
    first = int(before[-1]) + 1 if len(before) else 0
    stop = row + int(after[0]) if len(after) else len(far)
    knees = result.knees[first:stop].min(axis=0)
    foot = int(knees.argmin())
    return Reach(row, foot) if knees[foot] < np.radians(NEARLY_STRAIGHT) else None


def asked_shift(source: Motion, footing: Footing) -> Floats:
    """Body movement that the ground requires; (f, 3).

    Vertically: from the source floor to the ground, averaged over the feet, and smoothed as a
    person would move. In plan view: as far as moving ground carries the character.
    """
    frames, feet = source.points.shape[:2]
    shift = np.zeros((frames, 3))
    if footing.path is not None:
        shift[:, :2] = footing.path
    rises = []
    for foot in range(feet):
        ground = source.height[:, foot, BALL]
        known = np.flatnonzero(~np.isnan(ground))
        if len(known):
            under = np.interp(np.arange(frames), known, ground[known])
            rises.append(under - _floor(source, footing, foot))
    if rises:
        width = 2 * int(STEP_TIME / 2.0 * footing.rate) + 1
        shift[:, 2] = _smooth(_smooth(np.mean(rises, axis=0), width), width)
    return shift


def _floor(source: Motion, footing: Footing, foot: int) -> Floats:
    """Height of the source floor under a foot: at its stances, and interpolated in between.

    Below stances that are meant to be above the ground, it is as much lower.

    Before the first and after the last stance it is extrapolated for the duration of a step,
    because a source may itself climb a slope.
    """
    height = source.points[:, foot, BALL, 2] - footing.clearance[foot, BALL]
    raised = footing.raised or (0.0,) * len(footing.contacts)
    stands = [
        (c, above)
        for c, above in zip(footing.contacts, raised, strict=True)
        if c.foot == foot and c.point == BALL
    ]
    if not stands:
        return np.full(len(height), height.min())
    stands.sort(key=lambda stand: stand[0].first + stand[0].stop)
    middles = [0.5 * (c.first + c.stop - 1) for c, _ in stands]
    floors = [float(height[settled_rows(c)].mean()) - above for c, above in stands]
    if len(stands) > 1:
        for values in (middles, floors):
            values[:] = [2 * values[0] - values[1], *values, 2 * values[-1] - values[-2]]
    return np.interp(np.arange(len(height)), middles, floors)


def _smooth(values: Floats, width: int) -> Floats:
    """Running means of an odd number of values, which preserve straight lines."""
    padded = np.pad(values, width // 2, mode="reflect", reflect_type="odd")
    return np.convolve(padded, np.full(width, 1.0 / width), mode="valid")


def _ratios(before: Quality, after: Quality, footing: Footing) -> Ratios:
    noise = NOISE * footing.scale
    # Noise of this size at the end of a shank rotates a knee by four times as many radians.
    turning = np.degrees(4.0 * NOISE)
    return Ratios(
        acceleration=_ratio_of_each(
            before.acceleration, after.acceleration, noise * footing.rate**2
        ),
        jerk=_ratio_of_each(before.jerk, after.jerk, noise * footing.rate**3),
        knee_acceleration=_ratio(
            before.knee_acceleration, after.knee_acceleration, turning * footing.rate**2
        ),
    )


def _ratio_of_each(before: Harshness, after: Harshness, noise: float) -> Harshness:
    return Harshness(*(_ratio(a, b, noise) for a, b in zip(before, after, strict=True)))


def _ratio(before: float, after: float, noise: float) -> float:
    return (after + noise) / (before + noise)


def _harshness_ratio(
    source: Motion, result: Motion, footing: Footing, order: int
) -> tuple[Floats, Ints]:
    """Where a derivative of the result is harsher than its source's, and the joint; (f,) each.

    Joints of legs are compared with the source's legs, others with its others, because hands may
    be much faster. The source's harshness is its largest within NEARBY, or its median over the clip
    or a share of the largest of all joints if these are larger, so that slow motion in a still
    moment of the source is no jolt.
    """
    frames, joints = source.joints.shape[:2]
    ratio, worst = np.ones(frames), np.zeros(frames, np.int64)
    if frames <= order:
        return ratio, worst
    first = order // 2
    rows = slice(first, first + frames - order)
    noise = NOISE * footing.scale * footing.rate**order
    then, now = (derivative(motion.joints, order, footing.rate) for motion in (source, result))
    least = QUIET * float(then.max(initial=0.0))
    for part in (footing.legs, ~footing.legs):
        if not part.any():
            continue
        before, after = then[:, part], now[:, part]
        within = NEARBY if order < 3 else NEARBY_JERK
        usual = _usual_harshness(before.max(axis=1), int(within * footing.rate), least)
        found = (after.max(axis=1) + noise) / (usual + noise)
        worse = found > ratio[rows]
        worst[rows][worse] = np.arange(joints)[part][after.argmax(axis=1)][worse]
        ratio[rows] = np.maximum(ratio[rows], found)
    return ratio, worst


def _usual_harshness(values: Floats, reach: int, least: float) -> Floats:
    """What is usual for a source up to some rows from each of a derivative's largest lengths."""
    around = np.lib.stride_tricks.sliding_window_view(
        np.pad(values, reach, mode="edge"), 2 * reach + 1
    ).max(axis=1)
    return np.maximum(around, max(float(np.median(values)), least))


def _step(motion: Motion, footing: Footing) -> Floats:
    """How much the ground under the feet rises and falls within NEARBY of each row; (f,)."""
    reach = int(NEARBY * footing.rate) + 1
    height = motion.height.reshape(len(motion.height), -1)
    padded = np.pad(height, ((reach, reach), (0, 0)), mode="edge")
    around = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    known = np.where(np.isnan(around), height[..., None], around)
    rises = np.ptp(known, axis=2)
    return np.asarray(np.where(np.isnan(rises), 0.0, rises).max(axis=1, initial=0.0))


def _on_ground(after: Quality, footing: Footing, unreached: Sequence[Unreached]) -> Mask:
    limit = ON_GROUND * footing.scale
    curves = after.curves
    good = np.asarray(((curves.penetration <= limit) & (curves.floating <= limit)).all(axis=1))
    for miss in unreached:
        good[list(miss.rows)] = False
    return good
