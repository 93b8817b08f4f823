"""Arms and tails that would be in the ground, were the body only raised and lowered with it."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ...motion.body.hull import Hull
from ...motion.ground.terrain import Terrain
from ...motion.solve.tuning import GROUND
from ...motion.tuning import BODY
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..controls.moved_bones import moved_mapping
from ..joints.moving_bones import chain
from ..legs.leg_joints import LegSetup
from ..legs.upper_body import arms_beside_legs
from ..transforms import Floats


def low_arms(
    armature_object: bpy.types.Object,
    legs: LegSetup,
    skeleton: Skeleton,
    clip: Clip,
    floor: Floats,
    terrain: Terrain,
    scale: float,
) -> Iterator[str]:
    """Bones of arms and tails that come into the ground, which must be able to bend out of it.

    Args:
        armature_object: The armature.
        legs: The legs.
        skeleton: The bones.
        clip: Their animation.
        floor: Height of the source's floor; (f,).
        terrain: The ground.
        scale: Size of the character relative to one of 1.6 m.
    """
    rows = np.arange(len(floor))
    root = clip.world_pose(skeleton.index[legs.root])[:, :3, 3]
    ground = terrain.below(root, rows, root[:, 2])
    rise = np.nan_to_num(ground.height - floor)
    moved, deep = root[:, 2] + rise, GROUND.body_depth * scale
    mapping = moved_mapping(armature_object)
    for arm in arms_beside_legs(skeleton, mapping, legs.root, legs.soles):
        if arm in legs.upper.arms:
            continue
        hulls = [hull for hull in legs.hulls if arm.hand in chain(skeleton, hull.bone)
                 or hull.bone in (arm.upper, arm.lower)]  # fmt: skip
        if any(_depth(hull, skeleton, clip, floor, rise, moved, terrain) > deep for hull in hulls):
            yield from arm.bones
    # The trunk may turn with the slope, more or less: what comes near the ground may reach it.
    slopes = np.zeros_like(ground.slope), np.nan_to_num(ground.slope)
    for hull in legs.tail:
        known = hull, skeleton, clip, floor, rise, moved, terrain
        if max(_depth(*known, slope, root) for slope in slopes) > -BODY.wall * scale:
            yield from mapping.tail
            return


def _depth(
    hull: Hull,
    skeleton: Skeleton,
    clip: Clip,
    floor: Floats,
    rise: Floats,
    top: Floats,
    terrain: Terrain,
    slope: Floats | None = None,
    root: Floats | None = None,
) -> float:
    """How much deeper a hull is in the ground than in the source's floor, at most, metres.

    Args:
        hull: The hull.
        skeleton: The bones.
        clip: Their animation.
        floor: Height of the source's floor; (f,).
        rise: How much the body is raised; (f,).
        top: Height of the raised root, above which there is no ground; (f,).
        terrain: The ground.
        slope: How the body turns about its root with the ground, None if it does not; (f, 2).
        root: Where the root is; (f, 3).
    """
    pose = clip.world_pose(skeleton.index[hull.bone])
    rings = hull.rings.reshape(-1, 3)
    points = rings @ pose[:, :3, :3].swapaxes(1, 2) + pose[:, None, :3, 3]
    allowed = (floor - points[..., 2].min(axis=1)).clip(0.0)
    points[..., 2] += rise[:, None]
    if slope is not None and root is not None:
        away = points[..., :2] - root[:, None, :2]
        points[..., 2] += np.einsum("fki,fi->fk", away, slope)
    at = np.repeat(np.arange(len(points)), points.shape[1])
    height = terrain.below(points.reshape(-1, 3), at, top[at]).height.reshape(points.shape[:2])
    depth = np.nan_to_num(height - points[..., 2], nan=-np.inf).max(axis=1)
    return float((depth - allowed).max())
