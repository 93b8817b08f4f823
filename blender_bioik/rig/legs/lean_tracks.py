"""Channels of an upper body that leans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..clip.bone_frames import bone_orientation
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, replaced_pose
from ..keys.keys import BoneTracks
from ..transforms import Floats, quaternion_from_axis_angle, quaternion_inverse, quaternion_product
from .upper_body import Leaning


def leaned_tracks(
    skeleton: Skeleton,
    clip: Clip,
    moved: Sequence[int],
    leaning: Leaning,
    tracks: BoneTracks,
    turns: Floats,
) -> BoneTracks:
    """Channels of all bones with a spine that turns, and a head that turns back.

    Args:
        skeleton: The bones.
        clip: The source's clip.
        moved: Indices of the bones whose channels count, these among them.
        leaning: The bones that lean.
        tracks: Channels of all bones.
        turns: Rotation vectors in the world, radians; (f, 3).
    """
    angle = np.linalg.norm(turns, axis=-1, keepdims=True)
    axis_angle = np.concatenate([angle, turns / np.maximum(angle, 1e-12)], axis=1)
    turn = quaternion_from_axis_angle(axis_angle)
    channels = (track[:, moved] for track in tracks)
    pose = clip.world[:, None] @ replaced_pose(skeleton, clip.pose, moved, channels)
    rotation = tracks.rotation.copy()
    for bone, way in zip(leaning.bones, (turn, quaternion_inverse(turn)), strict=False):
        number = skeleton.index[bone]
        own = bone_orientation(pose[:, number])
        local = quaternion_product(quaternion_product(quaternion_inverse(own), way), own)
        rotation[:, number] = quaternion_product(rotation[:, number], local)
    return tracks._replace(rotation=rotation)
