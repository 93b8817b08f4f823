"""What of a body rests on something in a clip, and how high the clip's floor is.

Measured on the flesh alone, whatever contacts were planned: a point rests while it is near the
floor and hardly moves. World space, metres, seconds, Z up; lengths are for a character of 1.6 m.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..feet import Floats, Ints
from .flesh import Flesh

Mask = NDArray[np.bool_]

# A resting point moves by less than this per second, over this many seconds before and after.
STILL, AROUND = 0.15, 0.05
# A foot is not higher than this above its lowest place within a step, seconds; what else rests is
# not so above the floor.
FOOT_LOW, STEP, BODY_LOW = 0.04, 0.6, 0.02
# The shortest rest, seconds and rows.
SHORTEST, FEWEST = 0.12, 4
# A foot that is as low as at this percentile of all frames stands.
FLOOR_SHARE = 5.0
# Feet whose heights differ by less stand on one floor, metres for a person.
ONE_FLOOR = 0.016
# A heel is not further above or below the ball in most of a stand, metres for a person.
HEEL = 0.01
# Floors are not further from the origin of their armature.
OFF_ORIGIN = 0.2
# Recorded floors drift by less: what rests higher is on something else.
ON_FLOOR = 0.1
# A part of a rest, at both ends, in which it begins and ends.
ENDS = 0.15


@dataclass(frozen=True, eq=False)
class Rest:
    """A part of the body that rests.

    Attributes:
        bones: The bone, or all bones of the foot.
        first: First row.
        stop: The row after the last one.
        height: Largest height above the floor of its lowest point, metres.
    """

    bones: tuple[int, ...]
    first: int
    stop: int
    height: float

    @property
    def middle(self) -> slice:
        """Rows in which it has begun and not yet ended."""
        cut = int(np.ceil(ENDS * (self.stop - self.first)))
        return slice(self.first + cut, max(self.stop - cut, self.first + cut + 1))


@dataclass(frozen=True, eq=False)
class Rests:
    """What rests in a clip.

    Attributes:
        floor: Height of its floor, metres.
        rests: What rests, by part and time.
    """

    floor: float
    rests: tuple[Rest, ...]


def find_rests(
    flesh: Flesh,
    pose: Floats,
    feet: Sequence[Collection[int]],
    limbs: Collection[int],
    origin: float,
    rate: float,
    scale: float,
) -> Rests:
    """What rests in a clip, of its limbs: trunks roll, and what is carried hangs as it likes.

    Args:
        flesh: The flesh.
        pose: World matrices of the bones; (f, b, 4, 4).
        feet: The bones of each foot: they rest together, also on steps, boxes and rungs.
        limbs: All other bones of limbs.
        origin: Height of the armature's origin, metres.
        rate: Frames per second.
        scale: Size of the character; 1 for a person.
    """
    places = flesh.posed(pose)
    if not len(flesh):
        return Rests(0.0, ())
    own = [tuple(sorted(foot)) for foot in feet]
    parts = [*own, *((bone,) for bone in sorted(limbs))]
    still, height = _still(places, rate, scale), places[..., 2]
    floor = _floor(flesh, height, own, parts, origin, scale)
    stood = np.full(len(pose), floor)
    resting = np.zeros_like(still)
    for foot in own:
        points = flesh.of(foot)
        if len(points):
            resting[:, points] = still[:, points] & _lowest_of_step(height[:, points], rate, scale)
            low = np.where(resting[:, points], height[:, points], np.inf).min(axis=1)
            # On a floor that drifts, other parts rest where the feet do.
            drifted = np.abs(low - floor) < BODY_LOW * scale
            stood[drifted] = np.minimum(stood, low)[drifted]
    others = ~np.isin(flesh.bone, [bone for foot in own for bone in foot])
    resting[:, others] = (still & (height < (stood + BODY_LOW * scale)[:, None]))[:, others]
    least = max(FEWEST, round(SHORTEST * rate))
    rests = tuple(
        Rest(part, first, stop, _over(height[first:stop, points], floor))
        for part in parts
        if len(points := flesh.of(part))
        for first, stop in _spans(np.asarray(resting[:, points].any(axis=1)), least)
    )
    return Rests(floor, rests)


def _over(height: Floats, floor: float) -> float:
    """How high above a floor the lowest of some points is at most; heights (f, p)."""
    return float((height.min(axis=1) - floor).max())


def whole_foot(
    flesh: Flesh, pose: Floats, foot: frozenset[int], parent: Ints, scale: float
) -> frozenset[int]:
    """A foot with the bone above it, if that stands on the floor with it: its heel.

    Args:
        flesh: The flesh.
        pose: World matrices of the bones; (f, b, 4, 4).
        foot: Bones of the foot.
        parent: The parent of each bone, -1 for a root; (b,).
        scale: Size of the character; 1 for a person.
    """
    above = max({int(parent[bone]) for bone in foot} - foot, default=-1)
    own, over = flesh.of(foot), flesh.of([above])
    if not len(own) or not len(over):
        return foot
    low, high = (flesh.posed(pose, points)[..., 2].min(axis=1) for points in (own, over))
    standing = low < np.percentile(low, FLOOR_SHARE) + FOOT_LOW * scale
    stands = abs(np.median((high - low)[standing])) < HEEL * scale
    return foot | {above} if stands else foot


def _still(places: Floats, rate: float, scale: float) -> Mask:
    """Which points hardly move; (f, p)."""
    frames, around = len(places), max(1, round(AROUND * rate))
    rows = np.arange(frames)
    before, after = (rows - around).clip(0), (rows + around).clip(max=frames - 1)
    way = np.linalg.norm(places[after] - places[before], axis=-1)
    time = (after - before).clip(1) / rate
    return np.asarray(way < STILL * scale * time[:, None])


def _floor(
    flesh: Flesh,
    height: Floats,
    feet: Sequence[Collection[int]],
    limbs: Sequence[Collection[int]],
    origin: float,
    scale: float,
) -> float:
    """Height of the floor: where feet are lowest, or all limbs, or all of the body.

    Hands and knees are lower than feet where they bear the body, but also where they sink into the
    floor, as coats and swords do; and the mapping may take other parts for feet. Floors are at the
    origin of the armature, or near it.
    """
    everything = np.arange(len(flesh))
    parts = [flesh.of(bone for part in some for bone in part) for some in (feet, limbs)]
    lowest = [
        _usual_height(height[:, points].min(axis=1), scale)
        for points in (*parts, everything)
        if len(points)
    ]
    near = [floor for floor in lowest if abs(floor - origin) < OFF_ORIGIN * scale]
    return min(near, key=lambda floor: abs(floor - origin)) if near else lowest[-1]


def _usual_height(heights: Floats, scale: float) -> float:
    """The height at which something most often is, in the half of the frames in which it is lower.

    Feet dip below it when they roll, and climb above it.
    """
    ordered = np.sort(heights)[: len(heights) // 2 + 1]
    stops = np.searchsorted(ordered, ordered + ONE_FLOOR * scale, side="right")
    densest = int((stops - np.arange(len(ordered))).argmax())
    return float(np.median(ordered[densest : stops[densest]]))


def _lowest_of_step(height: Floats, rate: float, scale: float) -> Mask:
    """Where points are about as low as any of them is around that time; (f, p)."""
    around = max(1, round(STEP * rate))
    lowest = height.min(axis=1)
    padded = np.pad(lowest, around, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * around + 1)
    return np.asarray(height < windows.min(axis=1)[:, None] + FOOT_LOW * scale)


def _spans(resting: Mask, least: int) -> list[tuple[int, int]]:
    """First rows and rows after the last of what is true for some rows."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], resting, [False]]).astype(int)))
    pairs: Ints = edges.reshape(-1, 2)
    return [(int(first), int(stop)) for first, stop in pairs if stop - first >= least]
