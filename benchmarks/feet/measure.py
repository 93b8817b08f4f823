"""How well feet stand: measured on the poses that Blender evaluates, with rays of its own.

Shares no code with the planner. A result is compared with the source, the poses of the same
armature before anything was done to it. World space, metres, Z up; rows are frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from benchmarks.feet.clips import Clip, Foot, Stand
from benchmarks.feet.ground_rays import GroundRays
from benchmarks.feet.mesh import SoleMesh
from benchmarks.feet.poses import BALL, HEEL, TIP, Poses, motion_of, sample, sole_points
from benchmarks.feet.stands import MIDDLE, Clearance, find_clearance, find_stands, floor_below

Floats = NDArray[np.float64]

# A leg longer than this share of its bones is as good as straight: it may not have reached.
STRETCHED = 0.9995
# A leg longer than this, its knee bent by 8 degrees, reaches no further without a pop; what the
# pelvis moves then beyond this, metres, is for reach.
REACHES, FREE_SHIFT = 0.9975, 0.04
LEAST_ROWS = 4  # of a stand; the clip's ends cut some short
LEVEL_DEGREES = 15.0
FLAT = 0.01  # metres, for a person: heel, ball and tip are at one height
LOW = 0.005  # metres, for a person: a foot of a clip in place is on the floor
SOLE_PARTS = 20  # in which a stiff sole is looked at from heel to tip
LEAST_SWING = 0.02  # metres, for a person; lower ones are shuffles


@dataclass(frozen=True)
class Feet:
    """What was measured. Lengths in millimetres, angles in degrees, ratios to the source.

    Attributes:
        drift: Mean over the stands of the ball's largest horizontal way from its mean.
        drift_worst: The largest of them.
        unreached: Stands left out of both because the leg is straight: it cannot reach.
        drift_all: Mean over all stands, those included.
        drift_all_worst: The largest of all.
        stands: Number of stands.
        penetration: Deepest of any sole point in any frame.
        deepest: Where that is: frame, foot and point.
        mesh: How much deeper the mesh of a foot is in the ground than the source's in its floor, at
            any vertex or edge of its sole; 0 without a mesh.
        height: Largest error of the ball's height in a stand. Where the clearance was only
            estimated, each foot's usual height counts as right. Clips in place have no stands:
            there it is the height of a flat and low foot's lowest point against the source's.
        height_mean: Mean error of the same.
        level: How far that usual height is from the estimate, the foot that is furthest off.
        jerk: Mean of all joints'.
        jerk_legs: Mean of knees', ankles', balls' and tips'.
        acceleration: Largest of all joints'.
        acceleration_legs: 99th percentile of the legs'.
        knee: Largest angular acceleration of the knees.
        yaw: Largest turn of a foot about the vertical while it is level.
        swing: Least share of a swing's height over the ground.
        pelvis: Largest horizontal way of the pelvis from the source's.
        pelvis_free: The same but for times in which it goes far and a leg reaches no further.
        upper: Largest turn of a bone above the pelvis.
        legs: Mean turn of thighs, shins and feet.
        off_ground: Sole points without ground below them, over all frames.
    """

    drift: float
    drift_worst: float
    unreached: int
    drift_all: float
    drift_all_worst: float
    stands: int
    penetration: float
    deepest: tuple[int, str, str]
    mesh: float
    height: float
    height_mean: float
    level: float
    jerk: float
    jerk_legs: float
    acceleration: float
    acceleration_legs: float
    knee: float
    yaw: float
    swing: float
    pelvis: float
    pelvis_free: float
    upper: float
    legs: float
    off_ground: int


def look_at_source(clip: Clip, source: Poses) -> tuple[Clearance, tuple[Stand, ...], Floats]:
    """Clearance of the sole points, stands, and the floor's height (feet, f)."""
    points = sole_points(clip, source)
    stands = clip.stands
    if stands is None:
        stands = tuple(
            Stand(foot, first, stop)
            for foot in range(len(points))
            for first, stop in find_stands(points[foot, :, BALL], source.fps, clip.height)
        )
    stands = tuple(stand for stand in stands if stand.stop - stand.first >= LEAST_ROWS)
    known = [foot.clearance for foot in clip.feet]
    if all(heights is not None for heights in known):
        exact = Clearance(np.array(known), np.array(known))
        floors = [_level_floor(clip, own) for own in points]
        return exact, stands, np.tile(np.array(floors)[:, None], points.shape[1])
    clearance = find_clearance(points, stands, clip.height)
    return clearance, stands, floor_below(points, stands, clip.height)


