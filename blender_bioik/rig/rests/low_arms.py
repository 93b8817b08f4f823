"""Arms that would be in the ground of the scene, were the body only raised and lowered with it."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ...motion.body.hull import Hull
from ...motion.ground.terrain import Terrain
from ...motion.solve.tuning import GROUND
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
    """Bones of arms that come into the ground, which must be able to bend out of it.

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
    rise = np.nan_to_num(terrain.below(root, rows, root[:, 2]).height - floor)
    moved = root[:, 2] + rise
    mapping = moved_mapping(armature_object)
    for arm in arms_beside_legs(skeleton, mapping, legs.root, legs.soles):
        if arm in legs.upper.arms:
            continue
        hulls = [hull for hull in legs.hulls if arm.hand in chain(skeleton, hull.bone)
                 or hull.bone in (arm.upper, arm.lower)]  # fmt: skip
        if any(_is_low(hull, skeleton, clip, floor, rise, moved, terrain, scale) for hull in hulls):
            yield from (arm.upper, arm.lower, arm.hand)


def _is_low(
    hull: Hull,
    skeleton: Skeleton,
    clip: Clip,
    floor: Floats,
    rise: Floats,
    top: Floats,
    terrain: Terrain,
    scale: float,
) -> bool:
    """Whether a hull is deeper in the ground in any row than it is in the source's floor.

    Args:
        hull: The hull.
        skeleton: The bones.
        clip: Their animation.
        floor: Height of the source's floor; (f,).
        rise: How much the body is raised; (f,).
        top: Height of the raised root, above which there is no ground; (f,).
        terrain: The ground.
        scale: Size of the character relative to one of 1.6 m.
    """
    pose = clip.world_pose(skeleton.index[hull.bone])
    rings = hull.rings.reshape(-1, 3)
    points = rings @ pose[:, :3, :3].swapaxes(1, 2) + pose[:, None, :3, 3]
    allowed = (floor - points[..., 2].min(axis=1)).clip(0.0)
    points[..., 2] += rise[:, None]
    at = np.repeat(np.arange(len(points)), points.shape[1])
    height = terrain.below(points.reshape(-1, 3), at, top[at]).height.reshape(points.shape[:2])
    depth = np.nan_to_num(height - points[..., 2], nan=-np.inf).max(axis=1)
    return bool((depth - allowed > GROUND.body_depth * scale).any())