def _level_floor(clip: Clip, points: Floats) -> float:
    """Height of a level floor under a foot: 0 for generated clips, else where it is flat."""
    if clip.stands is not None:
        return 0.0
    # Flat feet only: cartoon heels dip far below the floor they strike.
    return float(points[_flat(clip, points), BALL, 2].min())


def _lasting(standing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without what lasts for a single frame: a foot that bounces off; (feet, f)."""
    beside = np.zeros_like(standing)
    beside[:, 1:] |= standing[:, :-1]
    beside[:, :-1] |= standing[:, 1:]
    return standing & beside


def _flat(clip: Clip, points: Floats) -> NDArray[np.bool_]:
    """Rows in which heel, ball and tip (..., f, 3, 3) are at one height; (..., f)."""
    return np.asarray(np.ptp(points[..., 2], axis=-1) < FLAT * clip.height)


def measure(
    scene: bpy.types.Scene,
    clip: Clip,
    grounds: Sequence[bpy.types.Object],
    source: Poses,
    clearance: Clearance,
    stands: Sequence[Stand],
    floor: Floats,
    mesh: SoleMesh,
) -> Feet:
    """Compare what the armature plays now with the source."""
    result = sample(scene, clip)
    rays = GroundRays(scene, grounds, range(clip.first, clip.last + 1))
    before, after = sole_points(clip, source), sole_points(clip, result)
    knees = np.array([result.heads(foot.shin) for foot in clip.feet])
    ground, below = rays.heights(after, knees[..., 2])
    height = after[..., 2] - ground
    over = height - clearance.usual[:, None]
    drifts, reached = _drifts(clip, result, after, below, rays, stands)
    source_over = before[..., BALL, 2] - floor - clearance.usual[:, None, BALL]
    heights, level = _height_errors(clip, before, over, stands)
    if clip.in_place:
        standing = _lasting((source_over < LOW * clip.height) & _flat(clip, before))
        heights = _changes(source_over, _sole_over(rays, after, knees), standing)
    depth = np.where(np.isfinite(height), clearance.least[:, None] - height, -np.inf)
    foot, row, point = np.unravel_index(int(depth.argmax()), depth.shape)
    first, second = (motion_of(clip, poses) for poses in (source, result))
    shift = _pelvis_shift(clip, source, result)
    return Feet(
        drift=1e3 * _mean(drifts[reached]),
        drift_worst=1e3 * _largest(drifts[reached]),
        unreached=int((~reached).sum()),
        drift_all=1e3 * _mean(drifts),
        drift_all_worst=1e3 * _largest(drifts),
        stands=len(stands),
        penetration=1e3 * max(0.0, float(depth.max())),
        deepest=(clip.first + int(row), clip.feet[foot].name, ("heel", "ball", "tip")[point]),
        mesh=1e3 * mesh.depth(rays, floor, knees[..., 2]),
        height=1e3 * _largest(heights),
        height_mean=1e3 * _mean(heights),
        level=1e3 * level,
        **{name: second[name] / first[name] for name in first},
        yaw=_yaw(clip, before, after, stands),
        swing=_swing(clip, source_over, over[..., BALL], stands),
        pelvis=1e3 * float(shift.max()),
        pelvis_free=1e3 * float(shift[~_for_reach(clip, result, shift)].max(initial=0.0)),
        upper=_turn(source, result, upper_bones(clip)).max(initial=0.0),
        legs=float(_turn(source, result, leg_bones(clip.feet)).mean()),
        off_ground=int((~np.isfinite(ground)).sum()),
    )  # fmt: skip


def leg_bones(feet: Sequence[Foot]) -> list[str]:
    """Thighs, shins and feet."""
    return [bone for foot in feet for bone in (foot.thigh, foot.shin, foot.foot)]


def upper_bones(clip: Clip) -> list[str]:
    """Bones that hang on the pelvis and carry something that is no leg."""
    bones = clip.armature.data.bones
    legs = {bone for foot in clip.feet for bone in (foot.thigh, *_below(bones[foot.thigh]))}
    found = []
    for name in _below(bones[clip.pelvis]):
        under = _below(bones[name])
        if name not in legs and not (under and legs.issuperset(_ends(bones[name]))):
            found.append(name)
    return found


def _below(bone: bpy.types.Bone) -> list[str]:
    return [child.name for child in bone.children_recursive]


def _ends(bone: bpy.types.Bone) -> list[str]:
    return [child.name for child in bone.children_recursive if not child.children]


def _middle(stand: Stand) -> slice:
    """The middle 70 % of a stand."""
    cut = int(np.ceil(0.5 * (1.0 - MIDDLE) * (stand.stop - stand.first)))
    return slice(stand.first + cut, max(stand.stop - cut, stand.first + cut + 1))


def _drifts(
    clip: Clip,
    result: Poses,
    points: Floats,
    below: NDArray[np.int64],
    rays: GroundRays,
    stands: Sequence[Stand],
) -> tuple[Floats, NDArray[np.bool_]]:
    """Drift of each stand relative to the ground it is on, and whether the leg was not straight."""
    drifts, reached = [], []
    for stand in stands:
        rows = _middle(stand)
        on = below[stand.foot, (rows.start + rows.stop - 1) // 2, BALL]
        path = rays.at_rest(points[stand.foot, rows, BALL], on, rows)[:, :2]
        drifts.append(np.linalg.norm(path - path.mean(axis=0), axis=1).max())
        reached.append(_extension(clip, result, clip.feet[stand.foot])[rows].max() < STRETCHED)
    return np.array(drifts), np.array(reached, bool)


def _extension(clip: Clip, poses: Poses, foot: Foot) -> Floats:
    """Distance from hip to ankle as a share of the longest."""
    bones = clip.armature.data.bones
    rest = [np.array(bones[bone].head_local) for bone in (foot.thigh, foot.shin, foot.foot)]
    scale = float(np.mean(clip.armature.matrix_world.to_scale()))
    longest = scale * sum(float(np.linalg.norm(b - a)) for a, b in pairwise(rest))
    return np.linalg.norm(poses.heads(foot.foot) - poses.heads(foot.thigh), axis=1) / longest


def _height_errors(
    clip: Clip, before: Floats, over: Floats, stands: Sequence[Stand]
) -> tuple[Floats, float]:
    """Ball's height over the ground in all stands against what the source rises within them.

    Returns:
        Sizes of all errors, and the level they are measured from.
    """
    errors, level = [np.zeros(0)], 0.0
    for number, foot in enumerate(clip.feet):
        own = [np.zeros(0)]
        for stand in stands:
            if stand.foot == number:
                rows = _middle(stand)
                height = before[number, :, BALL, 2]
                rise = height[rows] - height[stand.first : stand.stop].min()
                own.append(over[number, rows, BALL] - rise)
        found = np.concatenate(own)
        usual = 0.0
        if foot.clearance is None and len(found):
            usual = float(np.nanmedian(found))
        errors.append(abs(np.where(np.isfinite(found), found, np.inf) - usual))
        level = max(level, usual, key=abs)
    return np.concatenate(errors), level


def _sole_over(rays: GroundRays, points: Floats, knees: Floats) -> Floats:
    """Height over the ground of the lowest part of stiff flat soles (feet, f, 3, 3); (feet, f).

    In a hollow they stand on their ends, on a hilltop on what is between.
    """
    ways = points[..., TIP, :] - points[..., HEEL, :]
    along = np.linspace(0.0, 1.0, SOLE_PARTS + 1)[:, None]
    soles = points[..., HEEL, None, :] + along * ways[..., None, :]
    return np.asarray((soles[..., 2] - rays.heights(soles, knees[..., 2])[0]).min(axis=-1))


def _changes(before: Floats, after: Floats, standing: NDArray[np.bool_]) -> Floats:
    """Changes of a foot's height over the ground while it stands, in clips in place."""
    changes = np.abs(after - before)[standing]
    return np.where(np.isfinite(changes), changes, np.inf)


def _yaw(clip: Clip, before: Floats, after: Floats, stands: Sequence[Stand]) -> float:
    """Largest turn about the vertical in frames where the source's foot is level."""
    largest = 0.0
    for number in range(len(clip.feet)):
        first, second = (points[number, :, TIP] - points[number, :, HEEL]
                         for points in (before, after))  # fmt: skip
        pitch = np.degrees(np.arctan2(first[:, 2], np.linalg.norm(first[:, :2], axis=1)))
        standing = [pitch[_middle(stand)] for stand in stands if stand.foot == number]
        if not standing:
            continue
        level = abs(pitch - np.median(np.concatenate(standing))) < LEVEL_DEGREES
        cross = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
        turned = np.degrees(np.arctan2(cross, np.sum(first[:, :2] * second[:, :2], axis=1)))
        largest = max(largest, float(abs(turned[level]).max(initial=0.0)))
    return largest


def _swing(clip: Clip, before: Floats, after: Floats, stands: Sequence[Stand]) -> float:
    """Least share of the ball's greatest height between two stands; 1 without any swing."""
    shares = [1.0]
    for number in range(len(clip.feet)):
        own = sorted((stand.first, stand.stop) for stand in stands if stand.foot == number)
        for (_, first), (stop, _) in pairwise(own):
            high = before[number, first:stop].max(initial=0.0)
            if high > LEAST_SWING * clip.height:
                risen = np.where(
                    np.isfinite(after[number, first:stop]), after[number, first:stop], 0
                )
                shares.append(float(risen.max() / high))
    return min(shares)


def _pelvis_shift(clip: Clip, source: Poses, result: Poses) -> Floats:
    way = result.heads(clip.pelvis) - source.heads(clip.pelvis)
    return np.linalg.norm(way[:, :2], axis=1)


def _for_reach(clip: Clip, result: Poses, shift: Floats) -> NDArray[np.bool_]:
    """Rows of times in which the pelvis is far from its place and a leg reaches no further."""
    far = np.pad(shift > FREE_SHIFT, 1)
    longest = np.max([_extension(clip, result, foot) for foot in clip.feet], axis=0)
    found = np.zeros(len(shift), bool)
    for first, stop in np.flatnonzero(far[1:] != far[:-1]).reshape(-1, 2):
        found[first:stop] = longest[first:stop].max() >= REACHES
    return found


def _turn(source: Poses, result: Poses, bones: Sequence[str]) -> Floats:
    """Degrees (bones, f) by which bones are turned; by the chord, exact for small angles."""
    chords = [
        np.linalg.norm(source.rotations(bone) - result.rotations(bone), axis=(1, 2))
        for bone in bones
    ]
    return np.degrees(2.0 * np.arcsin(np.minimum(np.array(chords) / np.sqrt(8.0), 1.0)))


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0


def _largest(values: Floats) -> float:
    return float(values.max(initial=0.0))
